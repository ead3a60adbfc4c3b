"""accuracy_cases: the plain accuracy of a split, in which samples with more cases weigh more."""

from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Counts, Ratio, check_counts


def accuracy_cases(n_right: Counts, n_cases: Counts) -> Ratio:
    """Return a sample's right cases over its cases."""
    check_counts(n_right, n_cases)
    return Ratio(numerator=n_right.astype(float), denominator=n_cases.astype(float))


def _at_degrees(cell: CellOutcomes) -> Ratio:
    if cell.units is not None:
        return cell.units.accuracy_cases()
    return accuracy_cases(cell.n_right, cell.n_cases)


ACCURACY_CASES = Metric(
    name="accuracy-cases",
    summary="share of all cases of a split that are classified right",
    heading="All cases",
    in_terminal=False,
    on_pages=False,
    degree=_at_degrees,
)
