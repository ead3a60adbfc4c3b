"""Zéroe's figures: what attackers leave of the clean accuracy, which harm most, and how far they go."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from contract.predictions.reading import ReleaseRows
from contract.schema.attackers import Attacker, Attackers, AttackLevel
from contract.schema.manifest import DimensionInfo, TaskInfo
from contract.schema.names import degree_key
from contract.schema.results import ScoreSettings
from evaluator.metrics.inputs import CellOutcomes, CleanOutcomes, TaskOutcomes
from evaluator.metrics.ratio import Numbers, Ratio
from evaluator.scoring.rounding import rounded, scored

SETTING = "rule"
# Two points always lie on a line.
FEWEST_POINTS = 3
Drawn = Callable[[TaskInfo, Sequence[Ratio]], list[Numbers]]


class _Point(NamedTuple):
    """A dimension at one degree."""

    dimension: str
    degree: float
    ratio: Ratio
    distance: float | None
    n_cases: int


def attackers_of(
    outcomes: TaskOutcomes, rows: ReleaseRows, drawn: Drawn, settings: ScoreSettings
) -> dict[str, Attackers]:
    """Return the figures of a task by group of dimensions; nothing where no degree is a probability."""
    if not outcomes.clean.is_right.any():
        # What is left of nothing is no figure.
        return {}
    groups: dict[str, list[_Point]] = {}
    for info in rows.release.manifest.dimensions:
        points = _points(info, outcomes, rows) if info.degree_kind == "probability" else []
        if points:
            groups.setdefault(info.group, []).extend(points)
    return {
        group: _attackers(
            points, drawn(outcomes.task, [point.ratio for point in points]), outcomes.clean, settings
        )
        for group, points in groups.items()
    }


def relative_accuracy(cell: CellOutcomes, column: int) -> Ratio:
    """Return s*(p) at a degree: what samples keep under attack over what is right when clean.

    The paper's attacked test set holds every sample, also those in which nothing could be attacked.
    """
    n_right, n_cases = cell.n_right[:, column], cell.n_cases[:, column]
    is_right = cell.clean.is_right.astype(np.float64)
    kept = np.divide(n_right, n_cases, out=is_right.copy(), where=n_cases > 0)
    return Ratio(numerator=kept * cell.clean.has_clean, denominator=is_right)


def _points(info: DimensionInfo, outcomes: TaskOutcomes, rows: ReleaseRows) -> list[_Point]:
    found = []
    for name, cell in outcomes.cells.items():
        if (name.dimension, name.setting) != (info.name, SETTING):
            continue
        for column, degree in enumerate(cell.degrees):
            n_cases = int(cell.n_cases[:, column].sum())
            if degree is not None and n_cases:
                distance = _distance(rows, outcomes.task.name, info.name, degree)
                found.append(_Point(info.name, degree, relative_accuracy(cell, column), distance, n_cases))
    return found


def _distance(rows: ReleaseRows, task: str, dimension: str, degree: float) -> float | None:
    """Return the mean edit distance of the cases of a degree, where the release tells it."""
    known = [
        (split.mean_edit_distance, split.rows)
        for split in rows.splits
        if (split.task, split.dimension, split.setting, split.degree) == (task, dimension, SETTING, degree)
    ]
    if any(distance is None for distance, _ in known):
        return None
    return sum(distance * n for distance, n in known if distance) / sum(n for _, n in known)


def _attackers(
    points: Sequence[_Point], drawn: Sequence[Numbers], clean: CleanOutcomes, settings: ScoreSettings
) -> Attackers:
    levels: dict[str, dict[float, AttackLevel]] = {}
    for point, numbers in zip(points, drawn, strict=True):
        # A draw without a sample that is right when clean has no figure.
        figure = scored(numbers[~np.isnan(numbers)], settings, is_fraction=False)
        levels.setdefault(point.dimension, {})[point.degree] = AttackLevel(
            relative=figure.value,
            relative_ci=figure.interval,
            edit_distance=None if point.distance is None else rounded(point.distance),
            n_cases=point.n_cases,
        )
    most_frequent = max(stop - start for start, stop in _bounds(clean))
    return Attackers(
        guessing=rounded(most_frequent / clean.is_right.sum()),
        attackers=tuple(
            Attacker(dimension=name, levels={degree_key(degree): own[degree] for degree in sorted(own)})
            for name, own in sorted(levels.items(), key=lambda item: _harm_order(item[1]))
        ),
        correlation=correlation([level for own in levels.values() for level in own.values()]),
    )


def _bounds(clean: CleanOutcomes) -> list[tuple[int, int]]:
    return [(where.start, where.stop) for where in clean.labels.values()]


def _harm_order(levels: Mapping[float, AttackLevel]) -> tuple[float, float]:
    """Return what sorts attackers by harm at the highest degree; one without it comes after those with it."""
    highest = max(levels)
    return -highest, levels[highest].relative


def correlation(levels: Sequence[AttackLevel]) -> float | None:
    """Return Pearson's correlation of edit distance and harm; None where it is not known of enough points."""
    points = [(level.edit_distance, 1 - level.relative) for level in levels]
    known = np.array([point for point in points if point[0] is not None], np.float64)
    if len(known) < FEWEST_POINTS or not known.std(axis=0).all():
        return None
    table = np.atleast_2d(np.corrcoef(known.T))
    return rounded(float(np.clip(table[0, 1], -1, 1)))
