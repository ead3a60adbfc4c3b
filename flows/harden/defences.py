"""The schemes of adversarial training: which attacks a model is shown before it meets one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from contract.machine.errors import ExitCode, UserError
from contract.schema.hardening import Scheme

PLAIN = "none"


@dataclass(frozen=True, kw_only=True)
class Defence:
    """A model to train: on clean rows and, for each, one more under one of these attacks."""

    name: str
    scheme: Scheme
    trained_on: tuple[str, ...]


def defences_of(schemes: Sequence[Scheme], attacks: Sequence[str], mixed: Sequence[str]) -> list[Defence]:
    """Return the models of a run, the one without defence first.

    1-1 trains one model on each attack, leave-one-out one on all but each, random one on all of them, mixed
    one on those that are named.
    """
    if "leave-one-out" in schemes and len(attacks) < 2:
        raise UserError(
            "leave-one-out needs two attacks at least; name more with --attacks", exit_code=ExitCode.WRONG_USE
        )
    if "mixed" in schemes and not mixed:
        raise UserError(
            "the scheme mixed needs --train-on: the dimensions that are shown in training",
            exit_code=ExitCode.WRONG_USE,
        )
    return [
        Defence(name=PLAIN, scheme="none", trained_on=()),
        *(defence for scheme in dict.fromkeys(schemes) for defence in _of_scheme(scheme, attacks, mixed)),
    ]


def _of_scheme(scheme: Scheme, attacks: Sequence[str], mixed: Sequence[str]) -> Iterator[Defence]:
    if scheme == "1-1":
        for attack in attacks:
            yield Defence(name=f"1-1-{attack}", scheme=scheme, trained_on=(attack,))
    elif scheme == "leave-one-out":
        for attack in attacks:
            others = tuple(other for other in attacks if other != attack)
            yield Defence(name=f"leave-one-out-{attack}", scheme=scheme, trained_on=others)
    elif scheme == "random":
        yield Defence(name="random", scheme=scheme, trained_on=tuple(attacks))
    else:
        yield Defence(name="mixed", scheme=scheme, trained_on=tuple(dict.fromkeys(mixed)))
