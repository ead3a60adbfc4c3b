"""Scores as pages show them: per cent with one decimal, intervals and shades."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from contract.schema.estimates import RANKED_BY, Estimate, Estimated
from contract.schema.results import Aggregate, Interval, Pair, Result

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
    # The same with degrees weighted by how often people found their cases valid; empty if unknown.
    weighted: str = ""
    # The score without the attempts against the model's own family.
    without_own: str = ""

    @property
    def weighted_numbers(self) -> str:
        """The weighted scores without the names of their weights."""
        return " · ".join(part.split(" ")[0] for part in self.weighted.split(", "))


@dataclass(frozen=True, kw_only=True)
class TableCell(Estimated):
    """The average and the worst estimate of one score; empty where a model was not scored."""

    average: Figure | None = None
    worst: Figure | None = None


def overall_heading(estimate: Estimate) -> str:
    """Return what an overall score is called: the one that ranks, the headline, has a word of its own."""
    return "Robustness" if estimate == RANKED_BY else estimate.capitalize()


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
    aggregate: Aggregate | None,
    scale: HeatScale,
    *,
    weighted: str = "",
    without_own: float | None = None,
) -> Figure | None:
    """Return a score with its interval and shade."""
    if aggregate is None:
        return None
    return Figure(
        score=aggregate.ewma,
        text=percent(aggregate.ewma),
        interval=interval_text(aggregate.ci),
        heat=scale.step(aggregate.ewma),
        weighted=weighted,
        without_own="" if without_own is None else percent(without_own),
    )


def table_cell(pair: Pair | None, scale: HeatScale) -> TableCell:
    """Return both estimates with their shades."""
    if pair is None:
        return TableCell()
    return TableCell(average=figure(pair.average, scale), worst=figure(pair.worst, scale))


def clean_score(result: Result) -> float | None:
    """Return the mean clean score over the tasks that have clean rows."""
    if result.overall is not None:
        return result.overall.clean
    scores = [task.clean.score for task in result.tasks.values() if task.clean is not None]
    return fmean(scores) if scores else None
