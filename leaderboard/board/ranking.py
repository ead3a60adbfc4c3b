"""Ranks as ranges: two results tie unless the paired bootstrap shows a difference."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from contract.schema.estimates import RANKED_BY, Estimate, estimate_of
from contract.schema.results import Overall, Result

Rank = tuple[int, int]
Relation = Literal["ahead", "behind", "tied", "unknown"]


@dataclass(frozen=True, kw_only=True)
class PairedDifference:
    """The score of one result minus that of another; without interval if they share no bootstrap draws."""

    difference: float
    interval: tuple[float, float] | None

    @property
    def relation(self) -> Relation:
        """Return whether the first result is ahead or behind by more than chance."""
        if self.interval is None:
            return "unknown"
        low, high = self.interval
        return "ahead" if low > 0 else "behind" if high < 0 else "tied"


def rank_ranges(results: Sequence[Result]) -> list[Rank]:
    """Return for each result the best and the worst rank that it may have among all of them."""
    scores = np.array([overall_of(result).score.ewma for result in results])
    replicates = _replicates_of(results, RANKED_BY)
    ranges = []
    for index, result in enumerate(results):
        if replicates is None:
            n_better = int(np.sum(scores > scores[index]))
            n_worse = int(np.sum(scores < scores[index]))
        else:
            tail = (1 - result.settings.confidence) / 2
            low, high = np.quantile(replicates - replicates[index], [tail, 1 - tail], axis=1)
            n_better = int(np.sum(low > 0))
            n_worse = int(np.sum(high < 0))
        ranges.append((1 + n_better, len(results) - n_worse))
    return ranges


def ranks_without_families(results: Sequence[Result]) -> list[Rank | None]:
    """Return for each result its best and its worst rank by points when each family is left out in turn.

    A family counts only if every result has a score without it: ranks among some of them would be others.
    """
    shared = [
        family
        for family in (results[0].without_families if results else {})
        if all(_score_without(result, family) is not None for result in results)
    ]
    if not shared:
        return [None] * len(results)
    # One row a family.
    scores = np.array([[_score_without(result, family) for result in results] for family in shared])
    # Ties share the best of their ranks.
    order = np.sort(scores, axis=1)
    ranks = [
        1 + len(results) - np.searchsorted(of_family, by_model, side="right")
        for of_family, by_model in zip(order, scores, strict=True)
    ]
    return [(int(low), int(high)) for low, high in zip(np.min(ranks, 0), np.max(ranks, 0), strict=True)]


def _score_without(result: Result, family: str) -> float | None:
    without = result.without_families.get(family)
    return None if without is None else without.score


def paired_difference(one: Result, other: Result, estimate: Estimate) -> PairedDifference:
    """Return the difference of two overall scores, with its interval if both have the same draws."""
    first, second = (estimate_of(overall_of(result), estimate).ewma for result in (one, other))
    replicates = _replicates_of([one, other], estimate)
    if replicates is None:
        return PairedDifference(difference=first - second, interval=None)
    tail = (1 - one.settings.confidence) / 2
    low, high = np.quantile(replicates[0] - replicates[1], [tail, 1 - tail])
    return PairedDifference(difference=first - second, interval=(float(low), float(high)))


def overall_of(result: Result) -> Overall:
    """Return the overall scores of a result; a partial result is an error."""
    if result.overall is None:
        raise ValueError(f"{result.model.name!r} is partial: it has no overall score and cannot be ranked")
    return result.overall


def _replicates_of(
    results: Sequence[Result], estimate: Estimate
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]] | None:
    """Return one row of draws for each result, or None unless all results have the same number of draws."""
    rows = [estimate_of(result.replicates, estimate) for result in results if result.replicates is not None]
    if len(rows) < len(results) or not rows or not rows[0] or len({len(row) for row in rows}) > 1:
        return None
    return np.array(rows, dtype=np.float64)
