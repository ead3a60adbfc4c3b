"""What the pages show, worked out from a leaderboard before any template sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contract.leaderboards import Entry, Leaderboard, LeaderboardDimension
from contract.results import Pair, SettingScore
from leaderboard.charts import Chart, degree_chart, degree_of
from leaderboard.figures import (
    Cell,
    Figure,
    HeatScale,
    cell,
    clean_accuracy,
    coverage_of,
    dimension_pairs,
    figure,
    heat_scale,
    interval_text,
    percent,
)
from leaderboard.strangers import page_name, shortened, visible, web_link


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of the table; `tag` is empty where the leaderboard does not know it."""

    name: str
    label: str
    tag: str
    page: str


@dataclass(frozen=True, kw_only=True)
class ModelLabel:
    """How a model is called in tables and which page is its own."""

    name: str
    organisation: str
    revision: str
    page: str
    status: str
    is_surrogate: bool


@dataclass(frozen=True, kw_only=True)
class Row:
    """One entry in the table; `starts_group` where it cannot tie with the row above."""

    model: ModelLabel
    rank: str
    rank_low: int | None
    starts_group: bool
    clean: str
    average: Figure | None
    worst: Figure | None
    general: Cell
    malicious: Cell
    dimensions: tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True)
class Table:
    """The whole leaderboard as one table."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    scale: HeatScale
    has_tags: bool
    has_intervals: bool


@dataclass(frozen=True, kw_only=True)
class DegreeRow:
    """The figures at one degree."""

    degree: str
    realised: str
    average: str
    average_interval: str
    worst: str
    worst_interval: str
    worst_at: str
    success_rate: str
    n_samples: int
    n_cases: int
    is_used: bool


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One dimension and setting of one task on a model's page."""

    column: Column
    setting: str
    score: Cell
    not_scored: str
    chart: Chart | None
    rows: tuple[DegreeRow, ...]


@dataclass(frozen=True, kw_only=True)
class TaskSection:
    """One task on a model's page."""

    task: str
    clean: str
    clean_interval: str | None
    n_samples: int
    panels: tuple[Panel, ...]


@dataclass(frozen=True, kw_only=True)
class ModelPage:
    """Everything a model's own page shows."""

    row: Row
    full_name: str
    link: str | None
    facts: tuple[tuple[str, str], ...]
    notes: str
    settings: tuple[tuple[str, Cell], ...]
    tasks: tuple[TaskSection, ...]
    absent: tuple[str, ...]


def columns_of(dimensions: Sequence[LeaderboardDimension]) -> tuple[Column, ...]:
    """Return the heads of the dimensions' columns; a tag that the name repeats is said once."""
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
    """Return the table of all entries with shades that compare across it."""
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
    for entry, by_dimension in zip(leaderboard.entries, pairs, strict=True):
        rows.append(_row(entry, rows[-1] if rows else None, by_dimension, names, scale))
    return Table(
        columns=columns_of(leaderboard.dimensions),
        rows=tuple(rows),
        scale=scale,
        has_tags=any(row.general.average or row.malicious.average for row in rows),
        has_intervals=any(row.average and row.average.interval for row in rows),
    )


def model_page(entry: Entry, row: Row, leaderboard: Leaderboard, scale: HeatScale) -> ModelPage:
    """Return what the page of one entry shows."""
    result = entry.result
    overall = result.overall
    columns = {
        info.name: column
        for info, column in zip(leaderboard.dimensions, columns_of(leaderboard.dimensions), strict=True)
    }
    return ModelPage(
        row=row,
        full_name=visible(result.model.name),
        link=web_link(result.model.url),
        facts=_facts(entry),
        notes=visible(result.model.notes or ""),
        settings=tuple(
            (visible(name), cell(pair, scale)) for name, pair in (overall.settings if overall else {}).items()
        ),
        tasks=tuple(
            TaskSection(
                task=visible(task),
                clean=percent(score.clean.accuracy),
                clean_interval=interval_text(score.clean.ci),
                n_samples=score.clean.n_samples,
                panels=tuple(
                    _panel(columns[name], setting, value, score.clean.accuracy, scale)
                    for name in columns
                    for setting, value in score.dimensions.get(name, {}).items()
                ),
            )
            for task, score in result.tasks.items()
        ),
        absent=tuple(visible(name) for name in result.absent),
    )


def model_label(entry: Entry) -> ModelLabel:
    """Return how an entry is called."""
    model = entry.result.model
    return ModelLabel(
        name=shortened(model.name),
        organisation=shortened(model.organisation or ""),
        revision=shortened(model.revision or ""),
        page=page_name(model.organisation, model.name, model.revision),
        status=entry.status,
        is_surrogate=model.is_surrogate_family,
    )


def _row(
    entry: Entry, above: Row | None, pairs: Mapping[str, Pair], names: Sequence[str], scale: HeatScale
) -> Row:
    overall = entry.result.overall
    return Row(
        model=model_label(entry),
        rank=_rank_text(entry),
        rank_low=entry.rank[0] if entry.rank else None,
        starts_group=above is None or (entry.rank is not None and above.rank_low != entry.rank[0]),
        clean=percent(clean_accuracy(entry.result)),
        average=figure(overall.average, scale) if overall else None,
        worst=figure(overall.worst, scale) if overall else None,
        general=cell(overall.general if overall else None, scale),
        malicious=cell(overall.malicious if overall else None, scale),
        dimensions=tuple(cell(pairs.get(name), scale) for name in names),
    )


def _rank_text(entry: Entry) -> str:
    if entry.rank is None:
        return ""
    best, worst = entry.rank
    return str(best) if best == worst else f"{best}–{worst}"


def _panel(column: Column, setting: str, score: SettingScore, clean: float, scale: HeatScale) -> Panel:
    by_degree = sorted(score.degrees.items(), key=lambda item: (degree_of(item[0]) or 0.0, item[0]))
    return Panel(
        column=column,
        setting=visible(setting),
        score=Cell(average=figure(score.average, scale), worst=figure(score.worst, scale)),
        not_scored=visible(score.not_scored or ""),
        chart=degree_chart(f"{column.name}, setting {visible(setting)}", score.degrees, clean),
        rows=tuple(
            DegreeRow(
                degree=visible(key),
                realised="" if value.mean_realised_degree is None else f"{value.mean_realised_degree:.3f}",
                average=percent(value.average),
                average_interval=interval_text(value.average_ci) or "",
                worst=percent(value.worst),
                worst_interval=interval_text(value.worst_ci) or "",
                worst_at=percent(value.worst_at),
                success_rate=percent(value.attack_success_rate),
                n_samples=value.n_samples,
                n_cases=value.n_cases,
                is_used=key in score.degrees_used,
            )
            for key, value in by_degree
        ),
    )


def _facts(entry: Entry) -> tuple[tuple[str, str], ...]:
    """Return where a result comes from, as pairs of a term and its description."""
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
        **{name: None if value is None else str(value) for name, value in result.measurements.items()},
    }
    return tuple((visible(name, 80), visible(value)) for name, value in facts.items() if value)
