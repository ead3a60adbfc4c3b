"""AdvGLUE's own figures: accuracy and F1 over all rows of a task, and their average, with intervals."""

from collections.abc import Mapping

import numpy as np

from contract.predictions.reading import ABSENT, Predictions
from contract.schema.manifest import TaskInfo
from contract.schema.results import ScoreSettings
from evaluator.metrics.advglue_average import advglue_average
from evaluator.metrics.metric import Booleans, NothingToScoreError, Numbers, Terms
from evaluator.scoring.bootstrap import Draws, resample
from evaluator.scoring.outcomes import LabelledRows
from evaluator.scoring.rounding import fraction, fraction_interval

PREFIX = "advglue"
AVERAGE = f"{PREFIX}/average"


def advglue_figures(
    labelled: LabelledRows, predictions: Predictions, settings: ScoreSettings, draws: Draws
) -> dict[str, float]:
    """Return each task's metrics and their average, which takes every row of every task; else nothing.

    AdvGLUE counts rows: unlike our `average`, a sample with many cases weighs as much as all of them.
    """
    is_case = np.zeros(len(labelled.rows), np.bool_)
    for group in labelled.rows.groups:
        is_case[group.start : group.stop] = not group.is_clean
    if (predictions.labels[is_case] == ABSENT).any():
        return {}
    tasks = labelled.rows.tasks
    try:
        scores = {
            task.name: _drawn(task, _terms(task, labelled, predictions, is_case), labelled, draws)
            for task in tasks
        }
    except NothingToScoreError:
        # F1 of a file without duplicates, true or predicted, is undefined, and so is the average.
        return {}
    average = advglue_average(scores, {task.name: task.group for task in tasks})
    figures = {
        f"{PREFIX}/{task}/{metric}": fraction(drawn[0])
        for task, metrics in scores.items()
        for metric, drawn in metrics.items()
    }
    figures[AVERAGE] = fraction(average[0])
    interval = fraction_interval(average, settings)
    if interval is not None:
        figures[f"{AVERAGE}/low"], figures[f"{AVERAGE}/high"] = interval
    return figures


def _terms(
    task: TaskInfo, labelled: LabelledRows, predictions: Predictions, is_case: Booleans
) -> dict[str, Terms]:
    """Return the task's metrics as what each sample adds above and below the line."""
    place = [info.name for info in labelled.rows.tasks].index(task.name)
    rows = np.flatnonzero(is_case & (labelled.rows.task_of_row == place))
    true, predicted, samples = labelled.labels[rows], predictions.labels[rows], labelled.samples[rows]
    n_samples = labelled.n_samples[task.name]

    def summed(counted: Booleans) -> Numbers:
        return np.bincount(samples[counted], minlength=n_samples).astype(np.float64)

    terms = {"accuracy": Terms(above=summed(true == predicted), below=summed(true >= 0))}
    if "f1" in task.metrics:
        # Of the second label, as GLUE counts it: twice the hits over true and predicted ones.
        above = 2 * summed((true == 1) & (predicted == 1))
        terms["f1"] = Terms(above=above, below=summed(true == 1) + summed(predicted == 1))
    return terms


def _drawn(
    task: TaskInfo, terms: Mapping[str, Terms], labelled: LabelledRows, draws: Draws
) -> dict[str, Numbers]:
    """Return each metric: the score first, then the score on every draw."""
    points = {name: np.atleast_1d(term.value()) for name, term in terms.items()}
    if not draws.n_draws:
        return points
    drawn = resample(list(terms.values()), draws.weights(task.name, labelled.n_samples[task.name]))
    return {
        name: np.concatenate([points[name], column[:, 0]]) for name, column in zip(terms, drawn, strict=True)
    }
