"""average: the score of cases taken at random, as users make them who do not try to fool the model."""

import numpy as np

from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Counts, Ratio, check_counts


def average(n_right: Counts, n_cases: Counts) -> Ratio:
    """Return a sample's share of right cases over 1 if it has a case."""
    check_counts(n_right, n_cases)
    has_case = n_cases > 0
    share = np.divide(n_right, n_cases, out=np.zeros(n_cases.shape), where=has_case)
    return Ratio(numerator=share, denominator=has_case.astype(np.float64))


def _at_degrees(cell: CellOutcomes) -> Ratio:
    return average(cell.n_right, cell.n_cases)


AVERAGE = Metric(
    name="average",
    summary="mean over samples of the share of a sample's cases at a degree that are classified right",
    heading="Average",
    degree=_at_degrees,
)
