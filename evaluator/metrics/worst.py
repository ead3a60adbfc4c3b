"""worst: the robust recall against an attacker with any strength up to a budget."""

from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.recall import RecallFigure
from evaluator.metrics.units import UnitFigure


def _at_degrees(cell: CellOutcomes) -> RecallFigure | UnitFigure | None:
    return cell.worst


WORST = Metric(
    name="worst",
    summary="robust recall over labels: right when clean and on every case up to this degree",
    heading="Worst",
    degree=_at_degrees,
)
