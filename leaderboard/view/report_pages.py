"""The report of one model: findings, and each dimension with its charts, figures and worst-hit cases."""

from collections.abc import Mapping
from dataclasses import dataclass

from contract.schema.leaderboards import Leaderboard
from contract.schema.manifest import DimensionInfo, Manifest
from contract.schema.results import Aggregate, DegreeScore, Pair, Result, SettingScore
from leaderboard.text.formatting import (
    HeatScale,
    TableCell,
    clean_accuracy,
    coverage_of,
    dimension_pairs,
    heat_scale,
)
from leaderboard.text.untrusted_text import visible
from leaderboard.view.advice import Advice, Standing, advice_for, standing_of
from leaderboard.view.charts import Radar, Stop, Tick, axes_of, radar, scores_by_degree, stops_of
from leaderboard.view.degree_tables import DegreeTable, degree_table
from leaderboard.view.findings import Finding, findings_of
from leaderboard.view.model_pages import (
    ModelPage,
    Panel,
    ShownMetrics,
    model_page,
    panel_of,
    with_interval,
)
from leaderboard.view.tables import Column, Table
from leaderboard.view.worst_hit import HitCase

MOST_CHARACTERS_ON_RADARS = 22


@dataclass(frozen=True, kw_only=True)
class Track:
    """The scores of a dimension and their intervals as positions on a line from 0 to 100."""

    clean: float | None
    average: float
    worst: float
    average_bounds: tuple[float, float] | None
    worst_bounds: tuple[float, float] | None


@dataclass(frozen=True, kw_only=True)
class Plot:
    """One task and setting of a dimension; `stops` show the figures of the degree under the pointer.

    `lost` says how many samples the lowest degree turns wrong.
    """

    task: str
    panel: Panel
    stops: tuple[Stop, ...]
    lost: str


@dataclass(frozen=True, kw_only=True)
class DimensionSection:
    """All that the report shows about one dimension."""

    column: Column
    info: DimensionInfo | None
    advice: Advice
    score: TableCell
    standing: Standing | None
    track: Track | None
    plots: tuple[Plot, ...]
    hits: tuple[HitCase, ...]


@dataclass(frozen=True, kw_only=True)
class ModelReport:
    """All that the report of one model shows."""

    page: ModelPage
    findings: tuple[Finding, ...]
    sections: tuple[DimensionSection, ...]
    radar: Radar | None
    tables: tuple[DegreeTable, ...]
    scale: HeatScale

    @property
    def axes(self) -> dict[str, tuple[Tick, ...]]:
        """The horizontal axes of its charts, each once."""
        return axes_of(plot.panel.chart for section in self.sections for plot in section.plots)

    @property
    def weakest_first(self) -> tuple[DimensionSection, ...]:
        """The scored dimensions, the one with the lowest average first."""
        scored = [section for section in self.sections if section.track is not None]
        return tuple(sorted(scored, key=lambda section: section.track.average if section.track else 0.0))


def model_report(
    leaderboard: Leaderboard,
    table: Table,
    *,
    manifest: Manifest | None,
    hits: Mapping[str, tuple[HitCase, ...]],
    guessing: Mapping[str, float],
) -> ModelReport:
    """Return the report of the leaderboard's only entry."""
    (entry,), (row,) = leaderboard.entries, table.rows
    result = entry.result
    pairs = dimension_pairs(result, coverage_of([result]))
    infos = {info.name: info for info in manifest.dimensions} if manifest else {}
    clean = clean_accuracy(result)
    scale = heat_scale(
        value
        for task in result.tasks.values()
        for settings in task.dimensions.values()
        for score in settings.values()
        for degree in score.degrees.values()
        for value in (degree.average, degree.worst)
    )
    columns = {info.name: column for info, column in zip(leaderboard.dimensions, table.columns, strict=True)}
    page = model_page(entry, row, leaderboard, table)
    sections = tuple(
        DimensionSection(
            column=columns[name],
            info=infos.get(name),
            advice=advice_for(name, infos.get(name)),
            score=cell,
            standing=standing_of(pairs[name].average.ewma, clean) if name in pairs else None,
            track=_track(pairs[name], clean) if name in pairs else None,
            plots=_plots(result, name, columns[name], page.metrics),
            hits=hits.get(name, ()),
        )
        for name, cell in zip(columns, row.dimensions, strict=True)
    )
    labels = [visible(name, MOST_CHARACTERS_ON_RADARS) for name in columns]
    return ModelReport(
        page=page,
        findings=findings_of(result, pairs, guessing),
        sections=tuple(section for section in sections if section.plots),
        radar=radar(labels, row.dimensions),
        tables=tuple(
            degree_table(name, task, columns, scale, guessing=guessing.get(name), metrics=page.metrics)
            for name, task in result.tasks.items()
        ),
        scale=scale,
    )


def _plots(result: Result, dimension: str, column: Column, metrics: ShownMetrics) -> tuple[Plot, ...]:
    return tuple(
        _plot(
            task,
            panel_of(column, setting, score, task_score.clean, scale=heat_scale([]), metrics=metrics),
            score,
        )
        for task, task_score in result.tasks.items()
        for setting, score in task_score.dimensions.get(dimension, {}).items()
    )


def _track(pair: Pair, clean: float | None) -> Track:
    """Return both scores of a dimension as positions on the line."""
    return Track(
        clean=None if clean is None else round(100 * clean, 2),
        average=round(100 * pair.average.ewma, 2),
        worst=round(100 * pair.worst.ewma, 2),
        average_bounds=_bounds(pair.average),
        worst_bounds=_bounds(pair.worst),
    )


def _bounds(aggregate: Aggregate) -> tuple[float, float] | None:
    if aggregate.ci is None:
        return None
    low, high = aggregate.ci
    return round(100 * low, 2), round(100 * high, 2)


def _plot(task: str, panel: Panel, score: SettingScore) -> Plot:
    by_degree = scores_by_degree(score.degrees)
    texts = [
        f"degree {degree:g}:  average {with_interval(value.average, value.average_ci)},"
        f"  worst {with_interval(value.worst, value.worst_ci)}"
        for degree, value in by_degree.items()
    ]
    return Plot(
        task=visible(task, 40),
        panel=panel,
        stops=stops_of(list(by_degree), texts) if by_degree else (),
        lost=_lost(by_degree),
    )


def _lost(by_degree: Mapping[float, DegreeScore]) -> str:
    """Return how many samples the lowest degree turns wrong, or nothing if the result does not say."""
    for degree, score in by_degree.items():
        if score.attack_success_rate is None or not score.n_attacked:
            return ""
        n_lost = round(score.attack_success_rate * score.n_attacked)
        return f"{n_lost:,} of {score.n_attacked:,} samples right when clean are lost at degree {degree:g}"
    return ""
