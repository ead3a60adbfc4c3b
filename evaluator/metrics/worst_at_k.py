"""worst@K: the worst of K cases, so that samples and releases with more cases are not judged harder.

The cases of a sample are pooled over degrees; scoring gives those up to the highest degree that counts.
"""

from collections.abc import Sequence

import numpy as np

from evaluator.metrics.metric import Counts, Metric, Numbers, Terms, check_counts

WORST_AT_K = Metric(
    name="worst-at-k",
    summary="expected share of samples right on all of K cases drawn without replacement, of those with K",
    scope="setting",
)

# Where the rarefaction curve is drawn; the first ones are what most releases have.
CURVE = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500)


def worst_at_k(n_right: Counts, n_cases: Counts, k: int) -> float:
    """Return the expected worst of K cases, drawn from a sample's cases at all degrees (columns) together."""
    return float(worst_at_k_terms(n_right, n_cases, k).value())


def worst_at_k_terms(n_right: Counts, n_cases: Counts, k: int) -> Terms:
    """Return the chance that K of a sample's cases are all right, over 1 if it has K cases."""
    if k < 1:
        raise ValueError(f"K must be at least 1, not {k}")
    return curve_terms(n_right, n_cases, [k])[k]


def curve_terms(n_right: Counts, n_cases: Counts, ks: Sequence[int]) -> dict[int, Terms]:
    """Return the same for several K, which rise."""
    check_counts(n_right, n_cases)
    right, cases = n_right.sum(axis=1, dtype=np.int64), n_cases.sum(axis=1, dtype=np.int64)
    chance: Numbers = np.ones(len(right))
    found = {}
    for drawn in range(max(ks, default=0)):
        # The next case is right with (right left) / (cases left); fewer than K right ones give 0 on the way.
        chance = chance * (np.maximum(right - drawn, 0) / np.maximum(cases - drawn, 1))
        if drawn + 1 in ks:
            has_enough = (cases > drawn).astype(np.float64)
            found[drawn + 1] = Terms(above=chance * has_enough, below=has_enough)
    return found


def rarefaction_terms(n_right: Counts, n_cases: Counts, *, min_samples: int) -> dict[int, Terms]:
    """Return worst@K for rising K as long as enough samples have K cases."""
    n_of_sample = n_cases.sum(axis=1)
    ks = [k for k in CURVE if (n_of_sample >= k).sum() >= max(min_samples, 1)]
    return curve_terms(n_right, n_cases, ks)


def rarefaction(n_right: Counts, n_cases: Counts, *, min_samples: int) -> dict[int, float]:
    """Return the scores of the same."""
    found = rarefaction_terms(n_right, n_cases, min_samples=min_samples)
    return {k: float(terms.value()) for k, terms in found.items()}
