"""clean score: the score at degree 0, joined over labels as every other score of the task."""

from evaluator.metrics.inputs import CleanOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.recall import RecallFigure
from evaluator.metrics.units import UnitFigure


def _on_clean_rows(outcomes: CleanOutcomes) -> RecallFigure | UnitFigure:
    return outcomes.score


CLEAN_SCORE = Metric(
    name="clean-score",
    summary="the task's mean of its labels' recalls on unperturbed samples",
    heading="Clean",
    clean=_on_clean_rows,
)
