"""Compares models by the metrics other than average and worst: a row a figure, a column a model."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from contract.schema.figures import (
    Scored,
    curve_points,
    figure_of,
    further_figures,
    has_scope,
)
from contract.schema.metrics import MetricInfo
from contract.schema.results import Result, SettingScore
from leaderboard.text.untrusted_text import visible
from leaderboard.view.charts import degree_of
from leaderboard.view.marks import NOBODY, MarkedFigure, Places, mark_metric

# A comparison shows these in tables of their own.
SHOWN_ELSEWHERE = ("clean-accuracy", "average", "worst")


@dataclass(frozen=True, kw_only=True)
class ComparedRow:
    """One figure of every model, None for a model that does not have it."""

    name: str
    figures: tuple[MarkedFigure | None, ...]
    # Empty for the scores that every result has.
    info: MetricInfo | None = None


@dataclass(frozen=True, kw_only=True)
class ComparedMetric:
    """All figures of one metric for one task, dimension and setting."""

    info: MetricInfo
    rows: tuple[ComparedRow, ...]


class _RowKey(NamedTuple):
    """Sorts rows: degrees, then numbers of cases, low ones first, then scores for all degrees together."""

    group: int
    at: float
    name: str


def further_metrics(infos: Sequence[MetricInfo]) -> list[MetricInfo]:
    """Return the metrics that pages show besides average and worst."""
    return [info for info in infos if info.on_pages and info.name not in SHOWN_ELSEWHERE]


def compare_setting(
    scores: Sequence[SettingScore | None], infos: Sequence[MetricInfo], unranked: Places = NOBODY
) -> tuple[ComparedMetric, ...]:
    """Return the metrics of which any model has a figure in this task, dimension and setting."""
    compared = []
    for info in infos:
        by_model = [{} if score is None else dict(_figures_of(score, info)) for score in scores]
        keys = sorted({key for figures in by_model for key in figures})
        rows = tuple(
            _row(key.name, [figures.get(key) for figures in by_model], info, unranked) for key in keys
        )
        if rows:
            compared.append(ComparedMetric(info=info, rows=rows))
    return tuple(compared)


def compare_overall(
    results: Sequence[Result], infos: Sequence[MetricInfo], unranked: Places = NOBODY
) -> tuple[ComparedRow, ...]:
    """Return a row for each figure of clean texts and for each overall figure that any result has."""
    n_tasks = len({task for result in results for task in result.tasks})
    rows: list[ComparedRow] = []
    for info in infos:
        by_model = [dict(_overall_figures(result, info, names_tasks=n_tasks > 1)) for result in results]
        names = dict.fromkeys(name for figures in by_model for name in figures)
        rows.extend(_row(name, [figures.get(name) for figures in by_model], info, unranked) for name in names)
    return tuple(rows)


def compare_measurements(measurements: Sequence[Mapping[str, str]]) -> tuple[ComparedRow, ...]:
    """Return a row for each name that any model has a measurement of."""
    return tuple(
        ComparedRow(
            name=name,
            figures=tuple(
                MarkedFigure(text=texts[name]) if name in texts else None for texts in measurements
            ),
        )
        for name in dict.fromkeys(name for texts in measurements for name in texts)
    )


def _row(name: str, figures: Sequence[Scored | None], info: MetricInfo, unranked: Places) -> ComparedRow:
    return ComparedRow(name=visible(name, 80), figures=mark_metric(figures, info, unranked), info=info)


def _figures_of(score: SettingScore, info: MetricInfo) -> Iterator[tuple[_RowKey, Scored]]:
    if has_scope(info, "degree"):
        for degree, at_degree in score.degrees.items():
            figure = figure_of(at_degree, info)
            if figure is not None:
                yield _RowKey(0, degree_of(degree) or 0.0, f"degree {degree}"), figure
    for point in curve_points(score, info):
        yield _RowKey(1, point.n_cases, f"{point.n_cases} case{'s' * (point.n_cases != 1)}"), point.figure
    for named in further_figures(score, [info]):
        if not named.is_on_curve:
            yield _RowKey(2, 0.0, f"all degrees{', ' * bool(named.which)}{named.which}"), named.figure


def _overall_figures(result: Result, info: MetricInfo, *, names_tasks: bool) -> Iterator[tuple[str, Scored]]:
    for task, score in result.tasks.items():
        for named in [] if score.clean is None else further_figures(score.clean, [info]):
            yield f"{named.label}, clean" + (f", task {task}" if names_tasks else ""), named.figure
    for named in [] if result.overall is None else further_figures(result.overall, [info]):
        yield named.label, named.figure
