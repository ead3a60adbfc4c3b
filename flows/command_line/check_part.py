"""The command `check-part`: the common checks on a part of any package."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from contract.machine.errors import ExitCode, UserError
from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contract.machine.registry import Registry
    from flows.part_checks.check import Check


@click.command("check-part")
@click.argument("spec", metavar="SPEC")
@click.option("--argument", default="", help="Of a classifier: what its spec has after the kind.")
@as_json_option
def check_part(spec: str, *, argument: str, as_json: bool) -> None:
    """Check that a part keeps what every part of its kind promises.

    SPEC is python:MODULE:VALUE, found from this folder or installed, or the name of a dimension, filter,
    metric or classifier that `hardfrost list` shows, with its kind before it where two have it:
    dimension:shout. Runs the part's code. The exit code is 4 where a promise is broken.
    """
    from flows.part_checks.check import outcomes

    kind, part = _found(spec)
    checks = _checks(kind, argument)
    found = list(outcomes(checks, part))
    broken = [outcome for outcome in found if outcome.problem]
    if as_json:
        rows = [{"promise": each.promise, "problem": each.problem or None} for each in found]
        echo_json({"kind": kind, "name": part.name, "checks": rows})
    else:
        for each in found:
            echo(f"{'BROKEN' if each.problem else 'kept  '}  {each.promise}")
            if each.problem:
                echo(f"        {each.problem}")
        echo(f"{kind} {part.name}: {len(found) - len(broken)} of {len(found)} promises kept", err=True)
    if broken:
        sys.exit(ExitCode.MISMATCH)


def _registries() -> "dict[str, Registry[Any]]":
    from builder.dimensions import DIMENSIONS
    from builder.filters import FILTERS
    from classifiers import KINDS
    from evaluator.metrics import METRICS

    return {"dimension": DIMENSIONS, "filter": FILTERS, "metric": METRICS, "classifier": KINDS}


def _found(spec: str) -> tuple[str, Any]:
    """Return the kind of a part and the part."""
    from contract.machine.outside import PREFIX, look_in, value_at
    from contract.machine.registry import did_you_mean

    registries = _registries()
    if spec.startswith(PREFIX):
        look_in(Path.cwd())
        value = value_at(spec.removeprefix(PREFIX))
        for kind, registry in registries.items():
            if registry.is_of_kind(value):
                return kind, value
        raise UserError(
            f"{spec}: is a {type(value).__name__}, expected one of: {', '.join(registries)}",
            exit_code=ExitCode.WRONG_USE,
        )
    kind, colon, name = spec.partition(":")
    if colon and kind in registries:
        return kind, registries[kind][name]
    holding = [(kind, registry[spec]) for kind, registry in registries.items() if spec in registry]
    if len(holding) == 1:
        return holding[0]
    if holding:
        forms = " or ".join(f"{kind}:{spec}" for kind, _ in holding)
        raise UserError(f"several parts are called {spec!r}; write {forms}", exit_code=ExitCode.WRONG_USE)
    names = [name for registry in registries.values() for name in registry]
    raise UserError(f"unknown part {spec!r};{did_you_mean(spec, names)}", exit_code=ExitCode.WRONG_USE)


def _checks(kind: str, argument: str) -> "Sequence[Check[Any]]":
    """Return the checks of a kind, whose code is imported only now."""
    if kind == "classifier":
        from flows.part_checks.classifiers import checks_with

        return checks_with(argument)
    if kind == "dimension":
        from flows.part_checks.dimensions import CHECKS as OF_DIMENSIONS

        return OF_DIMENSIONS
    if kind == "filter":
        from flows.part_checks.filters import CHECKS as OF_FILTERS

        return OF_FILTERS
    from flows.part_checks.metrics import CHECKS as OF_METRICS

    return OF_METRICS
