"""Figures to take away: the table as CSV and LaTeX, and every figure as one flat table."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from contract.errors import ExitCode, UserError
from contract.files import whole_file
from contract.leaderboards import Entry, Leaderboard
from contract.results import Aggregate, DegreeScore, SettingScore
from leaderboard.figures import NO_FIGURE, Figure
from leaderboard.strangers import visible
from leaderboard.tables import Table

_SCORES = ("average", "average_low", "average_high", "worst", "worst_low", "worst_high", "worst_at")
_TEXTS = ("organisation", "model", "revision", "status")
_PLACES = ("task", "dimension", "tag", "setting")
_SCHEMA = pa.schema(
    [(name, pa.string()) for name in _TEXTS]
    + [(name, pa.int32()) for name in ("rank_best", "rank_worst")]
    + [(name, pa.string()) for name in _PLACES]
    # Empty in the rows that hold the EWMA over all degrees.
    + [("degree", pa.string())]
    + [(name, pa.float64()) for name in _SCORES]
    + [(name, pa.float64()) for name in ("accuracy_cases", "attack_success_rate", "mean_realised_degree")]
    + [(name, pa.int64()) for name in ("n_samples", "n_cases")]
)
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def figures_of(leaderboard: Leaderboard) -> pa.Table:
    """Return every figure of every entry: clean, then each degree, then the EWMA of each part."""
    tags = {info.name: info.tag for info in leaderboard.dimensions}
    rows = [row for entry in leaderboard.entries for row in _figures_of_entry(entry, tags)]
    return pa.Table.from_pylist(rows, schema=_SCHEMA)


def write_figures(leaderboard: Leaderboard, path: Path) -> None:
    """Write every figure as CSV or Parquet, as the file's name asks."""
    if path.suffix not in {".csv", ".parquet"}:
        raise UserError(
            f"{path}: cannot tell the format; end the name with .csv or .parquet",
            exit_code=ExitCode.WRONG_USE,
        )
    table = figures_of(leaderboard)
    with whole_file(path) as temporary:
        if path.suffix == ".parquet":
            pq.write_table(table, temporary, compression="zstd")
        else:
            for name in _TEXTS + _PLACES:
                texts = [None if text is None else _csv_text(text) for text in table[name].to_pylist()]
                table = table.set_column(
                    table.schema.get_field_index(name), name, pa.array(texts, pa.string())
                )
            pacsv.write_csv(table, temporary)


def table_csv(table: Table) -> str:
    """Return the leaderboard's table as CSV, one model a row."""
    groups = ["general", "malicious"] if table.has_tags else []
    columns = [f"{name}_{kind}" for name in groups for kind in ("average", "worst")]
    columns += [f"{column.name}_{kind}" for column in table.columns for kind in ("average", "worst")]
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    head = ["rank_best", "rank_worst", *_TEXTS, "clean", "average", "worst"]
    writer.writerow(_csv_text(name) for name in head + columns)
    for row in table.rows:
        cells = ((row.general, row.malicious) if table.has_tags else ()) + row.dimensions
        texts = [row.model.organisation, row.model.name, row.model.revision, row.model.status]
        figures = [row.average, row.worst] + [part for cell in cells for part in (cell.average, cell.worst)]
        writer.writerow(
            [row.rank_best, row.rank_worst]
            + [_csv_text(text) for text in texts]
            + [row.clean.replace(NO_FIGURE, "")]
            + [_csv_figure(part) for part in figures]
        )
    return buffer.getvalue()


def table_latex(table: Table, caption: str) -> str:
    """Return the leaderboard's table for a paper: average over worst, as the page shows them."""
    lines = [
        "% Needs \\usepackage{booktabs}; in dimension columns: average / worst, per cent.",
        "\\begin{table}",
        f"\\caption{{{_latex(caption)}}}",
        f"\\begin{{tabular}}{{rl{'r' * (3 + len(table.columns))}}}",
        "\\toprule",
        _latex_row(
            ["Rank", "Model", "Clean", "Average", "Worst", *(column.name for column in table.columns)]
        ),
        "\\midrule",
    ]
    for row in table.rows:
        cells = [
            f"{_text_of(cell.average)} / {_text_of(cell.worst)}" if cell.average else NO_FIGURE
            for cell in row.dimensions
        ]
        overall = [row.clean, _text_of(row.average), _text_of(row.worst)]
        lines.append(_latex_row([row.rank or NO_FIGURE, row.model.name, *overall, *cells]))
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", "\\end{table}", ""])


def _figures_of_entry(entry: Entry, tags: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """Yield the rows of one entry."""
    model = entry.result.model
    best, worst = entry.rank or (None, None)
    about = {
        "organisation": model.organisation,
        "model": model.name,
        "revision": model.revision,
        "status": entry.status,
        "rank_best": best,
        "rank_worst": worst,
    }
    overall = entry.result.overall
    if overall is not None:
        yield about | _aggregates(overall.average, overall.worst)
    for task, score in entry.result.tasks.items():
        low, high = score.clean.ci or (None, None)
        clean = {"average": score.clean.accuracy, "average_low": low, "average_high": high}
        yield (
            about
            | {"task": task, "dimension": "clean", "degree": "0", "n_samples": score.clean.n_samples}
            | clean
        )
        for dimension, settings in score.dimensions.items():
            for setting, value in settings.items():
                place = {"task": task, "dimension": dimension, "tag": tags.get(dimension), "setting": setting}
                for row in _figures_of_setting(value):
                    yield about | place | row


def _figures_of_setting(score: SettingScore) -> Iterable[dict[str, Any]]:
    for key, value in score.degrees.items():
        yield {"degree": key} | _degree_figures(value)
    if score.average is not None and score.worst is not None:
        yield _aggregates(score.average, score.worst)


def _degree_figures(score: DegreeScore) -> dict[str, Any]:
    average_low, average_high = score.average_ci or (None, None)
    worst_low, worst_high = score.worst_ci or (None, None)
    names = ("average", "worst", "worst_at", "accuracy_cases", "attack_success_rate", "mean_realised_degree")
    return {
        **{name: getattr(score, name) for name in (*names, "n_samples", "n_cases")},
        "average_low": average_low,
        "average_high": average_high,
        "worst_low": worst_low,
        "worst_high": worst_high,
    }


def _aggregates(average: Aggregate, worst: Aggregate) -> dict[str, Any]:
    average_low, average_high = average.ci or (None, None)
    worst_low, worst_high = worst.ci or (None, None)
    return {
        "average": average.ewma,
        "average_low": average_low,
        "average_high": average_high,
        "worst": worst.ewma,
        "worst_low": worst_low,
        "worst_high": worst_high,
    }


def _csv_text(text: str) -> str:
    """Return the text so that no spreadsheet takes it for a formula."""
    shown = visible(text)
    return f"'{shown}" if re.match(r"[=+\-@]", shown) else shown


def _csv_figure(figure: Figure | None) -> str:
    return "" if figure is None else figure.text


def _text_of(figure: Figure | None) -> str:
    return NO_FIGURE if figure is None else figure.text


def _latex_row(texts: Sequence[str]) -> str:
    return " & ".join(_latex(text) for text in texts) + r" \\"


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)
