"""The scores of a cell at each degree, with their intervals."""

from collections.abc import Mapping
from typing import Any

from contract.schema.manifest import TaskInfo
from contract.schema.names import degree_key
from contract.schema.results import DegreeScore, ScoreSettings
from evaluator.metrics.auroc import auroc
from evaluator.metrics.f1 import f1
from evaluator.metrics.metric import NothingToScoreError
from evaluator.scoring.cell_terms import Answers, Bounds, Figures
from evaluator.scoring.outcomes import CellOutcomes, TaskOutcomes
from evaluator.scoring.rounding import fraction, fraction_bounds, fraction_interval, rounded, rounded_bounds

KEY_WITHOUT_DEGREE = "any"
_SHARES = ("worst_at", "accuracy_cases", "attack_success_rate")
_RATIOS = ("relative_average", "relative_worst")


def key_of(degree: float | None) -> str:
    """Return the key under which a result holds a degree."""
    return KEY_WITHOUT_DEGREE if degree is None else degree_key(degree)


def score_degrees(
    outcomes: TaskOutcomes, cell: CellOutcomes, figures: Figures, answers: Answers, settings: ScoreSettings
) -> dict[str, DegreeScore]:
    """Return the scores at each degree, low degrees first."""
    average, worst = figures.with_point("average"), figures.with_point("worst")
    ratios = _ratios(figures)
    n_attacked = figures.terms["attack_success_rate"].below.sum(axis=0)
    found = {}
    for column, split in enumerate(cell.splits):
        metrics = row_metrics(outcomes.task, cell.row_ranges[column], answers)
        found[key_of(split.degree)] = DegreeScore(
            average=fraction(average[0, column]),
            average_ci=fraction_interval(average[:, column], settings),
            worst=fraction(worst[0, column]),
            worst_ci=fraction_interval(worst[:, column], settings),
            **ratios[column],
            n_attacked=int(n_attacked[column]) if outcomes.has_clean.any() else None,
            mean_realised_degree=split.mean_realised_degree,
            n_samples=int((cell.n_cases[:, column] > 0).sum()),
            n_cases=int(cell.n_cases[:, column].sum()),
            metrics=metrics,
            metrics_ci=metric_intervals(metrics, figures, column),
        )
    return found


def _ratios(figures: Figures) -> list[dict[str, Any]]:
    """Return the figures beside average and worst, and their intervals, of each degree."""
    points = {name: figures.terms[name].values() for name in (*_SHARES, *_RATIOS)}
    found: list[dict[str, Any]] = [{} for _ in points["worst_at"]]
    for name, values in points.items():
        for at_degree, value, interval in zip(found, values, figures.bounds[name], strict=True):
            if name in _RATIOS:
                at_degree |= {name: rounded(value), f"{name}_ci": rounded_bounds(interval)}
            else:
                share = None if value is None else fraction(value)
                at_degree |= {name: share, f"{name}_ci": fraction_bounds(interval)}
    return found


def row_metrics(task: TaskInfo, rows: range, answers: Answers) -> dict[str, float]:
    """Return F1 where the task asks for it and AUROC where there are probabilities, unless undefined."""
    found: dict[str, float] = {}
    labels = answers.labels[rows.start : rows.stop]
    try:
        if "f1" in task.metrics:
            found["f1"] = fraction(f1(labels, answers.predictions[rows.start : rows.stop], len(task.labels)))
    except NothingToScoreError:
        pass
    try:
        if answers.probabilities is not None:
            values = answers.probabilities[rows.start : rows.stop, : len(task.labels)]
            found["auroc"] = fraction(auroc(labels, values))
    except NothingToScoreError:
        pass
    return found


def metric_intervals(metrics: Mapping[str, float], figures: Figures, place: int) -> dict[str, Bounds]:
    """Return the intervals of such metrics."""
    found = {name: fraction_bounds(figures.bounds[name][place]) for name in metrics}
    return {name: interval for name, interval in found.items() if interval is not None}
