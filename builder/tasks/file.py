"""The data source `file`: local CSV, TSV, JSON, JSONL and Parquet files; errors name the line."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder.tasks.data_source import DataSource, RawRecord, RawRecords, RawRow, RawRows
from builder.tasks.token_files import CONLLU, column_records, conllu_records
from contract.machine.errors import bad_input, bad_inputs
from contract.machine.hashes import hash_of_file
from contract.machine.parquet_files import FileColumns, fault_of
from contract.machine.registry import did_you_mean
from contract.task_kinds.tagging import TAGGING

if TYPE_CHECKING:
    from builder.tasks.task_recipe import Column, ReadOptions

PACKED = ".gz"
MOST_INFLATED_BYTES = 1 << 31
DELIMITERS = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
MOST_FIELD_CHARACTERS = 10_000_000
MOST_COLUMNS_SHOWN = 50
MOST_CHARACTERS_SHOWN = 60
EMPTY_TEXT = "a text is empty; remove the row, or say `empty: drop` under read"


class _BadLine(Exception):  # noqa: N818
    """A line that cannot become a row; collected, never raised to the user."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


def read_file(argument: str, options: "ReadOptions") -> RawRows:
    """Return the rows of a local file."""
    path = Path(argument)
    _check_is_file(path)
    rows, problems = [], []
    for number, (line, record) in enumerate(records_of_file(path, options)):
        row = record if isinstance(record, str) else _row(number, f"{path}:{line}", record, options)
        if isinstance(row, str):
            problems.append(f"{path}:{line}: {row}")
        elif row is not None and (row.label or options.unlabelled == "refuse"):
            rows.append(row)
    if problems:
        raise bad_inputs(problems)
    if not rows:
        raise bad_input(f"{path}: holds no labelled rows")
    return RawRows(rows=rows, labels=None, sha256=hash_of_file(path))


def read_records(argument: str, options: "ReadOptions", kind: str) -> RawRecords:
    """Return the records of a local file, for a task with many labels a text."""
    path = Path(argument)
    _check_is_file(path)
    if kind == TAGGING.name and format_of(path) not in {".jsonl", ".ndjson", ".json", ".parquet"}:
        read = conllu_records if format_of(path) == CONLLU else column_records
        found = read(_lines(path, options), options.columns)
    else:
        found = records_of_file(path, options)
    records = [
        RawRecord(row=number, place=f"{path}:{line}", record=record)
        for number, (line, record) in enumerate(found)
    ]
    return RawRecords(records=records, sha256=hash_of_file(path))


def _check_is_file(path: Path) -> None:
    if not path.is_file():
        raise bad_input(
            f"{path}: there is no such file; paths in a recipe start at the recipe's folder,"
            " and --source TASK=file:PATH names another file"
        )


def format_of(path: Path) -> str:
    """Return the extension that says how a file is read; .gz around text files is looked through."""
    return Path(path.name.lower().removesuffix(PACKED)).suffix


def records_of_file(path: Path, options: "ReadOptions") -> Iterator[tuple[int, dict[Any, Any] | str]]:
    """Yield (line, record), or (line, what is wrong with it)."""
    kind = format_of(path)
    if kind in {".jsonl", ".ndjson"}:
        return _json_records(path, options)
    if kind == ".json":
        return _json_list(path, options)
    if kind == ".parquet" and not path.name.lower().endswith(PACKED):
        return _parquet_records(path)
    if kind in DELIMITERS or options.delimiter:
        return _delimited_records(path, options)
    raise bad_input(
        f"{path}: expected .csv, .tsv, .txt, .json, .jsonl or .parquet, or `delimiter` under read"
    )


def _row(number: int, place: str, record: dict[Any, Any], options: "ReadOptions") -> RawRow | str | None:
    """Return the row, or what is wrong with the record; nothing where it is to be dropped."""
    columns = options.columns
    try:
        text = _cell(record, columns.text)
        pair = None if columns.text_pair is None else _cell(record, columns.text_pair)
        label = _label(record, options)
    except _BadLine as fault:
        return str(fault)
    if not text.strip() or (pair is not None and not pair.strip()):
        return None if options.empty == "drop" else EMPTY_TEXT
    return RawRow(row=number, place=place, text=text, text_pair=pair, label=label)


def _label(record: dict[Any, Any], options: "ReadOptions") -> str:
    column = options.columns.label
    if options.default_label is not None and column not in record:
        return options.default_label
    return _cell(record, column).strip() or options.default_label or ""


def _cell(record: dict[Any, Any], column: "Column") -> str:
    if column not in record:
        guess = did_you_mean(str(column), map(str, islice(record, MOST_COLUMNS_SHOWN)))
        names = [str(name)[:MOST_CHARACTERS_SHOWN] for name in islice(record, MOST_COLUMNS_SHOWN)]
        raise _BadLine(
            f"no column {column!r};{guess} its columns are: {', '.join(names)}"
            + (", …" if len(record) > len(names) else "")
        )
    value = record[column]
    if value is None:
        return ""
    if isinstance(value, str):
        return _whole_characters(value, column)
    if isinstance(value, bool | int):
        return str(int(value))
    if isinstance(value, float):
        return str(value).removesuffix(".0")
    raise _BadLine(f"column {column!r} holds a {type(value).__name__}, expected text or a number")


def _whole_characters(text: str, column: "Column") -> str:
    """Return the text if it can be written: some escapes stand for one half of a character."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _BadLine(
            f"column {column!r} holds half of a character (U+{ord(text[error.start]):04X}); correct the text"
        ) from None
    return text


def _delimited_records(path: Path, options: "ReadOptions") -> Iterator[tuple[int, dict[Any, Any] | str]]:
    """Yield (line, record or fault); tab-separated files are taken to have no quoting, as GLUE's do."""
    delimiter = options.delimiter or DELIMITERS[format_of(path)]
    quoting = options.quoting or ("none" if delimiter == "\t" else "csv")
    if quoting == "none":
        rows = _plain_rows(_lines(path, options), delimiter)
    else:
        rows = _csv_rows(_text(path, options), delimiter)
    names: list[Any] | None = None
    try:
        for line, cells in rows:
            if names is None:
                names = list(cells) if options.header else list(range(len(cells)))
                if options.header:
                    continue
            if len(cells) != len(names):
                yield (
                    line,
                    f"{len(cells)} columns, expected {len(names)}; look for a stray quote or delimiter",
                )
            else:
                yield line, dict(zip(names, cells, strict=True))
    except _BadLine as fault:
        yield fault.line, str(fault)


def _plain_rows(lines: list[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of a file in which quotes mean nothing."""
    for line, text in enumerate(lines, start=1):
        if text:
            yield line, text.split(delimiter)


def _csv_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (first line, cells); a quoted cell may hold line ends."""
    csv.field_size_limit(MOST_FIELD_CHARACTERS)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    except (ValueError, TypeError) as error:
        raise _BadLine(f"{error}: {delimiter!r} cannot be the `delimiter` under read", 1) from None
    start = 1
    try:
        for cells in reader:
            line, start = start, reader.line_num + 1
            if cells:
                yield line, cells
    except csv.Error as error:
        raise _BadLine(f"cannot be read as CSV ({error}); try `quoting: none` under read", start) from None


def _lines(path: Path, options: "ReadOptions") -> list[str]:
    """Return lines cut at line feeds only: other Unicode line ends are text."""
    return _text(path, options).replace("\r\n", "\n").split("\n")


def _text(path: Path, options: "ReadOptions") -> str:
    raw = _bytes(path)
    encoding = options.encoding
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    try:
        return raw.decode(encoding).removeprefix("\ufeff")
    except LookupError:
        raise bad_input(f"{path}: unknown encoding {encoding!r}; try utf-8 or latin-1") from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise bad_input(
            f"{path}:{line}: not {encoding} (byte 0x{raw[error.start]:02x});"
            " say `encoding: latin-1` or the right one under read"
        ) from None
    except ValueError as error:
        raise bad_input(f"{path}: cannot be read as {encoding!r} ({error}); try utf-8 or latin-1") from None


def _bytes(path: Path) -> bytes:
    """Return the bytes of a text file, inflated where its name ends in .gz."""
    raw = path.read_bytes()
    if not path.name.lower().endswith(PACKED):
        return raw
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as file:
            inflated = file.read(MOST_INFLATED_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise bad_input(f"{path}: the gzip data is broken ({error}); pack the file again") from None
    if len(inflated) > MOST_INFLATED_BYTES:
        raise bad_input(f"{path}: inflates to more than {MOST_INFLATED_BYTES >> 20:,} MB; unpack it first")
    return inflated


def _json_records(path: Path, options: "ReadOptions") -> Iterator[tuple[int, dict[Any, Any] | str]]:
    for line, text in enumerate(_lines(path, options), start=1):
        if not text.strip():
            continue
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            yield line, f"not JSON: {error}"
            continue
        yield line, record if isinstance(record, dict) else "expected one JSON object a line"


def _json_list(path: Path, options: "ReadOptions") -> Iterator[tuple[int, dict[Any, Any] | str]]:
    """Yield (number from 1, record or fault) of a file that holds one list of objects."""
    try:
        records = json.loads(_text(path, options))
    except (ValueError, RecursionError) as error:
        raise bad_input(f"{path}: not JSON: {error}; one object a line is a .jsonl file") from None
    if not isinstance(records, list):
        raise bad_input(f"{path}: expected a list of JSON objects, found a {type(records).__name__}")
    for number, record in enumerate(records, start=1):
        yield number, record if isinstance(record, dict) else "expected a JSON object"


def _parquet_records(path: Path) -> Iterator[tuple[int, dict[Any, Any] | str]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    fault = fault_of(FileColumns(path))
    if fault:
        raise bad_input(
            f"{path}: not a Parquet file that can be read ({fault}); write it again, or as .jsonl"
        )
    try:
        records = (row for batch in pq.ParquetFile(path).iter_batches() for row in batch.to_pylist())
        yield from enumerate(records, start=1)
    except (OSError, ValueError, OverflowError, pa.ArrowException) as error:
        raise bad_input(f"{path}: not a Parquet file that can be read: {error}") from None


FILE = DataSource(
    name="file",
    summary="a local CSV, TSV, JSON, JSONL or Parquet file; for tagging also CoNLL-U or columns",
    read=read_file,
    argument="PATH",
    read_records=read_records,
)
