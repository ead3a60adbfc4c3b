"""Every figure of a leaderboard as one flat table, to download as CSV or Parquet."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from contract.machine.errors import ExitCode, UserError
from contract.machine.whole_files import whole_file
from contract.schema.figures import Scored, figure_of, further_figures, metrics_of
from contract.schema.leaderboards import Entry, Leaderboard
from contract.schema.metrics import MetricInfo
from contract.schema.results import Aggregate, CleanScore, DegreeScore, Overall, SettingScore
from leaderboard.text.untrusted_text import visible
from leaderboard.view.table_downloads import csv_text

_TEXTS = ("organisation", "model", "revision", "status")
_CELL = ("task", "dimension", "tag", "setting")
_MEASURED = (
    "accuracy_cases",
    "attack_success_rate",
    "mean_realised_degree",
    "share_with_case",
    "transferable_accuracy",
)
_SCORES = (
    "average",
    "average_low",
    "average_high",
    "worst",
    "worst_low",
    "worst_high",
    "worst_at",
    *_MEASURED,
)
_COUNTS = ("n_samples", "n_cases", "n_transferable")
_SCHEMA = pa.schema(
    [(name, pa.string()) for name in _TEXTS]
    + [(name, pa.int64()) for name in ("rank_best", "rank_worst")]
    + [(name, pa.string()) for name in _CELL]
    # Empty in the rows that hold the EWMA over all degrees.
    + [("degree", pa.string())]
    + [(name, pa.float64()) for name in _SCORES]
    + [(name, pa.int64()) for name in _COUNTS]
)
_ALL_CELLS = (None,) * len(_CELL)
_NO_INTERVAL = (None, None)

# Some columns of a row; tuples, because a large leaderboard has hundreds of thousands of rows.
_Values = tuple[Any, ...]


class _Row(NamedTuple):
    """The columns that every table has, and the figures of further metrics by the name of their column."""

    values: _Values
    further: dict[str, Scored]


def figures_of(leaderboard: Leaderboard) -> pa.Table:
    """Return every figure of every entry: overall, clean, each degree, then the EWMA over degrees."""
    return figures_of_entries(leaderboard.entries, {info.name: info.tag for info in leaderboard.dimensions})


def figures_of_entries(of_entries: Sequence[Entry], tags: Mapping[str, Any]) -> pa.Table:
    """Return every figure of some entries, with the tags of dimensions as far as they are known."""
    infos = [
        info
        for info in metrics_of(entry.result for entry in of_entries)
        if info.key not in (*_SCHEMA.names, "clean_accuracy")
    ]
    abouts: list[_Values] = []
    rows: list[_Row] = []
    # The index of each row's entry: the columns that all rows of an entry share are made once an entry.
    entries: list[int] = []
    for index, entry in enumerate(of_entries):
        abouts.append(_about(entry))
        rows.extend(_figures_of_entry(entry, tags, infos))
        entries += [index] * (len(rows) - len(entries))
    fields = list(_SCHEMA)
    n_about = len(fields) - len(_CELL) - 1 - len(_SCORES) - len(_COUNTS)
    shared = [column.take(pa.array(entries, pa.int32())) for column in _arrays(abouts, fields[:n_about])]
    of_rows = _arrays([row.values for row in rows], fields[n_about:])
    table = pa.Table.from_arrays([*shared, *of_rows], schema=_SCHEMA)
    return _with_further(table, [row.further for row in rows])


def _with_further(table: pa.Table, further: Sequence[Mapping[str, Scored]]) -> pa.Table:
    """Return the table with three columns for each further metric: the figure and its interval."""
    for name in dict.fromkeys(name for figures in further for name in figures):
        figures = [row.get(name) for row in further]
        bounds = [None if figure is None else figure.interval for figure in figures]
        columns = {
            name: [None if figure is None else figure.value for figure in figures],
            f"{name}_low": [None if interval is None else interval[0] for interval in bounds],
            f"{name}_high": [None if interval is None else interval[1] for interval in bounds],
        }
        for heading, values in columns.items():
            table = table.append_column(heading, pa.array(values, pa.float64()))
    return table


def _arrays(rows: Sequence[_Values], fields: Sequence[pa.Field]) -> list[pa.Array]:
    """Return the columns of some rows."""
    columns = zip(*rows, strict=True) if rows else [()] * len(fields)
    return [pa.array(column, field.type) for column, field in zip(columns, fields, strict=True)]


def write_figures(figures: pa.Table, path: Path) -> None:
    """Write every figure as CSV or Parquet, by the ending of the file's name."""
    if path.suffix not in {".csv", ".parquet"}:
        raise UserError(
            f"{path}: cannot tell the format; end the name with .csv or .parquet",
            exit_code=ExitCode.WRONG_USE,
        )
    with whole_file(path) as temporary:
        if path.suffix == ".parquet":
            pq.write_table(figures, temporary, compression="zstd")
        else:
            pacsv.write_csv(_with_csv_texts(figures), temporary)


def _about(entry: Entry) -> _Values:
    """Return the columns that all rows of an entry share."""
    model = entry.result.model
    return (model.organisation, model.name, model.revision, entry.status, *(entry.rank or _NO_INTERVAL))


def _figures_of_entry(entry: Entry, tags: Mapping[str, Any], infos: Sequence[MetricInfo]) -> Iterator[_Row]:
    """Yield the rows of an entry; `infos` are the metrics without a fixed column."""
    overall = entry.result.overall
    if overall is not None:
        values = (*_ALL_CELLS, *_aggregates(overall.average, overall.worst))
        yield _Row(values, _further(overall, infos) | _weighted(overall))
        for setting, pair in overall.settings.items():
            values = (None, None, None, setting, *_aggregates(pair.average, pair.worst))
            yield _Row(values, {})
    for task, score in entry.result.tasks.items():
        if score.clean is not None:
            values = (task, "clean", None, None, *_clean_figures(score.clean))
            yield _Row(values, _further_of_split(score.clean, infos))
        for dimension, settings in score.dimensions.items():
            for setting, value in settings.items():
                cell = (task, dimension, tags.get(dimension), setting)
                for key, at_degree in value.degrees.items():
                    yield _Row(cell + _degree_figures(key, at_degree), _further_of_split(at_degree, infos))
                if value.average is not None and value.worst is not None:
                    yield _Row(cell + _aggregates(value.average, value.worst), _further(value, infos))


def _further_of_split(score: CleanScore | DegreeScore, infos: Sequence[MetricInfo]) -> dict[str, Scored]:
    fields = vars(score)
    # A large leaderboard has a million rows here, most of them without figures of their own.
    asked = [info for info in infos if info.key in fields or info.key in score.metrics]
    return {info.key: figure for info in asked if (figure := figure_of(score, info)) is not None}


def _further(score: SettingScore | Overall, infos: Sequence[MetricInfo]) -> dict[str, Scored]:
    """Return the figures by column; a metric may have one for the average and one for the worst."""
    figures = {}
    for info, which, figure in further_figures(score, infos):
        figures[visible(f"{info.key}_{which}" if which else info.key, 120)] = figure
    return figures


def _clean_figures(score: CleanScore) -> _Values:
    scores = (score.score, *(score.score_ci or _NO_INTERVAL), None, None, None, None)
    measured = (score.accuracy, *(None for _ in _MEASURED[1:]))
    return ("0", *scores, *measured, score.n_samples, None, None)


def _degree_figures(key: str, score: DegreeScore) -> _Values:
    average = (score.average, *(score.average_ci or _NO_INTERVAL))
    worst = (score.worst, *(score.worst_ci or _NO_INTERVAL), score.worst_at)
    tier = score.transferable
    measured = (
        score.accuracy_cases,
        score.attack_success_rate,
        score.mean_realised_degree,
        score.share_with_case,
        None if tier is None else tier.accuracy,
    )
    counts = (score.n_samples, score.n_cases, None if tier is None else tier.n_cases)
    return (key, *average, *worst, *measured, *counts)


def _aggregates(average: Aggregate, worst: Aggregate) -> _Values:
    scores = (average.ewma, *(average.ci or _NO_INTERVAL), worst.ewma, *(worst.ci or _NO_INTERVAL), None)
    return (None, *scores, *(None for _ in (*_MEASURED, *_COUNTS)))


def _weighted(overall: Overall) -> dict[str, Scored]:
    """Return the validity-weighted scores by the names of their columns."""
    return {
        visible(f"validity_weighted_{key.replace('/', '_')}", 120): Scored(
            value, overall.validity_weighted_ci.get(key)
        )
        for key, value in overall.validity_weighted.items()
    }


def _with_csv_texts(figures: pa.Table) -> pa.Table:
    """Return the figures with every text made safe for a spreadsheet."""
    # Degrees are keys of a result file, which is not trusted: they need not be numbers.
    for name in (*_TEXTS, *_CELL, "degree"):
        # A few texts stand in many rows: each is made safe once.
        coded = figures[name].combine_chunks().dictionary_encode()
        safe = pa.array([csv_text(text) for text in coded.dictionary.to_pylist()], pa.string())
        column = safe.take(coded.indices)
        figures = figures.set_column(figures.schema.get_field_index(name), name, column)
    return figures
