"""Data files with all their columns: CSV, TSV, JSONL and Parquet, read and written."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder.tasks.file import records_of_file
from builder.tasks.task_recipe import ReadOptions
from contract.machine.errors import ExitCode, UserError, bad_input, bad_inputs
from contract.machine.whole_files import whole_file, write_text

if TYPE_CHECKING:
    import pyarrow as pa

MOST_LABELS = 100
FORMATS = (".csv", ".tsv", ".jsonl", ".parquet")


@dataclass(frozen=True, kw_only=True)
class DataTable:
    """The rows of a data file with all their columns; of Parquet also the types.

    The columns of a file without a header are called by their numbers from 0.
    """

    columns: tuple[str, ...]
    rows: Sequence[dict[str, Any]]
    schema: "pa.Schema | None" = None
    has_header: bool = True

    def with_rows(self, rows: Sequence[dict[str, Any]], more: Sequence[str] = ()) -> "DataTable":
        """Return a table with other rows, which may have more columns."""
        return replace(self, columns=(*self.columns, *more), rows=rows)


def check_format(path: Path) -> None:
    """Refuse a file whose name does not say how it is written."""
    if path.suffix.lower() not in FORMATS:
        raise UserError(
            f"{path}: cannot tell the format; end the name with {', '.join(FORMATS)}",
            exit_code=ExitCode.WRONG_USE,
        )


def read_table(path: Path) -> DataTable:
    """Return the rows of a file; one error names every line that cannot be read."""
    if not path.is_file():
        raise bad_input(f"{path}: there is no such file")
    check_format(path)
    rows = _rows(path, ReadOptions())
    has_header = path.suffix.lower() not in {".csv", ".tsv"} or not _is_row(rows)
    if not has_header:
        rows = _rows(path, ReadOptions(header=False))
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    # A line of JSON may leave a key out.
    rows = [{name: row.get(name) for name in columns} for row in rows]
    return DataTable(columns=columns, rows=rows, schema=_schema(path), has_header=has_header)


def _rows(path: Path, options: ReadOptions) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    problems = []
    for line, record in records_of_file(path, options):
        if isinstance(record, str):
            problems.append(f"{path}:{line}: {record}")
        else:
            rows.append({str(name): value for name, value in record.items()})
    if problems:
        raise bad_inputs(problems)
    return rows


def _is_row(rows: Sequence[dict[str, Any]]) -> bool:
    """Tell whether the names of the columns are a row, too: one of them is a label of its column."""
    for name in rows[0] if rows else ():
        values = {row[name] for row in rows}
        if name in values and len(values) <= min(MOST_LABELS, len(rows) / 2):
            return True
    return False


def _schema(path: Path) -> "pa.Schema | None":
    if path.suffix.lower() != ".parquet":
        return None
    import pyarrow.parquet as pq

    return pq.read_schema(path)


def write_table(path: Path, table: DataTable) -> None:
    """Write rows in the format that the file's name promises, whole or not at all."""
    check_format(path)
    kind = path.suffix.lower()
    if kind == ".parquet":
        _write_parquet(path, table)
    elif kind == ".jsonl":
        write_text(
            path, "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in table.rows)
        )
    elif kind == ".csv":
        file = io.StringIO(newline="")
        writer = csv.writer(file, lineterminator="\n")
        if table.has_header:
            writer.writerow(table.columns)
        writer.writerows([_cell(row[name]) for name in table.columns] for row in table.rows)
        write_text(path, file.getvalue())
    else:
        head = [list(table.columns)] if table.has_header else []
        lines = [[_cell(row[name]) for name in table.columns] for row in table.rows]
        write_text(path, "".join(_tab_separated(path, cells) for cells in [*head, *lines]))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _tab_separated(path: Path, cells: Iterable[str]) -> str:
    """Return a line; tab-separated files are read without quotes, so no cell may hold a tab or a line end."""
    cells = list(cells)
    if any(set(cell) & set("\t\n\r") for cell in cells):
        raise bad_input(f"{path}: a text holds a tab or a line end; write a .csv or .jsonl file instead")
    return "\t".join(cells) + "\n"


def _write_parquet(path: Path, table: DataTable) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    known = {} if table.schema is None else {field.name: field for field in table.schema}
    arrays = {}
    for name in table.columns:
        values = [row[name] for row in table.rows]
        try:
            arrays[name] = pa.array(values, known[name].type if name in known else None)
        except (pa.ArrowException, ValueError, TypeError):
            # A column of several types, as JSON may have it.
            arrays[name] = pa.array(
                [None if value is None else _cell(value) for value in values], pa.string()
            )
    metadata = None if table.schema is None else table.schema.metadata
    with whole_file(path) as temporary:
        pq.write_table(pa.table(arrays).replace_schema_metadata(metadata), temporary, compression="zstd")
