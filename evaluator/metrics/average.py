"""average: what a user meets who does not try to fool the model."""

import numpy as np

from evaluator.metrics.metric import Counts, Metric, Numbers, Terms, check_counts

AVERAGE = Metric(
    name="average",
    summary="mean over samples of the share of a sample's cases at a degree that are classified right",
    scope="degree",
)


def average(n_right: Counts, n_cases: Counts) -> Numbers:
    """Return the mean over samples of the share of right cases, for each degree."""
    return average_terms(n_right, n_cases).value()


def average_terms(n_right: Counts, n_cases: Counts) -> Terms:
    """Return a sample's share of right cases over 1 if it has a case."""
    check_counts(n_right, n_cases)
    has_case = n_cases > 0
    share = np.divide(n_right, n_cases, out=np.zeros(n_cases.shape), where=has_case)
    return Terms(above=share, below=has_case.astype(np.float64))
