"""The page of one model: scores, charts, figures by degree, and where the result comes from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from contract.schema.figures import (
    Scored,
    curve_points,
    degree_metrics,
    figure_of,
    further_figures,
    has_scope,
)
from contract.schema.leaderboards import Entry, Leaderboard
from contract.schema.metrics import MetricInfo
from contract.schema.results import (
    CleanScore,
    DegreeScore,
    Interval,
    Overall,
    Result,
    SettingScore,
    WithoutOwnFamily,
)
from leaderboard.text.formatting import NO_FIGURE, HeatScale, TableCell, figure, percent, table_cell
from leaderboard.text.untrusted_text import visible, web_link
from leaderboard.view.charts import Chart, Radar, Tick, axes_of, degree_chart, degree_of, radar
from leaderboard.view.tables import Column, Row, Table


class NamedText(NamedTuple):
    """A figure as pages show it, with its name."""

    name: str
    text: str


@dataclass(frozen=True, kw_only=True)
class ShownMetrics:
    """The metrics that the pages of a result show."""

    on_pages: tuple[MetricInfo, ...]
    # Those that have a column in tables of degrees: the result has figures of them at some degree.
    at_degrees: tuple[MetricInfo, ...]

    @property
    def curves(self) -> tuple[MetricInfo, ...]:
        """The metrics that depend on how many cases an attacker may try."""
        return tuple(info for info in self.on_pages if has_scope(info, "curve"))


class FigureRow(NamedTuple):
    """A row of a table, its head first; a degree with too few samples is shown but not used."""

    is_used: bool
    cells: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Curve:
    """A metric by how many cases an attacker may try: a row for each number of cases."""

    info: MetricInfo
    # Whether the rows end with the number of samples that have so many cases.
    has_samples: bool
    rows: tuple[FigureRow, ...]


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One dimension and setting of one task on a model's page."""

    column: Column
    setting: str
    score: TableCell
    not_scored: str
    chart: Chart | None
    rows: tuple[FigureRow, ...]
    curves: tuple[Curve, ...]
    further: tuple[NamedText, ...]


@dataclass(frozen=True, kw_only=True)
class TaskSection:
    """One task on a model's page."""

    task: str
    clean: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True, kw_only=True)
class ModelPage:
    """All that the page of one model shows."""

    row: Row
    full_name: str
    link: str | None
    facts: tuple[tuple[str, str], ...]
    notes: str
    settings: tuple[tuple[str, TableCell], ...]
    further: tuple[NamedText, ...]
    radar: Radar | None
    metrics: ShownMetrics
    tasks: tuple[TaskSection, ...]
    absent: tuple[str, ...]
    surrogate: str
    own: str

    @property
    def axes(self) -> dict[str, tuple[Tick, ...]]:
        """The horizontal axes of its charts, each once."""
        return axes_of(panel.chart for section in self.tasks for panel in section.panels)


def model_page(entry: Entry, row: Row, leaderboard: Leaderboard, table: Table) -> ModelPage:
    """Return what the page of one entry shows."""
    result = entry.result
    overall = result.overall
    on_pages = tuple(info for info in table.metrics if info.on_pages)
    metrics = ShownMetrics(on_pages=on_pages, at_degrees=tuple(degree_metrics(result, on_pages)))
    columns = {info.name: column for info, column in zip(leaderboard.dimensions, table.columns, strict=True)}
    return ModelPage(
        row=row,
        full_name=visible(result.model.name),
        link=web_link(result.model.url),
        facts=_facts(entry),
        notes=visible(result.model.notes or ""),
        settings=tuple(
            (visible(name), table_cell(pair, table.scale))
            for name, pair in (overall.settings if overall else {}).items()
        ),
        further=() if overall is None else further_texts(overall, on_pages),
        radar=radar([column.name for column in table.columns], row.dimensions),
        metrics=metrics,
        tasks=tuple(
            TaskSection(
                task=visible(task),
                clean=clean_text(score.clean, on_pages),
                panels=tuple(
                    panel_of(columns[name], setting, value, score.clean, scale=table.scale, metrics=metrics)
                    for name in columns
                    for setting, value in score.dimensions.get(name, {}).items()
                ),
            )
            for task, score in result.tasks.items()
        ),
        absent=tuple(visible(name) for name in result.absent),
        surrogate=visible(result.model.surrogate or "", 80),
        own="" if result.without_own_family is None else _own_text(result.without_own_family),
    )


def _own_text(own: WithoutOwnFamily) -> str:
    """Return a sentence on the scores without the cases that were made against the model's family."""
    if not own.n_dropped:
        return "No case was made against its family, but its votes helped to decide which cases were kept."
    if own.average is None or own.worst is None:
        return f"Without the {own.n_dropped:,} cases made against its family, too few are left to score."
    left_out = visible(", ".join(own.not_scored), 300)
    return (
        f"Without the {own.n_dropped:,} of {own.n_dropped + own.n_cases:,} cases made against its family,"
        f" its average is {percent(own.average)} and its worst {percent(own.worst)}"
        + (f", where enough cases are left (not {left_out})." if left_out else ".")
        + " Its votes helped to decide which of the other cases were kept, so these scores cannot be compared"
        " with those of other models either."
    )


def clean_text(score: CleanScore | None, infos: Sequence[MetricInfo]) -> str:
    """Return a task's clean accuracy and its other clean figures as one phrase."""
    if score is None:
        return "without clean predictions"
    accuracy = f"clean accuracy {with_interval(score.accuracy, score.ci)} on {score.n_samples:,} samples"
    return ", ".join([accuracy, *(f"{name} {text}" for name, text in further_texts(score, infos))])


def further_texts(
    score: CleanScore | SettingScore | Overall, infos: Sequence[MetricInfo]
) -> tuple[NamedText, ...]:
    """Return the figures of metrics that have no field of their own; curves have a table instead."""
    return tuple(
        NamedText(visible(named.label, 80), figure_text(named.info, named.figure))
        for named in further_figures(score, infos)
        if not named.is_on_curve
    )


def figure_text(info: MetricInfo, figure: Scored | None) -> str:
    """Return a figure in its metric's unit, with its interval in brackets where the metric shows it."""
    if figure is None:
        return NO_FIGURE
    if figure.interval is None or not info.with_interval:
        return info.shown(figure.value)
    low, high = map(info.shown, figure.interval)
    return f"{info.shown(figure.value)} ({low}–{high})"


def panel_of(
    column: Column,
    setting: str,
    score: SettingScore,
    clean: CleanScore | None,
    *,
    scale: HeatScale,
    metrics: ShownMetrics,
) -> Panel:
    """Return what a page shows of one task, dimension and setting."""
    return Panel(
        column=column,
        setting=visible(setting),
        score=TableCell(average=figure(score.average, scale), worst=figure(score.worst, scale)),
        not_scored=visible(score.not_scored or ""),
        chart=degree_chart(score.degrees, None if clean is None else clean.accuracy),
        rows=tuple(
            FigureRow(key in score.degrees_used, _degree_cells(key, score.degrees[key], metrics.at_degrees))
            for key in _low_first(tuple(score.degrees))
        ),
        curves=tuple(curve for info in metrics.curves if (curve := _curve(score, info)).rows),
        further=further_texts(score, metrics.on_pages),
    )


def _curve(score: SettingScore, info: MetricInfo) -> Curve:
    points = curve_points(score, info)
    has_samples = any(point.n_samples is not None for point in points)
    rows = [
        (
            f"{point.n_cases}",
            figure_text(info, point.figure),
            NO_FIGURE if point.n_samples is None else f"{point.n_samples:,}",
        )
        for point in points
    ]
    return Curve(
        info=info,
        has_samples=has_samples,
        rows=tuple(FigureRow(is_used=True, cells=cells if has_samples else cells[:-1]) for cells in rows),
    )


@lru_cache
def _low_first(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys of degrees from the lowest to the highest degree."""
    return tuple(sorted(keys, key=lambda key: (degree_of(key) or 0.0, key)))


def _degree_cells(key: str, score: DegreeScore, infos: Sequence[MetricInfo]) -> tuple[str, ...]:
    """Return the figures of a degree in the order of the table's columns."""
    realised = score.mean_realised_degree
    return (
        visible(key),
        NO_FIGURE if realised is None else f"{realised:.3f}",
        *(figure_text(info, figure_of(score, info)) for info in infos),
        f"{score.n_samples:,}",
        f"{score.n_cases:,}",
    )


def with_interval(score: float, interval: Interval | None) -> str:
    """Return a score with its interval in brackets, where it has one."""
    if interval is None:
        return percent(score)
    return f"{100 * score:.1f} ({100 * interval[0]:.1f}–{100 * interval[1]:.1f})"


def _facts(entry: Entry) -> tuple[tuple[str, str], ...]:
    """Return where a result comes from, as pairs of a name and a text."""
    result, model = entry.result, entry.result.model
    facts = {
        "Organisation": model.organisation,
        "Revision": model.revision,
        "Parameters": None if model.n_parameters is None else f"{model.n_parameters:,}",
        "Licence": model.licence,
        "Predictions": f"{result.predictions.rows:,} rows, sha256 {result.predictions.sha256}",
        "Evaluator": result.evaluator_version,
        "Result file": entry.path,
        "Signature": result.signature,
    }
    texts = {visible(name, 80): visible(value) for name, value in facts.items() if value}
    return tuple((texts | measured_texts(result)).items())


def measured_texts(result: Result) -> dict[str, str]:
    """Return the measurements of a result by name."""
    # The names come from the result's file: with the prefix they cannot look like other facts of the page.
    return {
        visible(f"Measured: {name}", 80): visible(str(value))
        for name, value in result.measurements.items()
        if value not in {None, ""}
    }
