"""The scores of one task: clean, then every dimension and setting, with their draws."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from contract.schema.manifest import Manifest
from contract.schema.results import CleanScore, DegreeScore, ScoreSettings, SettingScore, TaskScore
from evaluator.metrics.ewma import ewma_over
from evaluator.metrics.metric import NothingToScoreError, Numbers
from evaluator.metrics.overall import Cell
from evaluator.metrics.validity_weighted import validity_weighted
from evaluator.scoring.bootstrap import Draws, drawn_scores
from evaluator.scoring.cell_terms import CURVE, Answers, Figures, cell_terms, clean_terms, figures_of
from evaluator.scoring.degree_scoring import key_of, metric_intervals, row_metrics, score_degrees
from evaluator.scoring.headline import CellScores
from evaluator.scoring.outcomes import CellOutcomes, TaskOutcomes
from evaluator.scoring.rounding import aggregate, fraction, fraction_bounds, fraction_interval
from evaluator.scoring.validity import ValidityWeights

NO_CASE = "no case was frozen"


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoredTask:
    """A task's scores, with its clean score and the final scores of its cells on every draw."""

    task: TaskScore
    clean: Numbers | None
    cells: dict[Cell, CellScores]


def score_task(
    outcomes: TaskOutcomes,
    answers: Answers,
    settings: ScoreSettings,
    draws: Draws,
    weights: ValidityWeights | None = None,
) -> ScoredTask:
    """Return all scores of a task."""
    drawn = _drawn_figures(outcomes, answers, settings, draws)
    clean = drawn.pop() if outcomes.has_clean.any() else None
    dimensions: dict[str, dict[str, SettingScore]] = {}
    cells: dict[Cell, CellScores] = {}
    for (name, cell), figures in zip(outcomes.cells.items(), drawn, strict=True):
        scores = _final_scores(name, cell, figures, settings, weights)
        degrees = score_degrees(outcomes, cell, figures, answers, settings)
        score = _setting_score(cell, degrees, figures, scores, settings)
        dimensions.setdefault(name.dimension, {})[name.setting] = score
        if scores is not None:
            cells[name] = scores
    return ScoredTask(
        task=TaskScore(
            clean=None if clean is None else _clean_score(outcomes, clean, answers, settings),
            dimensions=dimensions,
        ),
        clean=None if clean is None else clean.with_point("accuracy")[:, 0],
        cells=cells,
    )


def _drawn_figures(
    outcomes: TaskOutcomes, answers: Answers, settings: ScoreSettings, draws: Draws
) -> list[Figures]:
    """Return the figures of every cell and then, where they are known, those of the clean rows."""
    cells = list(outcomes.cells.values())
    groups = [
        cell_terms(outcomes, cell, answers, _used(cell, settings), settings.min_samples) for cell in cells
    ]
    row_ranges = [list(cell.row_ranges) for cell in cells]
    if outcomes.has_clean.any():
        groups.append(clean_terms(outcomes, answers))
        row_ranges.append([outcomes.clean_rows])

    def weights() -> Iterator[Numbers]:
        return draws.weights(outcomes.task.name, len(outcomes.has_clean))

    drawn = drawn_scores([list(group.values()) for group in groups], weights())
    aurocs = iter(answers.auroc_draws(outcomes.task, list(chain(*row_ranges)), weights()))
    return [
        figures_of(terms, scores, settings, len(ranges), list(islice(aurocs, len(ranges))))
        for terms, scores, ranges in zip(groups, drawn, row_ranges, strict=True)
    ]


def with_empty_cells(score: TaskScore, name: str, manifest: Manifest) -> TaskScore:
    """Return a task's scores with a word on every dimension and setting of which the release has no case."""
    dimensions = {dimension: dict(settings) for dimension, settings in score.dimensions.items()}
    for dimension, setting in manifest.empty_cells(name):
        empty = SettingScore(degrees={}, degrees_used=(), average=None, worst=None, not_scored=NO_CASE)
        dimensions.setdefault(dimension, {})[setting] = empty
    return score.model_copy(update={"dimensions": dimensions})


def _clean_score(
    outcomes: TaskOutcomes, figures: Figures, answers: Answers, settings: ScoreSettings
) -> CleanScore:
    rows = outcomes.clean_rows
    n_of_label = np.bincount(answers.labels[rows.start : rows.stop])
    accuracy = figures.with_point("accuracy")[:, 0]
    metrics = row_metrics(outcomes.task, rows, answers)
    return CleanScore(
        accuracy=fraction(accuracy[0]),
        best_constant=fraction(n_of_label.max() / n_of_label.sum()),
        ci=fraction_interval(accuracy, settings),
        n_samples=int(outcomes.has_clean.sum()),
        metrics=metrics,
        metrics_ci=metric_intervals(metrics, figures, 0),
    )


def _used(cell: CellOutcomes, settings: ScoreSettings) -> list[int]:
    """Return the columns of the degrees that count; the manifest decides, the same for all models."""
    return [
        column for column, split in enumerate(cell.splits) if split.samples >= max(settings.min_samples, 1)
    ]


def _setting_score(
    cell: CellOutcomes,
    degrees: dict[str, DegreeScore],
    figures: Figures,
    scores: CellScores | None,
    settings: ScoreSettings,
) -> SettingScore:
    if scores is None:
        reason = f"no degree has {settings.min_samples} samples"
        return SettingScore(degrees=degrees, degrees_used=(), average=None, worst=None, not_scored=reason)
    curve = {name.removeprefix(CURVE): name for name in figures.terms if name.startswith(CURVE)}
    bounds = {k: fraction_bounds(figures.bounds[name][0]) for k, name in curve.items()}
    return SettingScore(
        degrees=degrees,
        degrees_used=tuple(key_of(cell.splits[column].degree) for column in _used(cell, settings)),
        average=aggregate(scores.average, settings),
        worst=aggregate(scores.worst, settings),
        worst_at_k={k: fraction(float(figures.terms[name].value())) for k, name in curve.items()},
        worst_at_k_ci={k: interval for k, interval in bounds.items() if interval is not None},
        worst_at_k_samples={k: int(figures.terms[name].below.sum()) for k, name in curve.items()},
    )


def _final_scores(
    name: Cell,
    cell: CellOutcomes,
    figures: Figures,
    settings: ScoreSettings,
    weights: ValidityWeights | None,
) -> CellScores | None:
    """Return one score for all used degrees, for the score itself and for every draw."""
    used = _used(cell, settings)
    if not used:
        return None
    of_dimension = None if weights is None else weights.of(name.dimension)
    degrees = [cell.splits[column].degree for column in used]

    def over_degrees(scores: Numbers) -> Numbers:
        if degrees == [None]:
            # A split without degrees is its own score.
            return np.asarray(scores[:, used[0]])
        return ewma_over(scores[:, used].T[::-1], beta=settings.beta, start=settings.ewma_start)

    def by_validity(scores: Numbers) -> Numbers | None:
        known = [degree for degree in degrees if degree is not None]
        if of_dimension is None or len(known) < len(degrees):
            return None
        try:
            return validity_weighted(scores[:, used].T, known, of_dimension)
        except NothingToScoreError:
            return None

    average, worst = figures.with_point("average"), figures.with_point("worst")
    return CellScores(
        average=over_degrees(average),
        worst=over_degrees(worst),
        valid_average=by_validity(average),
        valid_worst=by_validity(worst),
    )
