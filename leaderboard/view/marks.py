"""Marks the figures of several models: the best, and those clearly behind it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from contract.schema.figures import Scored
from contract.schema.metrics import Better, MetricInfo
from contract.schema.results import Aggregate, DegreeScore, Pair
from leaderboard.text.formatting import percent

Mark = Literal["best", "behind", ""]


@dataclass(frozen=True, kw_only=True)
class MarkedFigure:
    """A figure with its interval; `mark` is `best` for the best, `behind` for one clearly behind it."""

    text: str
    interval: str | None = None
    mark: Mark = ""


@dataclass(frozen=True, kw_only=True)
class MarkedCell:
    """Both estimates of a model in one row of a table; empty if it was not scored."""

    average: MarkedFigure | None
    worst: MarkedFigure | None


def mark_pairs(pairs: Sequence[Pair | None]) -> tuple[MarkedCell, ...]:
    """Return the final scores of all models with their marks."""
    return _cells(
        [None if pair is None else scored(pair.average) for pair in pairs],
        [None if pair is None else scored(pair.worst) for pair in pairs],
    )


def mark_degrees(scores: Sequence[DegreeScore | None]) -> tuple[MarkedCell, ...]:
    """Return the scores of all models at one degree with their marks."""
    return _cells(
        [None if score is None else Scored(score.average, score.average_ci) for score in scores],
        [None if score is None else Scored(score.worst, score.worst_ci) for score in scores],
    )


def mark_scores(scores: Sequence[Scored | None]) -> tuple[MarkedFigure | None, ...]:
    """Return the scores of one row, in per cent, with their marks."""
    return _marked_row(scores, "higher", percent)


def mark_metric(figures: Sequence[Scored | None], info: MetricInfo) -> tuple[MarkedFigure | None, ...]:
    """Return the figures of one row in their metric's unit, with their marks."""
    marked = _marked_row(figures, info.better, info.shown)
    if info.with_interval:
        return marked
    return tuple(None if figure is None else replace(figure, interval=None) for figure in marked)


def scored(aggregate: Aggregate) -> Scored:
    """Return a final score as a figure."""
    return Scored(aggregate.ewma, aggregate.ci)


def _cells(averages: Sequence[Scored | None], worsts: Sequence[Scored | None]) -> tuple[MarkedCell, ...]:
    return tuple(
        MarkedCell(average=average, worst=worst)
        for average, worst in zip(mark_scores(averages), mark_scores(worsts), strict=True)
    )


def _marked_row(
    figures: Sequence[Scored | None], better: Better, shown: Callable[[float], str]
) -> tuple[MarkedFigure | None, ...]:
    present = [figure for figure in figures if figure is not None]
    if not present:
        return (None,) * len(figures)
    choose = max if better == "higher" else min
    best = choose(present, key=lambda figure: figure.value)
    return tuple(
        None
        if figure is None
        else MarkedFigure(
            text=shown(figure.value),
            interval=None if figure.interval is None else "–".join(map(shown, figure.interval)),
            mark=_mark(figure, best, better) if len(present) > 1 else "",
        )
        for figure in figures
    )


def _mark(figure: Scored, best: Scored, better: Better) -> Mark:
    """Return `behind` only if the whole interval is worse than that of the best.

    This test is stricter than one on paired draws, which results have for overall scores only: a figure
    without a mark may be behind as well.
    """
    if figure.value == best.value:
        return "best"
    if figure.interval is None or best.interval is None:
        return ""
    (low, high), (best_low, best_high) = figure.interval, best.interval
    return "behind" if (high < best_low if better == "higher" else low > best_high) else ""
