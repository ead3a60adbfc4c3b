"""Marks the figures of several models: the best, and those clearly behind it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from contract.schema.figures import Scored
from contract.schema.metrics import Better, MetricInfo
from contract.schema.results import Aggregate, DegreeScore, Interval, Pair
from leaderboard.text.formatting import percent

Mark = Literal["best", "behind", ""]
# The places of models without a rank: they are neither the best nor behind it.
Places = frozenset[int]
NOBODY: Places = frozenset()


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


def mark_pairs(pairs: Sequence[Pair | None], unranked: Places = NOBODY) -> tuple[MarkedCell, ...]:
    """Return the final scores of all models with their marks."""
    return _cells(
        [None if pair is None else scored(pair.average) for pair in pairs],
        [None if pair is None else scored(pair.worst) for pair in pairs],
        unranked,
    )


def mark_degrees(scores: Sequence[DegreeScore | None], unranked: Places = NOBODY) -> tuple[MarkedCell, ...]:
    """Return the scores of all models at one degree with their marks."""
    return _cells(
        [None if score is None else _known(score.average, score.average_ci) for score in scores],
        [None if score is None else _known(score.worst, score.worst_ci) for score in scores],
        unranked,
    )


def mark_scores(
    scores: Sequence[Scored | None], unranked: Places = NOBODY
) -> tuple[MarkedFigure | None, ...]:
    """Return the scores of one row, in per cent, with their marks."""
    return _marked_row(scores, "higher", percent, unranked)


def mark_metric(
    figures: Sequence[Scored | None], info: MetricInfo, unranked: Places = NOBODY
) -> tuple[MarkedFigure | None, ...]:
    """Return the figures of one row in their metric's unit, with their marks."""
    marked = _marked_row(figures, info.better, info.shown, unranked)
    if info.with_interval:
        return marked
    return tuple(None if figure is None else replace(figure, interval=None) for figure in marked)


def scored(aggregate: Aggregate) -> Scored:
    """Return a final score as a figure."""
    return Scored(aggregate.ewma, aggregate.ci)


def _known(value: float | None, interval: Interval | None) -> Scored | None:
    return None if value is None else Scored(value, interval)


def _cells(
    averages: Sequence[Scored | None], worsts: Sequence[Scored | None], unranked: Places
) -> tuple[MarkedCell, ...]:
    return tuple(
        MarkedCell(average=average, worst=worst)
        for average, worst in zip(mark_scores(averages, unranked), mark_scores(worsts, unranked), strict=True)
    )


def _marked_row(
    figures: Sequence[Scored | None], better: Better, shown: Callable[[float], str], unranked: Places
) -> tuple[MarkedFigure | None, ...]:
    rivals = [figure for place, figure in enumerate(figures) if figure is not None and place not in unranked]
    choose = max if better == "higher" else min
    best = choose(rivals, key=lambda figure: figure.value) if len(rivals) > 1 else None
    return tuple(
        None
        if figure is None
        else MarkedFigure(
            text=shown(figure.value),
            interval=None if figure.interval is None else "–".join(map(shown, figure.interval)),
            mark="" if best is None or place in unranked else _mark(figure, best, better),
        )
        for place, figure in enumerate(figures)
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
