"""worst_at: the worst case of exactly one degree."""

from evaluator.metrics.metric import Counts, Metric, Numbers, Terms, check_counts

WORST_AT = Metric(
    name="worst-at",
    summary="share of samples classified right on every case at this degree alone",
    scope="degree",
)


def worst_at(n_right: Counts, n_cases: Counts) -> Numbers:
    """Return the share of samples right on all their cases, for each degree."""
    return worst_at_terms(n_right, n_cases).value()


def worst_at_terms(n_right: Counts, n_cases: Counts) -> Terms:
    """Return 1 for a sample right on all its cases over 1 if it has a case."""
    check_counts(n_right, n_cases)
    has_case = n_cases > 0
    return Terms(above=((n_right == n_cases) & has_case).astype(float), below=has_case.astype(float))
