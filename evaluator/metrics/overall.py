"""overall: the mean over tasks of the mean over settings of the mean over dimensions."""

from collections.abc import Callable, Mapping

import numpy as np

from evaluator.metrics.inputs import Cell
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import NothingToScoreError, Numbers


def overall(scores: Mapping[Cell, Numbers]) -> Numbers:
    """Return the overall score; the scores may be arrays of draws."""
    by_task = _grouped(scores, lambda cell: cell.task)
    means = []
    for of_task in by_task.values():
        by_setting = _grouped(of_task, lambda cell: cell.setting)
        means.append(_mean([_mean(list(of_setting.values())) for of_setting in by_setting.values()]))
    return _mean(means)


def overall_where(scores: Mapping[Cell, Numbers], is_wanted: Callable[[Cell], bool]) -> Numbers | None:
    """Return the overall score of some of the cells, or nothing when there is none."""
    wanted = {cell: score for cell, score in scores.items() if is_wanted(cell)}
    return overall(wanted) if wanted else None


def _grouped(scores: Mapping[Cell, Numbers], key: Callable[[Cell], str]) -> dict[str, dict[Cell, Numbers]]:
    groups: dict[str, dict[Cell, Numbers]] = {}
    for cell, score in scores.items():
        groups.setdefault(key(cell), {})[cell] = score
    return groups


def _mean(values: list[Numbers]) -> Numbers:
    if not values:
        raise NothingToScoreError("overall of no scores")
    return np.asarray(sum(values[1:], start=values[0]) / len(values))


OVERALL = Metric(
    name="overall",
    summary="mean over tasks of the mean over settings of the mean over dimensions of the EWMA scores",
    heading="Overall",
    over_cells=overall,
)
