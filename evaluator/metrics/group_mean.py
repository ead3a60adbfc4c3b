"""group mean: one figure for the tasks of a group, such as MNLI matched and mismatched in GLUE."""

from collections.abc import Mapping

from evaluator.metrics.metric import Metric, NothingToScoreError

GROUP_MEAN = Metric(
    name="group-mean",
    summary="mean over the tasks of a group, as GLUE joins MNLI matched and mismatched",
    scope="release",
)


def group_means(scores: Mapping[str, float], groups: Mapping[str, str | None]) -> dict[str, float]:
    """Return the mean score of every group of two tasks or more; tasks without a group stand alone."""
    if not scores:
        raise NothingToScoreError("no task was scored")
    members: dict[str, list[float]] = {}
    for task, score in scores.items():
        group = groups.get(task)
        if group is not None:
            members.setdefault(group, []).append(score)
    return {group: sum(found) / len(found) for group, found in members.items() if len(found) > 1}
