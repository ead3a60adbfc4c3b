"""balanced accuracy: the plain mean of the labels' recalls on clean samples, by which skill is judged."""

import numpy as np

from evaluator.metrics.inputs import CleanOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.recall import RecallFigure
from evaluator.metrics.units import UnitFigure


def _on_clean_rows(outcomes: CleanOutcomes) -> RecallFigure | UnitFigure:
    if outcomes.units is not None:
        return outcomes.units.figure("balanced")
    return RecallFigure(
        kept=outcomes.is_right.astype(np.float64)[:, None], labels=outcomes.labels, mean="balanced"
    )


BALANCED_ACCURACY = Metric(
    name="balanced-accuracy",
    summary="plain mean of the labels' recalls on unperturbed samples",
    heading="Balanced",
    in_terminal=False,
    clean=_on_clean_rows,
)
