"""The scores of one task: clean, then every dimension and setting, with their draws."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contract.schema.figures import Scored
from contract.schema.manifest import Manifest
from contract.schema.names import degree_key
from contract.schema.results import DegreeScore, ScoreSettings, SettingScore, TaskScore
from contract.schema.validity_weights import ValidityWeights
from evaluator.metrics import METRICS
from evaluator.metrics.clean_score import CLEAN_SCORE
from evaluator.metrics.ewma import EWMA
from evaluator.metrics.inputs import Cell, CellOutcomes, DegreeScores, TaskOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Figure, Numbers, Ratio
from evaluator.metrics.worst_at_k import WORST_AT_K
from evaluator.scoring import transferable
from evaluator.scoring.degree_scores import clean_score, most_hurt_label, score_degrees
from evaluator.scoring.figures import (
    ESTIMATES,
    DrawnFigures,
    cell_figures,
    clean_figures,
    curve_key,
    drawn_figures,
)
from evaluator.scoring.overall_scores import CellScores, key_over_degrees
from evaluator.scoring.rounding import aggregate, as_metrics, fraction, rounded, rounded_bounds, scored

NO_CASE = "no case was frozen"


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoredTask:
    """A task's scores, with its clean score and the final scores of its cells on every draw."""

    task: TaskScore
    clean: Numbers | None
    cells: dict[Cell, CellScores]


def score_task(
    outcomes: TaskOutcomes,
    settings: ScoreSettings,
    draws: Iterator[Numbers],
    weights: Sequence[ValidityWeights] = (),
) -> ScoredTask:
    """Return all scores of a task; `draws` are blocks of how often each sample is drawn."""
    groups = [cell_figures(cell) for cell in outcomes.cells.values()]
    has_clean = bool(outcomes.clean.has_clean.any())
    if has_clean:
        groups.append(clean_figures(outcomes.clean))
    drawn = drawn_figures(groups, draws, settings)
    of_clean = drawn.pop() if has_clean else None
    dimensions: dict[str, dict[str, SettingScore]] = {}
    cells: dict[Cell, CellScores] = {}
    for (name, cell), figures in zip(outcomes.cells.items(), drawn, strict=True):
        validity = {one.name: of_dimension for one in weights if (of_dimension := one.of(name.dimension))}
        scores = _final_scores(cell, figures, settings, validity)
        degrees = score_degrees(cell, figures)
        dimensions.setdefault(name.dimension, {})[name.setting] = _setting_score(
            cell, degrees, figures, scores, settings
        )
        if scores is not None:
            cells[name] = scores
    return ScoredTask(
        task=TaskScore(
            kind=outcomes.task.kind,
            clean=None if of_clean is None else clean_score(outcomes.clean, of_clean),
            mean=outcomes.clean.mean,
            dimensions=dimensions,
        ),
        clean=None if of_clean is None else of_clean.with_point(CLEAN_SCORE.key)[:, 0],
        cells=cells,
    )


def with_empty_cells(score: TaskScore, name: str, manifest: Manifest) -> TaskScore:
    """Return a task's scores with a word on every dimension and setting of which the release has no case."""
    dimensions = {dimension: dict(settings) for dimension, settings in score.dimensions.items()}
    for dimension, setting in manifest.empty_cells(name):
        empty = SettingScore(degrees={}, degrees_used=(), average=None, worst=None, not_scored=NO_CASE)
        dimensions.setdefault(dimension, {})[setting] = empty
    return score.model_copy(update={"dimensions": dimensions})


def _final_scores(
    cell: CellOutcomes,
    figures: DrawnFigures,
    settings: ScoreSettings,
    validity: Mapping[str, Mapping[float, float]],
) -> CellScores | None:
    """Return one score for all used degrees, for the score itself and for every draw."""
    if not cell.is_scored:
        return None
    scores: dict[tuple[Metric, str], dict[str, Numbers]] = {}
    for estimate in ESTIMATES:
        by_degree = DegreeScores(
            degrees=tuple(cell.degrees[column] for column in cell.used),
            scores=figures.with_point(estimate)[:, list(cell.used)].T,
            settings=settings,
            validity=validity,
        )
        for metric in METRICS.values():
            if metric.over_degrees is None:
                continue
            over_degrees = metric.over_degrees(by_degree)
            if over_degrees is None:
                continue
            by_name = over_degrees if isinstance(over_degrees, Mapping) else {"": over_degrees}
            for name, score in by_name.items():
                scores.setdefault((metric, name), {})[estimate] = score
    return CellScores(**scores.pop((EWMA, "")), others=scores)


def _setting_score(
    cell: CellOutcomes,
    degrees: dict[str, DegreeScore],
    figures: DrawnFigures,
    scores: CellScores | None,
    settings: ScoreSettings,
) -> SettingScore:
    of_tier = transferable.of_cell(cell)
    if scores is None:
        return SettingScore(
            degrees=degrees,
            degrees_used=(),
            average=None,
            worst=None,
            not_scored=_why_not(cell),
            transferable=of_tier,
        )
    fields, figures_without_field = _curves(figures)
    for (metric, name), by_estimate in scores.others.items():
        for estimate, drawn in by_estimate.items():
            key = key_over_degrees(metric, name, estimate)
            figures_without_field[key] = scored(drawn, settings, is_fraction=metric.is_fraction)
    return SettingScore(
        degrees=degrees,
        degrees_used=tuple(degree_key(cell.degrees[column]) for column in cell.used),
        average=aggregate(scores.average, settings),
        worst=aggregate(scores.worst, settings),
        most_hurt_label=most_hurt_label(cell, figures),
        transferable=of_tier,
        **fields,
        **as_metrics(figures_without_field),
    )


def _why_not(cell: CellOutcomes) -> str:
    """Return why there is no score for all degrees."""
    if not cell.clean.labels:
        return "the task has no clean samples"
    if not cell.clean.has_labels:
        return "a score needs clean samples of two labels"
    return "no degree at which a tenth of the clean samples have a case"


def _curves(drawn: DrawnFigures) -> tuple[dict[str, Any], dict[str, Scored]]:
    """Return the fields that hold worst@K, and the figures of other curves, which have none."""
    curves = {
        metric: [key for key in drawn.figures if key.startswith(curve_key(metric.key, ""))]
        for metric in METRICS.values()
        if metric.curve is not None
    }
    figures = {
        key: Scored(value, rounded_bounds(drawn.bounds[key][0], is_fraction=metric.is_fraction))
        for metric, keys in curves.items()
        for key in keys
        if (value := _curve_value(drawn.figures[key], metric)) is not None
    }
    own = {key: key.partition("@")[2] for key in curves.get(WORST_AT_K, [])}
    fields: dict[str, Any] = {
        "worst_at_k": {k: figures[key].value for key, k in own.items()},
        "worst_at_k_ci": {k: bounds for key, k in own.items() if (bounds := figures[key].interval)},
        "worst_at_k_samples": {
            k: int(ratio.denominator.sum())
            for key, k in own.items()
            if isinstance(ratio := drawn.figures[key], Ratio)
        },
    }
    return fields, {key: figure for key, figure in figures.items() if key not in own}


def _curve_value(figure: Figure, metric: Metric) -> float | None:
    (value,) = figure.values()
    if value is None:
        return None
    return fraction(value) if metric.is_fraction else rounded(value)
