"""An ensemble of other classifiers, named by their specs."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from classifiers.machinery.classifier import Classifier, ClassifierKind, LoadRequest
from classifiers.machinery.ensemble import Ensemble
from classifiers.machinery.specs import ParsedSpec
from contract.machine.errors import ExitCode, UserError

NAME = "ensemble"
SEPARATOR = "+"


def member_specs(argument: str) -> list[str]:
    """Return the specs that A+B+C names: at least two, all different."""
    specs = [spec.strip() for spec in argument.split(SEPARATOR)]
    if len(specs) < 2 or not all(specs) or len(set(specs)) < len(specs):
        raise UserError(
            f"{NAME}:{argument} must name two or more different classifiers; write {NAME}:A+B",
            exit_code=ExitCode.WRONG_USE,
        )
    return specs


def ensemble_kind(parse_member: Callable[[str], ParsedSpec]) -> ClassifierKind:
    """Return the kind; `parse_member` finds the kind of each member, which only the full registry knows."""

    def load(request: LoadRequest) -> Classifier:
        return Ensemble(tuple(kind.load(member) for kind, member in members(request)))

    def identity(request: LoadRequest) -> list[Any]:
        return [[kind.name, member.argument, kind.identity(member)] for kind, member in members(request)]

    def members(request: LoadRequest) -> list[tuple[ClassifierKind, LoadRequest]]:
        result = []
        for spec in member_specs(request.argument):
            kind, argument = parse_member(spec)
            if kind.is_remote:
                raise UserError(f"{spec} may leave texts without a label; it cannot be part of an ensemble")
            result.append((kind, replace(request, argument=argument)))
        return result

    return ClassifierKind(
        name=NAME,
        summary="the mean of others; a bare name is a surrogate of the release",
        argument="A+B",
        load=load,
        identity=identity,
    )
