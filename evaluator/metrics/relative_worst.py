"""relative worst: what an attacker leaves of the clean score."""

from evaluator.metrics.clean_score import clean_score_of
from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.recall import RelativeFigure
from evaluator.metrics.worst import worst_of


def _at_degrees(cell: CellOutcomes) -> RelativeFigure | None:
    score = worst_of(cell)
    return None if score is None else RelativeFigure(score=score, clean=clean_score_of(cell.clean))


RELATIVE_WORST = Metric(
    name="relative-worst",
    summary="worst at a degree over the clean score",
    heading="Relative worst",
    is_fraction=False,
    in_terminal=False,
    on_pages=False,
    degree=_at_degrees,
)
