"""Figures as a result holds them: in a field where the result has one for a metric, else among `metrics`."""

from typing import Any

import numpy as np

from contract.schema.names import degree_key
from contract.schema.results import CleanScore, DegreeScore, ScoreSettings
from evaluator.metrics import METRICS
from evaluator.metrics.attack_success_rate import ATTACK_SUCCESS_RATE
from evaluator.metrics.clean_accuracy import CLEAN_ACCURACY
from evaluator.metrics.inputs import CellOutcomes, CleanOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Ratio
from evaluator.scoring.draws import Bounds
from evaluator.scoring.figures import DrawnFigures
from evaluator.scoring.rounding import fraction, fraction_interval, rounded, rounded_bounds

_CLEAN_FIELDS = {CLEAN_ACCURACY.key: ("accuracy", "ci")}
_DEGREE_FIELDS = {key: (key, f"{key}_ci") for key in DegreeScore.model_fields}


def clean_score(outcomes: CleanOutcomes, drawn: DrawnFigures, settings: ScoreSettings) -> CleanScore:
    """Return the scores of a task's clean rows."""
    n_of_label = np.bincount(outcomes.rows.labels)
    (fields,) = _columns(drawn, 1, _CLEAN_FIELDS, settings)
    return CleanScore(
        best_constant=fraction(n_of_label.max() / n_of_label.sum()),
        n_samples=int(outcomes.has_clean.sum()),
        **fields,
    )


def score_degrees(cell: CellOutcomes, drawn: DrawnFigures, settings: ScoreSettings) -> dict[str, DegreeScore]:
    """Return the scores at each degree, low degrees first."""
    columns = _columns(drawn, len(cell.splits), _DEGREE_FIELDS, settings)
    n_attacked = _n_attacked(cell, drawn)
    return {
        degree_key(split.degree): DegreeScore(
            n_attacked=n_attacked[column],
            mean_realised_degree=split.mean_realised_degree,
            n_samples=int((cell.n_cases[:, column] > 0).sum()),
            n_cases=int(cell.n_cases[:, column].sum()),
            **columns[column],
        )
        for column, split in enumerate(cell.splits)
    }


def _n_attacked(cell: CellOutcomes, drawn: DrawnFigures) -> list[int | None]:
    """Return how many samples each degree's attack success rate is about, none without clean predictions."""
    figure = drawn.figures.get(ATTACK_SUCCESS_RATE.key)
    if not isinstance(figure, Ratio) or not cell.clean.has_clean.any():
        return [None] * len(cell.splits)
    return [int(n_samples) for n_samples in figure.denominator.sum(axis=0)]


def _columns(
    drawn: DrawnFigures, n_columns: int, fields: dict[str, tuple[str, str]], settings: ScoreSettings
) -> list[dict[str, Any]]:
    """Return for each column the fields of a score: figures, intervals, and those without a field."""
    columns: list[dict[str, Any]] = [{"metrics": {}, "metrics_ci": {}} for _ in range(n_columns)]
    for metric in METRICS.values():
        if metric.key not in drawn.figures:
            continue
        values = drawn.figures[metric.key].values()
        bounds = _bounds(metric, drawn, n_columns, settings)
        for column, value, interval in zip(columns, values, bounds, strict=True):
            score = None if value is None else _rounded(value, metric)
            if metric.key in fields:
                name, name_of_interval = fields[metric.key]
                column |= {name: score, name_of_interval: interval}
            elif score is not None:
                column["metrics"][metric.key] = score
                if interval is not None:
                    column["metrics_ci"][metric.key] = interval
    return columns


def _rounded(value: float, metric: Metric) -> float:
    return fraction(value) if metric.is_fraction else rounded(value)


def _bounds(
    metric: Metric, drawn: DrawnFigures, n_columns: int, settings: ScoreSettings
) -> list[Bounds | None]:
    """Return the interval of each column."""
    if metric.key in drawn.drawn:
        scores = drawn.with_point(metric.key)
        return [fraction_interval(scores[:, column], settings) for column in range(n_columns)]
    return [rounded_bounds(bounds, is_fraction=metric.is_fraction) for bounds in drawn.bounds[metric.key]]
