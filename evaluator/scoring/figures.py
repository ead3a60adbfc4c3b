"""What the registered metrics make of outcomes, with the scores on every draw and their intervals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from contract.schema.results import ScoreSettings
from evaluator.metrics import METRICS
from evaluator.metrics.balanced_accuracy import BALANCED_ACCURACY
from evaluator.metrics.clean_score import CLEAN_SCORE
from evaluator.metrics.inputs import CellOutcomes, CleanOutcomes
from evaluator.metrics.ratio import Figure, NothingToScoreError, Numbers
from evaluator.scoring.draws import Bounds, draw_figures, filled, intervals

# The figures that one score for all degrees, and then the overall score, are made of.
ESTIMATES = ("average", "worst")
# Every draw must have a score of these.
_FINAL = (CLEAN_SCORE.key, BALANCED_ACCURACY.key, *ESTIMATES)


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnFigures:
    """Figures by key, with their intervals, and the scores of final ones on every draw."""

    figures: Mapping[str, Figure]
    # A row a draw; one without a sample to score has the score itself.
    drawn: Mapping[str, Numbers]
    # One for each column of the figure.
    bounds: Mapping[str, Sequence[Bounds | None]]

    def with_point(self, key: str) -> Numbers:
        """Return a final figure as rows: the score itself first, then the score on every draw."""
        values = self.figures[key].values()
        if None in values:
            raise NothingToScoreError("no sample to score")
        point = np.array([values], np.float64)
        return np.vstack([point, self.drawn[key]])


def clean_figures(outcomes: CleanOutcomes) -> dict[str, Figure]:
    """Return the figures of a task's clean rows, one column each."""
    figures = {metric.key: metric.clean(outcomes) for metric in METRICS.values() if metric.clean is not None}
    return _by_key(figures)


def cell_figures(cell: CellOutcomes) -> dict[str, Figure]:
    """Return the figures of a cell: a column a degree, low degrees first; curves have one column each."""
    figures = {metric.key: metric.degree(cell) for metric in METRICS.values() if metric.degree is not None}
    curves = {
        curve_key(metric.key, k): ratio
        for metric in METRICS.values()
        if metric.curve is not None
        for k, ratio in metric.curve(cell).items()
    }
    return {**_by_key(figures), **curves}


def _by_key(figures: Mapping[str, Figure | Mapping[str, Figure] | None]) -> dict[str, Figure]:
    """Return the figures that there are; of a metric that has several, each by key and name."""
    found: dict[str, Figure] = {}
    for key, figure in figures.items():
        if isinstance(figure, Mapping):
            found |= {"/".join(filter(None, [key, name])): own for name, own in figure.items()}
        elif figure is not None:
            found[key] = figure
    return found


def keys_of(key: str, figures: Mapping[str, Figure]) -> list[str]:
    """Return the keys of a metric's figures."""
    return [name for name in figures if name == key or name.startswith(f"{key}/")]


def curve_key(key: str, n_cases: int | str) -> str:
    """Return the key of a curve's figure at so many cases."""
    return f"{key}@{n_cases}"


def drawn_figures(
    groups: Sequence[Mapping[str, Figure]], weights: Iterator[Numbers], settings: ScoreSettings
) -> list[DrawnFigures]:
    """Return groups of figures with their draws and intervals."""
    drawn = draw_figures([list(group.values()) for group in groups], weights)
    return [
        _with_intervals(figures, dict(zip(figures, scores, strict=True)), settings)
        for figures, scores in zip(groups, drawn, strict=True)
    ]


def _with_intervals(
    figures: Mapping[str, Figure], drawn: Mapping[str, Numbers], settings: ScoreSettings
) -> DrawnFigures:
    final = {
        key: filled(scores, np.array([figures[key].values()], np.float64))
        for key, scores in drawn.items()
        if key in _FINAL
    }
    counted = {key: final.get(key, scores)[: settings.resamples] for key, scores in drawn.items()}
    # Of all figures together, which is faster than one after the other.
    bounds = iter(intervals(np.hstack(list(counted.values())), settings.confidence) if counted else [])
    return DrawnFigures(
        figures=figures,
        drawn=final,
        bounds={key: list(islice(bounds, scores.shape[1])) for key, scores in counted.items()},
    )
