"""relative average: what is left of the clean accuracy, which tells robustness from plain accuracy."""

from evaluator.metrics.average import average
from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Booleans, Ratio


def relative(score: Ratio, clean_right: Booleans, has_clean: Booleans | None = None) -> Ratio:
    """Return a score over the clean accuracy of the samples it counts.

    Samples without a clean row are left out on both sides.
    """
    # The denominator is 1 for a sample that has a case, which is the sample set of the definition.
    numerator = score.numerator if has_clean is None else score.numerator * has_clean[:, None]
    return Ratio(numerator=numerator, denominator=score.denominator * clean_right[:, None])


def _at_degrees(cell: CellOutcomes) -> Ratio:
    return relative(average(cell.n_right, cell.n_cases), cell.clean.is_right, cell.clean.has_clean)


RELATIVE_AVERAGE = Metric(
    name="relative-average",
    summary="average at a degree over the clean accuracy of the same samples",
    heading="Relative average",
    is_fraction=False,
    in_terminal=False,
    on_pages=False,
    degree=_at_degrees,
)
