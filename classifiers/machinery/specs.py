"""Reads a spec: NAME or NAME:ARGUMENT, with NAME in a registry of kinds."""

from typing import NamedTuple

from classifiers.machinery.classifier import ClassifierKind
from contract.machine.errors import ExitCode, UserError
from contract.machine.registry import Registry


class ParsedSpec(NamedTuple):
    """The kind that a spec names and the argument for it."""

    kind: ClassifierKind
    argument: str


def parse_spec_with(kinds: Registry[ClassifierKind], spec: str) -> ParsedSpec:
    """Return the kind and argument of a spec; refuse an unknown kind, a missing or a needless argument."""
    name, _, argument = spec.partition(":")
    kind = kinds[name]
    if kind.argument is None and argument:
        raise UserError(f"{name} takes no argument; write {name}", exit_code=ExitCode.WRONG_USE)
    if kind.argument is not None and not argument:
        raise UserError(
            f"{name} needs an argument; write {name}:{kind.argument}", exit_code=ExitCode.WRONG_USE
        )
    return ParsedSpec(kind, argument)
