"""relative worst: what an attacker leaves of the clean score."""

from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.recall import RelativeFigure


def _at_degrees(cell: CellOutcomes) -> RelativeFigure | None:
    return None if cell.worst is None else RelativeFigure(score=cell.worst, clean=cell.clean.score)


RELATIVE_WORST = Metric(
    name="relative-worst",
    summary="worst at a degree over the clean score",
    heading="Relative worst",
    is_fraction=False,
    in_terminal=False,
    on_pages=False,
    degree=_at_degrees,
)
