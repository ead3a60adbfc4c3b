"""The leaderboard as one table: its columns, rows and shades, ready for a template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contract.schema.estimates import ESTIMATES, Estimated, estimate_of
from contract.schema.figures import metrics_of
from contract.schema.leaderboards import Entry, Leaderboard, LeaderboardDimension
from contract.schema.metrics import MetricInfo
from contract.schema.results import Result
from leaderboard.text.formatting import (
    Figure,
    HeatScale,
    TableCell,
    clean_score,
    figure,
    heat_scale,
    percent,
    table_cell,
)
from leaderboard.text.untrusted_text import page_name, shortened
from leaderboard.text.validity import weighted_text
from leaderboard.view.by_setting import (
    Coverage,
    Tab,
    coverage_of,
    covers_of,
    headline_name,
    pairs_of,
    setting_pair,
    tabs_of,
    tag_pair,
)
from leaderboard.view.kinship import own_score
from leaderboard.view.labels import ModelLabel, model_labels
from leaderboard.view.transferable import Transferable, transferable_of


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of the table; `tag` is empty if the leaderboard does not know it."""

    name: str
    label: str
    tag: str
    page: str


@dataclass(frozen=True, kw_only=True)
class SettingCells:
    """The scores of one entry in one setting; nothing here mixes settings."""

    whole: TableCell
    general: TableCell
    malicious: TableCell
    dimensions: tuple[TableCell, ...]
    transferable: Transferable | None


@dataclass(frozen=True, kw_only=True)
class Row(Estimated):
    """One entry in the table; `starts_group` if it ties with no ranked row above it."""

    model: ModelLabel
    rank: str
    rank_best: int | None
    rank_worst: int | None
    rank_without_families: str
    starts_group: bool
    clean: str
    accuracy: str
    average: Figure | None
    worst: Figure | None
    # By the name of the tab.
    settings: Mapping[str, SettingCells]
    n_parameters: int | None
    date: str = ""


@dataclass(frozen=True, kw_only=True)
class Table:
    """The whole leaderboard as one table."""

    columns: tuple[Column, ...]
    tabs: tuple[Tab, ...]
    rows: tuple[Row, ...]
    scale: HeatScale
    headline: str
    has_tags: bool
    has_intervals: bool
    has_relatives: bool
    has_weights: bool
    has_ranks_without_families: bool
    # The metrics of all results; a result need not have figures of each.
    metrics: tuple[MetricInfo, ...]

    @property
    def has_dates(self) -> bool:
        """Whether any entry has a date."""
        return any(row.date for row in self.rows)


def tasks_of(leaderboard: Leaderboard) -> tuple[str, ...]:
    """Return every task that some entry has scores of, in order."""
    return tuple(dict.fromkeys(task for entry in leaderboard.entries for task in entry.result.tasks))


def as_listed(leaderboard: Leaderboard) -> Leaderboard:
    """Return the leaderboard in the order of its pages: models without skill after those with skill."""
    order = {"no-skill": 1, "partial": 2}
    # The sort is stable: entries with the same status keep their order.
    entries = sorted(leaderboard.entries, key=lambda entry: order.get(entry.status, 0))
    return leaderboard.model_copy(update={"entries": tuple(entries)})


def columns_of(dimensions: Sequence[LeaderboardDimension]) -> tuple[Column, ...]:
    """Return the columns of the dimensions; a label leaves out a tag that the name ends with."""
    return tuple(
        Column(
            name=shortened(info.name),
            label=shortened(info.name.removesuffix(f"-{info.tag}") if info.tag else info.name),
            tag=info.tag or "",
            page=page_name(info.name),
        )
        for info in dimensions
    )


def table_of(leaderboard: Leaderboard, dates: Mapping[str, str] | None = None) -> Table:
    """Return the table of all entries; a shade means the same score in all its cells.

    `dates` holds the date of an entry by the path of its file.
    """
    results = [entry.result for entry in leaderboard.entries]
    tabs, coverage = tabs_of(results), coverage_of(results)
    scale = heat_scale(_scores(results, tabs, coverage))
    names = [info.name for info in leaderboard.dimensions]
    rows: list[Row] = []
    lowest_above: int | None = None
    labels = model_labels(leaderboard.entries)
    for entry, label in zip(leaderboard.entries, labels, strict=True):
        settings = {tab.name: _cells(entry.result, tab, coverage, names, scale) for tab in tabs}
        # A row that ties with any row above, not only with the nearest, belongs to their group. Entries
        # without a rank do not end a group.
        starts_group = entry.rank is not None and lowest_above is not None and entry.rank[0] > lowest_above
        date = (dates or {}).get(entry.path, "")
        rows.append(_row(entry, label, settings, scale, starts_group=starts_group, date=date))
        if entry.rank is not None:
            lowest_above = max(entry.rank[1], lowest_above or 0)
    return Table(
        columns=columns_of(leaderboard.dimensions),
        tabs=tabs,
        rows=tuple(rows),
        scale=scale,
        headline=headline_name(
            covers_of(results), is_audit=any(result.audit is not None for result in results)
        ),
        has_tags=any(
            cells.general.score or cells.malicious.score for row in rows for cells in row.settings.values()
        ),
        has_intervals=any(row.score and row.score.interval for row in rows),
        has_relatives=any(row.score and row.score.without_own for row in rows),
        has_weights=any(row.score and row.score.weighted for row in rows),
        has_ranks_without_families=any(row.rank_without_families for row in rows),
        metrics=metrics_of(results),
    )


def _scores(results: Sequence[Result], tabs: Sequence[Tab], coverage: Coverage) -> list[float]:
    return [
        score
        for result in results
        for tab in tabs
        for pair in pairs_of(result, tab, coverage).values()
        for score in (pair.average.ewma, pair.worst.ewma)
    ]


def _cells(
    result: Result, tab: Tab, coverage: Coverage, names: Sequence[str], scale: HeatScale
) -> SettingCells:
    pairs = pairs_of(result, tab, coverage)
    return SettingCells(
        whole=table_cell(setting_pair(result.overall, tab), scale),
        general=table_cell(tag_pair(result.overall, "general", tab), scale),
        malicious=table_cell(tag_pair(result.overall, "malicious", tab), scale),
        dimensions=tuple(table_cell(pairs.get(name), scale) for name in names),
        transferable=transferable_of(result, tab.settings),
    )


def _row(
    entry: Entry,
    label: ModelLabel,
    settings: Mapping[str, SettingCells],
    scale: HeatScale,
    *,
    starts_group: bool,
    date: str,
) -> Row:
    overall, own = entry.result.overall, own_score(entry.result)
    figures = {
        estimate: figure(
            estimate_of(overall, estimate),
            scale,
            weighted=weighted_text(overall, estimate),
            without_own=estimate_of(own, estimate) if own else None,
        )
        if overall
        else None
        for estimate in ESTIMATES
    }
    return Row(
        model=label,
        rank=_range_text(entry.rank),
        rank_best=entry.rank[0] if entry.rank else None,
        rank_worst=entry.rank[1] if entry.rank else None,
        rank_without_families=_range_text(entry.rank_without_families),
        starts_group=starts_group,
        clean=percent(clean_score(entry.result)),
        accuracy=percent(overall.clean_accuracy if overall else None),
        average=figures["average"],
        worst=figures["worst"],
        settings=settings,
        n_parameters=entry.result.model.n_parameters,
        date=date,
    )


def _range_text(rank: tuple[int, int] | None) -> str:
    if rank is None:
        return ""
    best, worst = rank
    return str(best) if best == worst else f"{best}–{worst}"
