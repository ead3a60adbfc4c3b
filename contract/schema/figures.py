"""Reads the figures of a result by metric, wherever the result holds them."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from contract.schema.estimates import RANKED_BY
from contract.schema.metrics import FIRST_METRICS, MetricInfo, Scope
from contract.schema.results import CleanScore, DegreeScore, Overall, Result, SettingScore

# Where the clean scores hold the figures of these metrics.
_CLEAN_FIELDS = {
    "clean_score": ("score", "score_ci"),
    "clean_accuracy": ("accuracy", "ci"),
    "balanced_accuracy": ("balanced", "balanced_ci"),
}


class Scored(NamedTuple):
    """A figure of a result with its interval, where it has one."""

    value: float
    interval: tuple[float, float] | None


class NamedFigure(NamedTuple):
    """A figure with its metric and, where the metric has several, which of them it is: average, worst, 5."""

    info: MetricInfo
    which: str
    figure: Scored

    @property
    def label(self) -> str:
        """What to write beside the figure."""
        return f"{self.info.heading}, {self.which}" if self.which else self.info.heading

    @property
    def is_on_curve(self) -> bool:
        """Whether it is one point of a curve: `which` is then a number of cases."""
        # Keys come from files; a longer number is no number of cases.
        return has_scope(self.info, "curve") and self.which.isdecimal() and len(self.which) < 10


class CurvePoint(NamedTuple):
    """A metric's figure when so many cases are tried, and how many samples have as many, where known."""

    n_cases: int
    figure: Scored
    n_samples: int | None


def metrics_of(results: Iterable[Result]) -> tuple[MetricInfo, ...]:
    """Return the metrics of some results, each once; those of the first version come first."""
    infos = {info.name: info for info in FIRST_METRICS}
    for result in results:
        for info in result.metrics:
            infos.setdefault(info.name, info)
    return tuple(infos.values())


def figure_of(score: CleanScore | DegreeScore, info: MetricInfo) -> Scored | None:
    """Return a metric's figure, whether it has a field of its own or stands among `metrics`."""
    key = info.key
    if isinstance(score, CleanScore) and key in _CLEAN_FIELDS:
        name, name_of_interval = _CLEAN_FIELDS[key]
        return Scored(getattr(score, name), getattr(score, name_of_interval))
    # By the fields alone: the names of metrics come from files, and a large site asks a million times.
    fields = vars(score)
    value = fields.get(key)
    if isinstance(value, float):
        return Scored(value, fields.get(f"{key}_ci"))
    return Scored(score.metrics[key], score.metrics_ci.get(key)) if key in score.metrics else None


def further_figures(
    score: CleanScore | SettingScore | Overall, infos: Sequence[MetricInfo]
) -> list[NamedFigure]:
    """Return the figures that have no field of their own, in the order of the metrics.

    A key names the metric and, after a slash or an @, which of its figures it is: `mean/worst`, `best@5`.
    """
    names = {key: [*re.split("[/@]", key, maxsplit=1), ""] for key in score.metrics}
    return [
        NamedFigure(info, names[key][1], Scored(score.metrics[key], score.metrics_ci.get(key)))
        for info in infos
        for key in score.metrics
        if names[key][0] == info.key
    ]


def curve_points(score: SettingScore, info: MetricInfo) -> list[CurvePoint]:
    """Return a metric's figures by how many cases are tried, few first."""
    if info.key == "worst_at_k":
        fields, intervals, counts = score.worst_at_k, score.worst_at_k_ci, score.worst_at_k_samples
        named = [NamedFigure(info, k, Scored(value, intervals.get(k))) for k, value in fields.items()]
    else:
        named, counts = further_figures(score, [info]), {}
    points = [
        CurvePoint(int(item.which), item.figure, counts.get(item.which)) for item in named if item.is_on_curve
    ]
    return sorted(points, key=lambda point: point.n_cases)


def degree_metrics(result: Result, infos: Iterable[MetricInfo]) -> list[MetricInfo]:
    """Return the metrics of which a result has a figure at some degree, the one that ranks first."""
    scores = [
        score
        for task in result.tasks.values()
        for settings in task.dimensions.values()
        for setting in settings.values()
        for score in setting.degrees.values()
    ]
    at_degrees = [info for info in infos if has_scope(info, "degree")]
    found = [info for info in at_degrees if any(figure_of(score, info) is not None for score in scores)]
    return sorted(found, key=lambda info: info.key != RANKED_BY)


def has_scope(info: MetricInfo, scope: Scope) -> bool:
    """Tell whether a metric is computed for this."""
    return scope in info.scopes
