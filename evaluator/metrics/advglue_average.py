"""AdvGLUE's average: the mean over tasks of the mean of their metrics, MNLI's two halves joined to one."""

from collections.abc import Mapping

import numpy as np

from evaluator.metrics.inputs import ReleaseOutcomes, TaskOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Booleans, NothingToScoreError, Numbers, Ratio

PREFIX = "advglue"


def advglue_average(scores: Mapping[str, Mapping[str, Numbers]], groups: Mapping[str, str | None]) -> Numbers:
    """Return the average of each task's metrics; the tasks of a group count as one, draws stay apart."""
    if not scores:
        raise NothingToScoreError("AdvGLUE's average of no task")
    members: dict[str, list[Numbers]] = {}
    for task, metrics in scores.items():
        of_task = np.mean([np.asarray(score) for score in metrics.values()], axis=0)
        members.setdefault(groups.get(task) or task, []).append(of_task)
    return np.asarray(np.mean([np.mean(of_group, axis=0) for of_group in members.values()], axis=0))


def _of_release(outcomes: ReleaseOutcomes) -> dict[str, Numbers]:
    """Return each task's metrics and their average if every row of every task was answered; else nothing.

    AdvGLUE counts rows: unlike our `average`, a sample with many cases weighs as much as all of them.
    """
    if not _is_scored_so(outcomes) or not outcomes.has_all_cases:
        return {}
    scores = {}
    try:
        for task in outcomes.tasks:
            ratios = _ratios(task)
            drawn = outcomes.drawn(task.task, list(ratios.values()))
            scores[task.task.name] = dict(zip(ratios, drawn, strict=True))
    except NothingToScoreError:
        # F1 of a file without duplicates, true or predicted, is undefined, and so is the average.
        return {}
    figures = {
        f"{PREFIX}/{task}/{metric}": drawn[:1]
        for task, metrics in scores.items()
        for metric, drawn in metrics.items()
    }
    groups = {task.task.name: task.task.group for task in outcomes.tasks}
    return {**figures, f"{PREFIX}/average": advglue_average(scores, groups)}


def _is_scored_so(outcomes: ReleaseOutcomes) -> bool:
    """Whether the release is AdvGLUE, or a task of it names a metric of AdvGLUE's beside accuracy."""
    is_asked = any("f1" in task.task.metrics for task in outcomes.tasks)
    return outcomes.manifest.imported_from == "advglue" or is_asked


def _ratios(outcomes: TaskOutcomes) -> dict[str, Ratio]:
    """Return the task's metrics, over the rows of all its splits."""
    splits = [rows for cell in outcomes.cells.values() for rows in cell.rows]
    if not splits:
        raise NothingToScoreError(f"no case of {outcomes.task.name}")
    true = np.concatenate([rows.labels for rows in splits])
    predicted = np.concatenate([rows.predictions for rows in splits])
    samples = np.concatenate([rows.samples for rows in splits])

    def summed(is_counted: Booleans) -> Numbers:
        return np.bincount(samples[is_counted], minlength=splits[0].n_samples).astype(np.float64)

    ratios = {"accuracy": Ratio(numerator=summed(true == predicted), denominator=summed(true >= 0))}
    if "f1" in outcomes.task.metrics:
        # Of the second label, as GLUE counts it: twice the hits over true and predicted ones.
        hits = 2 * summed((true == 1) & (predicted == 1))
        ratios["f1"] = Ratio(numerator=hits, denominator=summed(true == 1) + summed(predicted == 1))
    return ratios


ADVGLUE_AVERAGE = Metric(
    name="advglue-average",
    summary="mean of SST-2, QQP (accuracy and F1), QNLI, RTE and MNLI (matched and mismatched), as AdvGLUE",
    heading="AdvGLUE's average",
    in_terminal=False,
    release=_of_release,
)
