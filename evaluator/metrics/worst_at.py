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


def _at_degrees(cell: CellOutcomes) -> Ratio | None:
    """Return the figure of tasks that have clean rows: without them only cases are counted."""
    return worst_at(cell.n_right, cell.n_cases) if cell.clean.labels else None


WORST_AT = Metric(
    name="worst-at",
    summary="of samples with a case at this degree, the share classified right on every one of them",
    heading="At degree",
    in_terminal=False,
    with_interval=False,
    degree=_at_degrees,
)
