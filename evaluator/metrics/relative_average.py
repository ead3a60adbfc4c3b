"""relative average: what is left of the clean score, which tells robustness from plain accuracy."""

from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.recall import RelativeFigure


def _at_degrees(cell: CellOutcomes) -> RelativeFigure | None:
    return None if cell.average is None else RelativeFigure(score=cell.average, clean=cell.clean.score)


RELATIVE_AVERAGE = Metric(
    name="relative-average",
    summary="average at a degree over the clean score",
    heading="Relative average",
    is_fraction=False,
    in_terminal=False,
    on_pages=False,
    degree=_at_degrees,
)
