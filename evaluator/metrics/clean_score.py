"""clean score: the score at degree 0, joined over labels as every other score of the task."""

import numpy as np

from evaluator.metrics.inputs import CleanOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.recall import RecallFigure


def clean_score_of(outcomes: CleanOutcomes) -> RecallFigure:
    """Return the labels' recalls on clean samples, joined as the task says."""
    return RecallFigure(
        kept=outcomes.is_right.astype(np.float64)[:, None], labels=outcomes.labels, mean=outcomes.mean
    )


CLEAN_SCORE = Metric(
    name="clean-score",
    summary="the task's mean of its labels' recalls on unperturbed samples",
    heading="Clean",
    clean=clean_score_of,
)
