"""worst: the score that is left against an attacker who may use any strength up to a budget."""

import numpy as np

from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Counts, Ratio
from evaluator.metrics.worst_at import worst_at


def worst(n_right: Counts, n_cases: Counts) -> Ratio:
    """Return 1 for a sample right on all its cases up to a degree, over 1 if it has such a case."""
    up_to = [np.cumsum(counts, axis=1, dtype=np.int32) for counts in (n_right, n_cases)]
    return worst_at(*up_to)


def _at_degrees(cell: CellOutcomes) -> Ratio:
    return worst(cell.n_right, cell.n_cases)


WORST = Metric(
    name="worst",
    summary="share of samples classified right on every case at every degree up to this one",
    heading="Worst",
    degree=_at_degrees,
)
