"""Scores of several models in a row: which leads, and which are clearly behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from contract.schema.results import Aggregate, DegreeScore, Pair
from leaderboard.text.formatting import interval_text, percent

Mark = Literal["best", "behind", ""]


@dataclass(frozen=True, kw_only=True)
class MarkedFigure:
    """A score with its interval; `mark` says whether it leads or is clearly behind the one that does."""

    text: str
    interval: str | None
    mark: Mark


@dataclass(frozen=True, kw_only=True)
class MarkedCell:
    """Both estimates of a model in one row of a table; empty where it was not scored."""

    average: MarkedFigure | None
    worst: MarkedFigure | None


def mark_pairs(pairs: Sequence[Pair | None]) -> tuple[MarkedCell, ...]:
    """Return the final scores of each model, marked among each other."""
    return _cells(
        [None if pair is None else pair.average for pair in pairs],
        [None if pair is None else pair.worst for pair in pairs],
    )


def mark_degrees(scores: Sequence[DegreeScore | None]) -> tuple[MarkedCell, ...]:
    """Return the scores of each model at one degree, marked among each other."""
    return _cells(
        [None if score is None else Aggregate(ewma=score.average, ci=score.average_ci) for score in scores],
        [None if score is None else Aggregate(ewma=score.worst, ci=score.worst_ci) for score in scores],
    )


def mark_figures(scores: Sequence[Aggregate | None]) -> tuple[MarkedFigure | None, ...]:
    """Return the scores of one row; behind is one whose interval lies wholly below that of the leader.

    Such a test is stricter than one on pairs of draws, which results carry for overall scores only: what is
    marked is behind, what is not marked may be.
    """
    known = [score for score in scores if score is not None]
    best = max(known, key=lambda score: score.ewma, default=None)
    return tuple(
        None if score is None or best is None else _marked(score, best, len(known)) for score in scores
    )


def _cells(
    averages: Sequence[Aggregate | None], worsts: Sequence[Aggregate | None]
) -> tuple[MarkedCell, ...]:
    return tuple(
        MarkedCell(average=average, worst=worst)
        for average, worst in zip(mark_figures(averages), mark_figures(worsts), strict=True)
    )


def _marked(score: Aggregate, best: Aggregate, n_known: int) -> MarkedFigure:
    mark: Mark = ""
    if n_known > 1 and score.ewma == best.ewma:
        mark = "best"
    elif score.ci is not None and best.ci is not None and score.ci[1] < best.ci[0]:
        mark = "behind"
    return MarkedFigure(text=percent(score.ewma), interval=interval_text(score.ci), mark=mark)
