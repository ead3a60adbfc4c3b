"""worst: what an attacker achieves who may use any strength up to his budget."""

import numpy as np

from evaluator.metrics.metric import Counts, Metric, Numbers, Terms
from evaluator.metrics.worst_at import worst_at_terms

WORST = Metric(
    name="worst",
    summary="share of samples classified right on every case at every degree up to this one",
    scope="degree",
)


def worst(n_right: Counts, n_cases: Counts) -> Numbers:
    """Return the share of samples right on all cases up to each degree, low degrees first."""
    return worst_terms(n_right, n_cases).value()


def worst_terms(n_right: Counts, n_cases: Counts) -> Terms:
    """Return 1 for a sample right on all its cases up to a degree, over 1 if it has such a case."""
    up_to = [np.cumsum(counts, axis=1, dtype=np.int32) for counts in (n_right, n_cases)]
    return worst_at_terms(*up_to)
