"""worst@K: the worst of K cases, so that samples and releases with more cases are not scored lower.

The cases of a sample are pooled over degrees, up to the highest degree that counts.
"""

from collections.abc import Sequence

import numpy as np

from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Counts, Numbers, Ratio, check_counts

# Where the curve is drawn; the first ones are what most releases have.
CURVE = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500)


def worst_at_k(n_right: Counts, n_cases: Counts, k: int) -> Ratio:
    """Return the chance that K of a sample's cases at all degrees are all right, over 1 if it has K cases."""
    if k < 1:
        raise ValueError(f"K must be at least 1, not {k}")
    return _curve(n_right, n_cases, [k])[k]


def worst_at_rising_k(n_right: Counts, n_cases: Counts, *, min_samples: int) -> dict[int, Ratio]:
    """Return worst@K for rising K as long as enough samples have K cases."""
    n_of_sample = n_cases.sum(axis=1)
    ks = [k for k in CURVE if (n_of_sample >= k).sum() >= max(min_samples, 1)]
    return _curve(n_right, n_cases, ks)


def _curve(n_right: Counts, n_cases: Counts, ks: Sequence[int]) -> dict[int, Ratio]:
    """Return worst@K for several K, which rise."""
    check_counts(n_right, n_cases)
    right, cases = n_right.sum(axis=1, dtype=np.int64), n_cases.sum(axis=1, dtype=np.int64)
    chance: Numbers = np.ones(len(right))
    ratios = {}
    for drawn in range(max(ks, default=0)):
        # The next case is right with (right left) / (cases left); fewer than K right ones give 0 on the way.
        chance = chance * (np.maximum(right - drawn, 0) / np.maximum(cases - drawn, 1))
        if drawn + 1 in ks:
            has_enough = (cases > drawn).astype(np.float64)
            ratios[drawn + 1] = Ratio(numerator=chance * has_enough, denominator=has_enough)
    return ratios


def _of_cell(cell: CellOutcomes) -> dict[int, Ratio]:
    """Return the curve over the cases that `worst` at the highest used degree is about."""
    if not cell.used or not cell.clean.labels:
        return {}
    right, cases = (counts[:, : cell.used[-1] + 1] for counts in (cell.n_right, cell.n_cases))
    return worst_at_rising_k(right, cases, min_samples=cell.min_samples)


WORST_AT_K = Metric(
    name="worst-at-k",
    summary="expected share of samples right on all of K cases drawn without replacement, of those with K",
    heading="Worst of K cases",
    in_terminal=False,
    curve=_of_cell,
)
