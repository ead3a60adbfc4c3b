"""worst_at: the worst case of exactly one degree."""

from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Counts, Ratio, check_counts


def worst_at(n_right: Counts, n_cases: Counts) -> Ratio:
    """Return 1 for a sample right on all its cases over 1 if it has a case."""
    check_counts(n_right, n_cases)
    has_case = n_cases > 0
    is_right = (n_right == n_cases) & has_case
    return Ratio(numerator=is_right.astype(float), denominator=has_case.astype(float))


def _at_degrees(cell: CellOutcomes) -> Ratio:
    return worst_at(cell.n_right, cell.n_cases)


WORST_AT = Metric(
    name="worst-at",
    summary="share of samples classified right on every case at this degree alone",
    heading="At degree",
    in_terminal=False,
    with_interval=False,
    degree=_at_degrees,
)
