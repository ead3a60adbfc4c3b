"""The leaderboard as one table: its columns, rows and shades, ready for a template."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from contract.schema.figures import metrics_of
from contract.schema.leaderboards import Entry, Leaderboard, LeaderboardDimension
from contract.schema.metrics import MetricInfo
from leaderboard.text.formatting import (
    Figure,
    HeatScale,
    TableCell,
    clean_accuracy,
    coverage_of,
    dimension_pairs,
    figure,
    heat_scale,
    percent,
    table_cell,
)
from leaderboard.text.untrusted_text import page_name, shortened


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of the table; `tag` is empty if the leaderboard does not know it."""

    name: str
    label: str
    tag: str
    page: str


@dataclass(frozen=True, kw_only=True)
class ModelLabel:
    """A model's name in tables, and its page.

    `distinct` is the name with organisation and revision, if several models of a leaderboard have the name.
    """

    name: str
    distinct: str
    organisation: str
    revision: str
    page: str
    status: str
    is_surrogate: bool

    @property
    def marks(self) -> tuple[str, ...]:
        """The reasons why its scores cannot be compared with those of others, in the words of the badges."""
        marks = {
            "surrogate": self.is_surrogate,
            "partial": self.status == "partial",
            "no skill": self.status == "no-skill",
        }
        return tuple(mark for mark, holds in marks.items() if holds)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One entry in the table; `starts_group` if it ties with no ranked row above it."""

    model: ModelLabel
    rank: str
    rank_best: int | None
    rank_worst: int | None
    starts_group: bool
    clean: str
    average: Figure | None
    worst: Figure | None
    general: TableCell
    malicious: TableCell
    dimensions: tuple[TableCell, ...]


@dataclass(frozen=True, kw_only=True)
class Table:
    """The whole leaderboard as one table."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    scale: HeatScale
    has_tags: bool
    has_intervals: bool
    has_relatives: bool
    # The metrics of all results; a result need not have figures of each.
    metrics: tuple[MetricInfo, ...]


@dataclass(frozen=True, kw_only=True)
class Scopes:
    """The tasks and settings that a table can be narrowed to."""

    tasks: tuple[str, ...]
    settings: tuple[str, ...]


def scopes_of(leaderboard: Leaderboard) -> Scopes:
    """Return every task and setting in which some entry was scored, in order."""
    results = [entry.result for entry in leaderboard.entries]
    cells = set().union(*coverage_of(results).values())
    return Scopes(
        tasks=tuple(dict.fromkeys(task for result in results for task in result.tasks)),
        settings=tuple(sorted({setting for _, setting in cells})),
    )


def as_listed(leaderboard: Leaderboard) -> Leaderboard:
    """Return the leaderboard in the order of its pages: models without skill after those with skill.

    No attack changes a constant answer: by its score alone, such a model would be first.
    """
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


def table_of(leaderboard: Leaderboard) -> Table:
    """Return the table of all entries; a shade means the same score in all its cells."""
    results = [entry.result for entry in leaderboard.entries]
    coverage = coverage_of(results)
    pairs = [dimension_pairs(result, coverage) for result in results]
    scale = heat_scale(
        score
        for by_dimension in pairs
        for pair in by_dimension.values()
        for score in (pair.average.ewma, pair.worst.ewma)
    )
    names = [info.name for info in leaderboard.dimensions]
    rows: list[Row] = []
    lowest_above: int | None = None
    labels = model_labels(leaderboard.entries)
    for entry, label, by_dimension in zip(leaderboard.entries, labels, pairs, strict=True):
        cells = tuple(table_cell(by_dimension.get(name), scale) for name in names)
        # A row that ties with any row above, not only with the nearest, belongs to their group. Entries
        # without a rank do not end a group.
        starts_group = entry.rank is not None and lowest_above is not None and entry.rank[0] > lowest_above
        rows.append(_row(entry, label, cells, scale, starts_group=starts_group))
        if entry.rank is not None:
            lowest_above = max(entry.rank[1], lowest_above or 0)
    return Table(
        columns=columns_of(leaderboard.dimensions),
        rows=tuple(rows),
        scale=scale,
        has_tags=any(row.general.average or row.malicious.average for row in rows),
        has_intervals=any(row.average and row.average.interval for row in rows),
        has_relatives=any(row.average and row.average.without_own for row in rows),
        metrics=metrics_of(results),
    )


def model_labels(entries: Sequence[Entry]) -> tuple[ModelLabel, ...]:
    """Return the labels of a leaderboard's entries, in order."""
    n_named = Counter(shortened(entry.result.model.name) for entry in entries)
    return tuple(
        _model_label(entry, is_repeated=n_named[shortened(entry.result.model.name)] > 1) for entry in entries
    )


def _model_label(entry: Entry, *, is_repeated: bool) -> ModelLabel:
    model = entry.result.model
    name = shortened(model.name)
    details = " ".join(shortened(text) for text in (model.organisation, model.revision) if text)
    return ModelLabel(
        name=name,
        distinct=f"{name} ({details})" if is_repeated and details else name,
        organisation=shortened(model.organisation or ""),
        revision=shortened(model.revision or ""),
        page=page_name(model.organisation, model.name, model.revision),
        status=entry.status,
        is_surrogate=model.is_surrogate_family,
    )


def _row(
    entry: Entry,
    label: ModelLabel,
    dimensions: tuple[TableCell, ...],
    scale: HeatScale,
    *,
    starts_group: bool,
) -> Row:
    overall, own = entry.result.overall, entry.result.without_own_family
    if own is not None and not own.n_dropped:
        # Nothing was left out: the score would be the same.
        own = None
    return Row(
        model=label,
        rank=_rank_text(entry),
        rank_best=entry.rank[0] if entry.rank else None,
        rank_worst=entry.rank[1] if entry.rank else None,
        starts_group=starts_group,
        clean=percent(clean_accuracy(entry.result)),
        average=figure(overall.average, scale, without_own=own.average if own else None) if overall else None,
        worst=figure(overall.worst, scale, without_own=own.worst if own else None) if overall else None,
        general=table_cell(overall.general if overall else None, scale),
        malicious=table_cell(overall.malicious if overall else None, scale),
        dimensions=dimensions,
    )


def _rank_text(entry: Entry) -> str:
    if entry.rank is None:
        return ""
    best, worst = entry.rank
    return str(best) if best == worst else f"{best}–{worst}"
