"""Scores as pages show them: per cent with one decimal, intervals, shades, and means over cells."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from contract.schema.results import Aggregate, Interval, Pair, Result, SettingScore

HEAT_STEPS = 9
NO_FIGURE = "–"


@dataclass(frozen=True, kw_only=True)
class HeatScale:
    """Maps scores between two round bounds to shades, the same for a whole table."""

    low: float
    high: float

    def step(self, score: float) -> int:
        """Return the shade of a score, 0 for the lightest."""
        share = (score - self.low) / (self.high - self.low)
        return min(HEAT_STEPS - 1, max(0, math.floor(share * HEAT_STEPS)))


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One score as a table shows it."""

    score: float
    text: str
    interval: str | None
    heat: int
    # The score without the cases that were made against the model's own family.
    without_own: str = ""


@dataclass(frozen=True, kw_only=True)
class TableCell:
    """The average and the worst estimate of one score; empty where a model was not scored."""

    average: Figure | None = None
    worst: Figure | None = None


def percent(score: float | None) -> str:
    """Return a fraction as per cent with one decimal."""
    return NO_FIGURE if score is None else f"{100 * score:.1f}"


def interval_text(interval: Interval | None) -> str | None:
    """Return a confidence interval in per cent, or None."""
    return None if interval is None else f"{100 * interval[0]:.1f}–{100 * interval[1]:.1f}"


def heat_scale(scores: Iterable[float]) -> HeatScale:
    """Return the scale that spans the scores, widened to steps of five per cent."""
    spanned = list(scores) or [0.0, 1.0]
    low = math.floor(min(spanned) * 20) / 20
    high = math.ceil(max(spanned) * 20) / 20
    return HeatScale(low=low, high=high if high > low else low + 0.05)


def figure(
    aggregate: Aggregate | None, scale: HeatScale, *, without_own: float | None = None
) -> Figure | None:
    """Return a score with its interval and shade."""
    if aggregate is None:
        return None
    return Figure(
        score=aggregate.ewma,
        text=percent(aggregate.ewma),
        interval=interval_text(aggregate.ci),
        heat=scale.step(aggregate.ewma),
        without_own="" if without_own is None else percent(without_own),
    )


def table_cell(pair: Pair | None, scale: HeatScale) -> TableCell:
    """Return both estimates with their shades."""
    if pair is None:
        return TableCell()
    return TableCell(average=figure(pair.average, scale), worst=figure(pair.worst, scale))


def coverage_of(results: Sequence[Result]) -> dict[str, set[tuple[str, str]]]:
    """Return for each dimension the tasks and settings of its cells in which any result was scored."""
    coverage: dict[str, set[tuple[str, str]]] = {}
    for result in results:
        for task, score in result.tasks.items():
            for dimension, settings in score.dimensions.items():
                scored = {(task, setting) for setting, value in settings.items() if value.average is not None}
                coverage.setdefault(dimension, set()).update(scored)
    return coverage


def dimension_pairs(result: Result, coverage: Mapping[str, set[tuple[str, str]]]) -> dict[str, Pair]:
    """Return a result's score in each dimension; of a partial result, only where it has every cell."""
    if result.overall is not None:
        return dict(result.overall.dimensions)
    pairs = {}
    for dimension, cells in coverage.items():
        scores = [_pair_of_cell(result, task, dimension, setting) for task, setting in sorted(cells)]
        complete = [score for score in scores if score is not None]
        # A mean over fewer cells could not be compared with those of other models.
        if cells and len(complete) == len(cells):
            pairs[dimension] = _mean_pair(complete)
    return pairs


def clean_accuracy(result: Result) -> float | None:
    """Return the mean clean accuracy over the tasks that have clean rows."""
    if result.overall is not None:
        return result.overall.clean
    accuracies = [task.clean.accuracy for task in result.tasks.values() if task.clean is not None]
    return fmean(accuracies) if accuracies else None


def pair_of(score: SettingScore) -> Pair | None:
    """Return both estimates of a cell (task × dimension × setting), or None if it was not scored."""
    if score.average is None or score.worst is None:
        return None
    return Pair(average=score.average, worst=score.worst)


def _pair_of_cell(result: Result, task: str, dimension: str, setting: str) -> Pair | None:
    scores = result.tasks[task].dimensions.get(dimension, {}) if task in result.tasks else {}
    return pair_of(scores[setting]) if setting in scores else None


def _mean_pair(pairs: Sequence[Pair]) -> Pair:
    return Pair(
        average=Aggregate(ewma=fmean(pair.average.ewma for pair in pairs)),
        worst=Aggregate(ewma=fmean(pair.worst.ewma for pair in pairs)),
    )
