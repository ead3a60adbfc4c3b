"""Marks scores of several models: the highest, and those clearly below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from contract.schema.results import Aggregate, DegreeScore, Pair
from leaderboard.text.formatting import interval_text, percent

Mark = Literal["best", "behind", ""]


@dataclass(frozen=True, kw_only=True)
class MarkedFigure:
    """A score with its interval; `mark` is `best` for the highest, `behind` for one clearly below it."""

    text: str
    interval: str | None
    mark: Mark


@dataclass(frozen=True, kw_only=True)
class MarkedCell:
    """Both estimates of a model in one row of a table; empty if it was not scored."""

    average: MarkedFigure | None
    worst: MarkedFigure | None


def mark_pairs(pairs: Sequence[Pair | None]) -> tuple[MarkedCell, ...]:
    """Return the final scores of all models with their marks."""
    return _cells(
        [None if pair is None else pair.average for pair in pairs],
        [None if pair is None else pair.worst for pair in pairs],
    )


def mark_degrees(scores: Sequence[DegreeScore | None]) -> tuple[MarkedCell, ...]:
    """Return the scores of all models at one degree with their marks."""
    return _cells(
        [None if score is None else Aggregate(ewma=score.average, ci=score.average_ci) for score in scores],
        [None if score is None else Aggregate(ewma=score.worst, ci=score.worst_ci) for score in scores],
    )


def mark_figures(scores: Sequence[Aggregate | None]) -> tuple[MarkedFigure | None, ...]:
    """Return the scores of one row; `behind` means that the interval lies wholly below that of the highest.

    This test is stricter than one on paired draws, which results have for overall scores only: a score
    without a mark may be behind as well.
    """
    scored = [score for score in scores if score is not None]
    best = max(scored, key=lambda score: score.ewma, default=None)
    return tuple(
        None if score is None or best is None else _marked(score, best, len(scored)) for score in scores
    )


def _cells(
    averages: Sequence[Aggregate | None], worsts: Sequence[Aggregate | None]
) -> tuple[MarkedCell, ...]:
    return tuple(
        MarkedCell(average=average, worst=worst)
        for average, worst in zip(mark_figures(averages), mark_figures(worsts), strict=True)
    )


def _marked(score: Aggregate, best: Aggregate, n_scored: int) -> MarkedFigure:
    mark: Mark = ""
    if n_scored > 1 and score.ewma == best.ewma:
        mark = "best"
    elif score.ci is not None and best.ci is not None and score.ci[1] < best.ci[0]:
        mark = "behind"
    return MarkedFigure(text=percent(score.ewma), interval=interval_text(score.ci), mark=mark)
