"""accuracy_cases: the plain accuracy of a split, in which samples with more cases weigh more."""

from evaluator.metrics.metric import Counts, Metric, Numbers, Terms, check_counts

ACCURACY_CASES = Metric(
    name="accuracy-cases", summary="share of all cases of a split that are classified right", scope="degree"
)


def accuracy_cases(n_right: Counts, n_cases: Counts) -> Numbers:
    """Return the share of right cases, for each degree."""
    return accuracy_cases_terms(n_right, n_cases).value()


def accuracy_cases_terms(n_right: Counts, n_cases: Counts) -> Terms:
    """Return a sample's right cases over its cases."""
    check_counts(n_right, n_cases)
    return Terms(above=n_right.astype(float), below=n_cases.astype(float))
