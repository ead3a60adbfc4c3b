"""Several classifiers as one: the mean of their probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from classifiers.machinery.classifier import (
    Classifier,
    ClassifierKind,
    LoadRequest,
    Probabilities,
    TextPair,
    cost_of,
)
from contract.machine.errors import ExitCode, UserError

BETWEEN = "+"


@dataclass(frozen=True)
class Ensemble:
    """Asks every member about every text; words are hidden by leaving them out, which all understand."""

    members: tuple[Classifier, ...]

    @property
    def cost(self) -> int:
        """What all members cost together."""
        return sum(map(cost_of, self.members))

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the mean of the members' probabilities."""
        return np.asarray(np.mean([member.probabilities(texts) for member in self.members], axis=0))


def members_of(argument: str) -> list[str]:
    """Return the specs that A+B+C names, at least two and none twice."""
    names = [name.strip() for name in argument.split(BETWEEN)]
    if len(names) < 2 or not all(names) or len(set(names)) < len(names):
        raise UserError(
            f"ensemble:{argument} must name two or more different classifiers; write ensemble:A+B",
            exit_code=ExitCode.WRONG_USE,
        )
    return names


def load(request: LoadRequest) -> Classifier:
    """Return the ensemble; a member that is no kind of classifier is a surrogate of the release."""
    return Ensemble(tuple(kind.load(own) for kind, own in _members(request)))


def identity(request: LoadRequest) -> list[Any]:
    """Return what decides the answers of each member."""
    return [[kind.name, own.argument, kind.identity(own)] for kind, own in _members(request)]


def _members(request: LoadRequest) -> list[tuple[ClassifierKind, LoadRequest]]:
    from classifiers import KINDS, parse_spec

    found = []
    for spec in members_of(request.argument):
        is_kind = spec.partition(":")[0] in KINDS
        kind, argument = parse_spec(spec if is_kind else f"surrogate:{spec}")
        if kind.is_remote:
            raise UserError(f"{spec} may leave texts without a label; it cannot be part of an ensemble")
        found.append((kind, replace(request, argument=argument)))
    return found


ENSEMBLE = ClassifierKind(
    name="ensemble",
    summary="the mean of others; a bare name is a surrogate of the release",
    argument="A+B",
    load=load,
    identity=identity,
)
