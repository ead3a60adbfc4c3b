"""How much a model errs as a surrogate does, and from which agreement on it is the surrogate's kin."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.ranks.models import Model
from benchmarks.ranks.outcomes import RULE, Outcomes
from benchmarks.ranks.statistics import error_consistency

RETRAINED = "same kind, other weights"
DEFENDED = "same kind, defended"
SAME_FAMILY = "same family"
OTHER_FAMILY = "other family"
RELATIONS = (RETRAINED, DEFENDED, SAME_FAMILY, OTHER_FAMILY)


class Relation(NamedTuple):
    """What a model is to a surrogate, and how much their errors on random cases agree."""

    task: str
    model: str
    surrogate: str
    relation: str
    consistency: float


class Bound(NamedTuple):
    """From where on a model counts as kin, with the shares of both kinds of mistakes."""

    value: float
    missed: float
    accused: float


def relations_of(outcomes: Outcomes, models: Sequence[Model]) -> list[Relation]:
    """Return the agreement of each model with each surrogate."""
    is_random = outcomes.cases.setting == RULE
    found = []
    for place, model in enumerate(models):
        for own, (name, kind, family) in enumerate(
            zip(outcomes.surrogates, outcomes.kinds, outcomes.families, strict=True)
        ):
            agreement = error_consistency(
                outcomes.cases.right[place, is_random], outcomes.cases.surrogates_right[own, is_random]
            )
            found.append(Relation(outcomes.task, model.name, name, _relation(model, kind, family), agreement))
    return found


def choose_bound(relations: Sequence[Relation]) -> Bound | None:
    """Return the bound that tells retrained surrogates from models of other families with fewest mistakes.

    Each kind of mistake counts as its share; of equally good bounds the middle one is taken.
    """
    kin = np.array([own.consistency for own in relations if own.relation == RETRAINED])
    others = np.array([own.consistency for own in relations if own.relation == OTHER_FAMILY])
    if len(kin) == 0 or len(others) == 0:
        return None
    values = np.unique(np.concatenate([kin, others]))
    between = (values[1:] + values[:-1]) / 2
    if len(between) == 0:
        return None
    missed = (kin[:, None] < between).mean(axis=0)
    accused = (others[:, None] >= between).mean(axis=0)
    best = np.flatnonzero(np.isclose(missed + accused, (missed + accused).min()))
    chosen = best[len(best) // 2]
    return Bound(float(between[chosen]), float(missed[chosen]), float(accused[chosen]))


def _relation(model: Model, kind: str, family: str) -> str:
    if model.kind == kind:
        return RETRAINED if model.twin is None else DEFENDED
    return SAME_FAMILY if model.family == family else OTHER_FAMILY
