"""AdvGLUE's average: the mean over tasks of the mean of their metrics, MNLI's two parts joined to one."""

from collections.abc import Mapping

import numpy as np

from evaluator.metrics.metric import Metric, NothingToScoreError, Numbers

ADVGLUE_AVERAGE = Metric(
    name="advglue-average",
    summary="mean of SST-2, QQP (accuracy and F1), QNLI, RTE and MNLI (matched and mismatched), as AdvGLUE",
    scope="release",
)


def advglue_average(scores: Mapping[str, Mapping[str, Numbers]], groups: Mapping[str, str | None]) -> Numbers:
    """Return the average of each task's metrics; the tasks of a group count as one, draws stay apart."""
    if not scores:
        raise NothingToScoreError("AdvGLUE's average of no task")
    members: dict[str, list[Numbers]] = {}
    for task, metrics in scores.items():
        of_task = np.mean([np.asarray(score) for score in metrics.values()], axis=0)
        members.setdefault(groups.get(task) or task, []).append(of_task)
    return np.asarray(np.mean([np.mean(found, axis=0) for found in members.values()], axis=0))
