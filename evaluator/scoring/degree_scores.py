"""Figures as a result holds them: in a field where the result has one for a metric, else among `metrics`."""

from typing import Any

import numpy as np

from contract.schema.names import degree_key
from contract.schema.results import CleanScore, DegreeScore, LabelRecall
from evaluator.metrics import METRICS
from evaluator.metrics.attack_success_rate import ATTACK_SUCCESS_RATE
from evaluator.metrics.balanced_accuracy import BALANCED_ACCURACY
from evaluator.metrics.clean_accuracy import CLEAN_ACCURACY
from evaluator.metrics.clean_score import CLEAN_SCORE
from evaluator.metrics.inputs import CellOutcomes, CleanOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Ratio
from evaluator.metrics.recall import RecallFigure
from evaluator.metrics.units import UnitFigure
from evaluator.scoring import transferable
from evaluator.scoring.draws import Bounds
from evaluator.scoring.figures import ESTIMATES, DrawnFigures, keys_of
from evaluator.scoring.rounding import fraction, rounded, rounded_bounds

_CLEAN_FIELDS = {
    CLEAN_ACCURACY.key: ("accuracy", "ci"),
    CLEAN_SCORE.key: ("score", "score_ci"),
    BALANCED_ACCURACY.key: ("balanced", "balanced_ci"),
}
# The figures that have a row for each label.
_OF_LABELS = (RecallFigure, UnitFigure)
_DEGREE_FIELDS = {key: (key, f"{key}_ci") for key in DegreeScore.model_fields}


def clean_score(outcomes: CleanOutcomes, drawn: DrawnFigures) -> CleanScore:
    """Return the scores of a task's clean rows."""
    (fields,) = _columns(drawn, 1, _CLEAN_FIELDS)
    recalls = outcomes.score.by_label()[:, 0]
    return CleanScore(
        recall={name: fraction(recall) for name, recall in zip(outcomes.label_names, recalls, strict=True)},
        has_skill=_has_skill(outcomes, fields["balanced_ci"]),
        n_samples=int(outcomes.has_clean.sum()),
        **fields,
    )


def _has_skill(outcomes: CleanOutcomes, interval: Bounds | None) -> bool | None:
    """Tell whether the interval of balanced accuracy is above guessing; nothing where that is not known."""
    if interval is None or not outcomes.has_labels:
        return None
    return interval[0] > fraction(outcomes.chance)


def score_degrees(cell: CellOutcomes, drawn: DrawnFigures) -> dict[str, DegreeScore]:
    """Return the scores at each degree, low degrees first."""
    columns = _columns(drawn, len(cell.degrees), _DEGREE_FIELDS)
    n_attacked = _n_attacked(cell, drawn)
    recalls = _recalls(cell, drawn)
    has_case = cell.n_cases > 0
    # Where originals are missing, the samples that have cases are all that is known.
    counted = cell.clean.has_clean if cell.clean.labels else np.ones(len(has_case), np.bool_)
    shares = has_case[counted].mean(axis=0)
    n_samples, n_cases = has_case.sum(axis=0), cell.n_cases.sum(axis=0)
    return {
        degree_key(degree): DegreeScore(
            n_attacked=n_attacked[column],
            recall=recalls[column],
            transferable=transferable.at_degree(cell, column),
            share_with_case=fraction(shares[column]),
            mean_realised_degree=cell.mean_realised[column],
            n_samples=int(n_samples[column]),
            n_cases=int(n_cases[column]),
            **columns[column],
        )
        for column, degree in enumerate(cell.degrees)
    }


def _recalls(cell: CellOutcomes, drawn: DrawnFigures) -> list[dict[str, LabelRecall]]:
    """Return the robust recall of each label at each degree."""
    average, worst = (drawn.figures.get(key) for key in ESTIMATES)
    if not isinstance(average, _OF_LABELS) or not isinstance(worst, _OF_LABELS):
        return [{} for _ in cell.degrees]
    names = cell.clean.label_names
    averages, worsts = average.by_label(), worst.by_label()
    return [
        {
            name: LabelRecall(average=fraction(averages[row, column]), worst=fraction(worsts[row, column]))
            for row, name in enumerate(names)
        }
        for column in range(len(cell.degrees))
    ]


def most_hurt_label(cell: CellOutcomes, drawn: DrawnFigures) -> str | None:
    """Return the label whose average falls farthest below its clean recall at a used degree, if any does."""
    figure = drawn.figures.get(ESTIMATES[0])
    if not isinstance(figure, _OF_LABELS) or not cell.used:
        return None
    fall = (cell.clean.score.by_label() - figure.by_label()[:, list(cell.used)]).max(axis=1)
    # Sums in another order must not decide between labels that fall equally far.
    fall = np.round(fall, 9)
    row = int(fall.argmax())
    return cell.clean.label_names[row] if fall[row] > 0 else None


def _n_attacked(cell: CellOutcomes, drawn: DrawnFigures) -> list[int | None]:
    """Return how many samples each degree's attack success rate is about, none without clean predictions."""
    figure = drawn.figures.get(ATTACK_SUCCESS_RATE.key)
    if not isinstance(figure, Ratio) or not cell.clean.has_clean.any():
        return [None] * len(cell.degrees)
    return [int(n_samples) for n_samples in figure.denominator.sum(axis=0)]


def _columns(drawn: DrawnFigures, n_columns: int, fields: dict[str, tuple[str, str]]) -> list[dict[str, Any]]:
    """Return for each column the fields of a score: figures, intervals, and those without a field."""
    columns: list[dict[str, Any]] = [{"metrics": {}, "metrics_ci": {}} for _ in range(n_columns)]
    for metric in METRICS.values():
        for key in keys_of(metric.key, drawn.figures):
            values = drawn.figures[key].values()
            for column, value, bounds in zip(columns, values, drawn.bounds[key], strict=True):
                score = None if value is None else _rounded(value, metric)
                interval = rounded_bounds(bounds, is_fraction=metric.is_fraction)
                if key in fields:
                    name, name_of_interval = fields[key]
                    column |= {name: score, name_of_interval: interval}
                elif score is not None:
                    column["metrics"][key] = score
                    if interval is not None:
                        column["metrics_ci"][key] = interval
    return columns


def _rounded(value: float, metric: Metric) -> float:
    return fraction(value) if metric.is_fraction else rounded(value)
