"""overall: the mean over tasks of random and attacked cases in equal parts, means over dimensions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from evaluator.metrics.inputs import Cell
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import NothingToScoreError, Numbers

Half = Literal["rule", "attacked", "imported"]
RULE: Half = "rule"
ATTACKED: Half = "attacked"
IMPORTED: Half = "imported"


def half_of(setting: str) -> Half:
    """Return which half of the headline a setting belongs to."""
    return RULE if setting == RULE else IMPORTED if setting == IMPORTED else ATTACKED


def halves_of(settings: Sequence[str]) -> tuple[Half, ...]:
    """Return the halves that the headline has: random and attacked cases; imported ones where neither is."""
    found = {half_of(setting) for setting in settings}
    halves = tuple(half for half in (RULE, ATTACKED) if half in found)
    return halves or ((IMPORTED,) if found else ())


def overall(scores: Mapping[Cell, Numbers]) -> Numbers:
    """Return the headline of the cells that it is about; the scores may be arrays of draws."""
    means = []
    for of_task in _grouped(scores, lambda cell: cell.task).values():
        halves = halves_of([cell.setting for cell in of_task])
        means.append(mean_of([_over_dimensions(of_task, half) for half in halves]))
    return mean_of(means)


def overall_where(scores: Mapping[Cell, Numbers], is_wanted: Callable[[Cell], bool]) -> Numbers | None:
    """Return the headline of some of the cells, or nothing when there is none."""
    wanted = {cell: score for cell, score in scores.items() if is_wanted(cell)}
    return overall(wanted) if wanted else None


def over_setting(scores: Mapping[Cell, Numbers], setting: str) -> Numbers | None:
    """Return the mean over tasks and dimensions of one setting, or of all attacked ones; nothing without."""
    wanted = {
        cell: score
        for cell, score in scores.items()
        if setting == cell.setting or (setting == ATTACKED and half_of(cell.setting) == ATTACKED)
    }
    if not wanted:
        return None
    by_task = _grouped(wanted, lambda cell: cell.task)
    return mean_of([_over_dimensions(of_task, half_of(setting)) for of_task in by_task.values()])


def mean_of(values: Sequence[Numbers]) -> Numbers:
    """Return the mean of scores, draw by draw."""
    if not values:
        raise NothingToScoreError("overall of no scores")
    return np.asarray(sum(values[1:], start=values[0]) / len(values))


def _over_dimensions(of_task: Mapping[Cell, Numbers], half: Half) -> Numbers:
    """Return the mean over dimensions of the mean over the settings of a half that each has."""
    of_half = {cell: score for cell, score in of_task.items() if half_of(cell.setting) == half}
    by_dimension = _grouped(of_half, lambda cell: cell.dimension)
    return mean_of([mean_of(list(settings.values())) for settings in by_dimension.values()])


def _grouped(scores: Mapping[Cell, Numbers], key: Callable[[Cell], str]) -> dict[str, dict[Cell, Numbers]]:
    groups: dict[str, dict[Cell, Numbers]] = {}
    for cell, score in scores.items():
        groups.setdefault(key(cell), {})[cell] = score
    return groups


OVERALL = Metric(
    name="overall",
    summary="mean over tasks of random and attacked cases in equal parts, each a mean over core dimensions",
    heading="Overall",
    over_cells=overall,
)
