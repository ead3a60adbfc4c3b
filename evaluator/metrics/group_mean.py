"""group mean: one figure for the tasks of a group, such as MNLI matched and mismatched in GLUE."""

from collections.abc import Mapping

import numpy as np

from evaluator.metrics.inputs import ReleaseOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.overall import overall_where
from evaluator.metrics.ratio import NothingToScoreError, Numbers


def group_means(scores: Mapping[str, float], groups: Mapping[str, str | None]) -> dict[str, float]:
    """Return the mean score of every group of two tasks or more; tasks without a group stand alone."""
    if not scores:
        raise NothingToScoreError("no task was scored")
    members: dict[str, list[float]] = {}
    for task, score in scores.items():
        group = groups.get(task)
        if group is not None:
            members.setdefault(group, []).append(score)
    return {group: sum(of_group) / len(of_group) for group, of_group in members.items() if len(of_group) > 1}


def _of_release(outcomes: ReleaseOutcomes) -> dict[str, Numbers]:
    """Return clean, average and worst of every group of tasks."""
    groups = {task.name: task.group for task in outcomes.manifest.tasks}
    by_task: dict[str, dict[str, float]] = {"clean": dict(outcomes.clean)}
    for estimate, scores in outcomes.estimates.items():
        points = {cell: score[:1] for cell, score in scores.items()}
        by_task[estimate] = {
            task: float(score[0])
            for task in groups
            if (score := overall_where(points, lambda cell: cell.task == task)) is not None  # noqa: B023
        }
    return {
        f"{group}/{name}": np.array([mean])
        for name, scores in by_task.items()
        if scores
        for group, mean in group_means(scores, groups).items()
    }


GROUP_MEAN = Metric(
    name="group-mean",
    summary="mean over the tasks of a group, as GLUE joins MNLI matched and mismatched",
    heading="Groups of tasks",
    in_terminal=False,
    release=_of_release,
)
