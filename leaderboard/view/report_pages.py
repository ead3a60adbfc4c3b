"""The report of one model: findings, and each dimension with its charts, figures and worst-hit cases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contract.schema.estimates import Estimated
from contract.schema.leaderboards import Leaderboard
from contract.schema.manifest import DimensionInfo, Manifest
from contract.schema.results import Aggregate, DegreeScore, Pair, Result, SettingScore
from leaderboard.text.formatting import HeatScale, TableCell, clean_score, heat_scale
from leaderboard.text.untrusted_text import visible
from leaderboard.view.advice import Advice, Standing, advice_for, standing_of
from leaderboard.view.by_setting import Pairs, Tab, coverage_of, pairs_of
from leaderboard.view.charts import (
    Radar,
    Stop,
    Tick,
    axes_of,
    drawn_degrees,
    radar,
    scores_by_degree,
    stops_of,
)
from leaderboard.view.degree_tables import DegreeTable, degree_tables
from leaderboard.view.findings import Finding, findings_of
from leaderboard.view.model_pages import ModelPage, model_page
from leaderboard.view.panels import Panel, ShownMetrics, panel_of, with_interval
from leaderboard.view.tables import Column, Table
from leaderboard.view.worst_hit import HitCase

MOST_CHARACTERS_ON_RADARS = 22


@dataclass(frozen=True, kw_only=True)
class Track(Estimated):
    """The scores of a dimension and their intervals as positions on a line from 0 to 100."""

    clean: float | None
    average: float
    worst: float
    average_bounds: tuple[float, float] | None
    worst_bounds: tuple[float, float] | None


@dataclass(frozen=True, kw_only=True)
class TrackRow:
    """One dimension in the profile of a setting."""

    column: Column
    score: TableCell
    standing: Standing | None
    track: Track


@dataclass(frozen=True, kw_only=True)
class Profile:
    """All dimensions of one setting, the weakest first, and their radar."""

    tab: Tab
    rows: tuple[TrackRow, ...]
    radar: Radar | None


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
class SettingStanding:
    """The score of a dimension in one setting, and the word for it."""

    tab: Tab
    score: TableCell
    standing: Standing | None


@dataclass(frozen=True, kw_only=True)
class DimensionSection:
    """All that the report shows about one dimension; `standing` is the weakest of its settings."""

    column: Column
    info: DimensionInfo | None
    advice: Advice
    standings: tuple[SettingStanding, ...]
    plots: tuple[Plot, ...]
    hits: tuple[HitCase, ...]

    @property
    def standing(self) -> Standing | None:
        """The weakest standing in any setting."""
        found = {item.standing for item in self.standings}
        order: tuple[Standing, ...] = ("breaks", "bends", "steady")
        return next((standing for standing in order if standing in found), None)


@dataclass(frozen=True, kw_only=True)
class ModelReport:
    """All that the report of one model shows."""

    page: ModelPage
    findings: tuple[Finding, ...]
    profiles: tuple[Profile, ...]
    sections: tuple[DimensionSection, ...]
    tables: tuple[DegreeTable, ...]
    scale: HeatScale

    @property
    def axes(self) -> dict[str, tuple[Tick, ...]]:
        """The horizontal axes of its charts, each once."""
        return axes_of(plot.panel.chart for section in self.sections for plot in section.plots)


def model_report(
    leaderboard: Leaderboard,
    table: Table,
    *,
    manifest: Manifest | None,
    hits: Mapping[str, tuple[HitCase, ...]],
) -> ModelReport:
    """Return the report of the leaderboard's only entry."""
    (entry,), (row,) = leaderboard.entries, table.rows
    result = entry.result
    coverage = coverage_of([result])
    pairs: dict[str, Pairs] = {tab.name: pairs_of(result, tab, coverage) for tab in table.tabs}
    infos = {info.name: info for info in manifest.dimensions} if manifest else {}
    clean = clean_score(result)
    scale = _scale(result)
    columns = {info.name: column for info, column in zip(leaderboard.dimensions, table.columns, strict=True)}
    page = model_page(entry, row, leaderboard, table)
    sections = tuple(
        DimensionSection(
            column=columns[name],
            info=infos.get(name),
            advice=advice_for(name, infos.get(name)),
            standings=tuple(
                SettingStanding(
                    tab=tab,
                    score=row.settings[tab.name].dimensions[place],
                    standing=standing_of(pairs[tab.name][name].score.ewma, clean),
                )
                for tab in table.tabs
                if name in pairs[tab.name]
            ),
            plots=_plots(result, name, columns[name], page.metrics),
            hits=hits.get(name, ()),
        )
        for place, name in enumerate(columns)
    )
    return ModelReport(
        page=page,
        findings=findings_of(result, table.tabs, pairs),
        profiles=tuple(
            _profile(tab, pairs[tab.name], columns, row.settings[tab.name].dimensions, clean)
            for tab in table.tabs
            if pairs[tab.name]
        ),
        sections=tuple(section for section in sections if section.plots),
        tables=tuple(
            found
            for name, task in result.tasks.items()
            for found in degree_tables(name, task, columns, scale, metrics=page.metrics)
        ),
        scale=scale,
    )


def _scale(result: Result) -> HeatScale:
    return heat_scale(
        value
        for task in result.tasks.values()
        for settings in task.dimensions.values()
        for score in settings.values()
        for degree in score.degrees.values()
        for value in (degree.average, degree.worst)
        if value is not None
    )


def _profile(
    tab: Tab, pairs: Pairs, columns: Mapping[str, Column], cells: Sequence[TableCell], clean: float | None
) -> Profile:
    rows = [
        TrackRow(
            column=column,
            score=cell,
            standing=standing_of(pairs[name].score.ewma, clean),
            track=_track(pairs[name], clean),
        )
        for (name, column), cell in zip(columns.items(), cells, strict=True)
        if name in pairs
    ]
    labels = [visible(name, MOST_CHARACTERS_ON_RADARS) for name in columns]
    weakest_first = sorted(rows, key=lambda row: row.track.score)
    return Profile(tab=tab, rows=tuple(weakest_first), radar=radar(labels, cells))


def _plots(result: Result, dimension: str, column: Column, metrics: ShownMetrics) -> tuple[Plot, ...]:
    return tuple(
        _plot(
            task,
            panel_of(
                column,
                setting,
                score,
                task_score.clean,
                scale=heat_scale([]),
                metrics=metrics,
                min_samples=result.settings.min_samples,
            ),
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
    drawn = drawn_degrees(score)
    texts = [
        f"degree {degree:g}:  worst {with_interval(*value.worst)},  average {with_interval(*value.average)}"
        for degree, value in drawn.items()
    ]
    return Plot(
        task=visible(task, 40),
        panel=panel,
        stops=stops_of(list(drawn), texts) if drawn else (),
        lost=_lost(scores_by_degree(score.degrees)),
    )


def _lost(by_degree: Mapping[float, DegreeScore]) -> str:
    """Return how many samples the lowest degree turns wrong, or nothing if the result does not say."""
    for degree, score in by_degree.items():
        if score.attack_success_rate is None or not score.n_attacked:
            return ""
        n_lost = round(score.attack_success_rate * score.n_attacked)
        return f"{n_lost:,} of {score.n_attacked:,} samples right when clean are lost at degree {degree:g}"
    return ""
