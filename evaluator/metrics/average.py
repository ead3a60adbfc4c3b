"""average: the robust recall against cases taken at random, joined over labels."""

from evaluator.metrics.inputs import CellOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.recall import RecallFigure
from evaluator.metrics.units import UnitFigure


def _at_degrees(cell: CellOutcomes) -> RecallFigure | UnitFigure | None:
    return cell.average


AVERAGE = Metric(
    name="average",
    summary="robust recall over labels: right when clean, times the share of cases that are right",
    heading="Average",
    degree=_at_degrees,
)
