"""How a recipe names surrogates: kinds to train, specs of ready classifiers, and ensembles of both."""

import re
from collections.abc import Callable
from pathlib import Path

from builder.tasks.public_names import public_name
from classifiers import KINDS, TRAINABLE_KINDS, parse_spec
from classifiers.kinds.ensemble import NAME as ENSEMBLE
from classifiers.kinds.ensemble import SEPARATOR, member_specs
from contract.machine.errors import ExitCode, UserError

LONGEST_NAME = 60
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


def check_surrogate(kind: str) -> None:
    """Raise an error unless this is a kind to train or the spec of a classifier that can be a surrogate."""
    if kind in TRAINABLE_KINDS:
        return
    if kind.partition(":")[0] not in KINDS:
        _ = TRAINABLE_KINDS[kind]
    spec_kind, argument = parse_spec(kind)
    if spec_kind.name == ENSEMBLE:
        # A bare name may be that of another surrogate of the recipe, which is not known here.
        for member in member_specs(argument):
            if ":" in member:
                check_surrogate(member)
            if member.startswith(f"{ENSEMBLE}:"):
                raise UserError(f"{kind}: an ensemble of an ensemble; list all members in one")
    elif spec_kind.content is None:
        able = [name for name, other_kind in KINDS.items() if other_kind.content is not None]
        raise UserError(
            f"{kind} cannot be a surrogate; surrogates are {', '.join(TRAINABLE_KINDS)},"
            f" {', '.join(able)} or ensemble:A+B",
            exit_code=ExitCode.WRONG_USE,
        )


def members_of_surrogate(kind: str) -> list[str]:
    """Return the kinds and specs that a surrogate consists of."""
    name, _, argument = kind.partition(":")
    return member_specs(argument) if name == ENSEMBLE else [kind]


def surrogate_name(kind: str) -> str:
    """Return a name made of the kind, for a surrogate that the recipe gives none."""
    return _NOT_IN_NAMES.sub("-", public_surrogate(kind).lower()).strip("-")[:LONGEST_NAME].strip("-")


def surrogate_from(folder: Path, kind: str) -> str:
    """Return a spec with an absolute path, found from a folder; an id on the Hub stays as it is."""

    def absolute(spec: str) -> str:
        name, colon, argument = spec.partition(":")
        is_path = name == "sklearn" or (name == "hf" and (folder / argument).is_dir())
        return f"{name}:{(folder / argument).resolve()}" if colon and is_path else spec

    return _each(kind, absolute)


def public_surrogate(kind: str) -> str:
    """Return a surrogate's spec without the folders of this machine."""
    return _each(kind, public_name)


def _each(kind: str, change: Callable[[str], str]) -> str:
    """Return a spec with each of its members changed."""
    if kind.partition(":")[0] != ENSEMBLE:
        return change(kind)
    return f"{ENSEMBLE}:{SEPARATOR.join(map(change, members_of_surrogate(kind)))}"
