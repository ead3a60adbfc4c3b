"""Finds the columns of text and label in a data file, and says what was chosen."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from builder.tasks.file import DELIMITERS, MOST_FIELD_CHARACTERS
from builder.tasks.task_recipe import Column, Columns, ReadOptions
from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.parquet_files import FileColumns, fault_of
from contract.machine.registry import did_you_mean

# Rows that are looked at.
ROWS_SEEN = 5_000
MOST_BYTES_SEEN = 20_000_000
# A column of labels has few different values, and short ones.
MOST_LABELS = 200
LONGEST_LABEL = 60
# Texts are longer than labels, names and numbers.
LEAST_CHARACTERS_OF_A_TEXT = 12
TEXT_NAMES = ("text", "sentence", "comment_text", "comment", "review", "content", "body", "message", "tweet")
LABEL_NAMES = ("label", "labels", "class", "category", "target", "sentiment", "toxic", "y")
# First and second text of pairs; the first of them is also a name of a single text.
PAIR_NAMES = (
    ("text", "text_pair"),
    ("premise", "hypothesis"),
    ("sentence1", "sentence2"),
    ("question1", "question2"),
    ("question", "sentence"),
)


@dataclass(frozen=True, kw_only=True)
class Wish:
    """The columns that the user names: names, or numbers from 0 in a file without a header."""

    text: str | None = None
    text_pair: str | None = None
    label: str | None = None


@dataclass(frozen=True, kw_only=True)
class FoundColumns:
    """How a file is to be read, and in a sentence why."""

    options: ReadOptions
    said: str


@dataclass(frozen=True, kw_only=True)
class ColumnNames:
    """The columns with the text, with its partner in tasks about pairs, and with the label."""

    text: str
    text_pair: str | None
    label: str | None


@dataclass(frozen=True, kw_only=True)
class _Head:
    """The first rows of a file by column; a file without a header has numbers in place of names."""

    columns: Mapping[Column, list[str]]
    has_header: bool = True
    delimiter: str | None = None


def find_columns(path: Path, wish: Wish | None = None) -> FoundColumns:
    """Return the columns of text and label: those that the user names, else those that look like it."""
    wish = wish or Wish()
    head = _read_head(path, wish)
    if not head.columns or not next(iter(head.columns.values())):
        raise bad_input(f"{path}: holds no rows; expected a text and a label in each")
    label = _named(wish.label, head, "--label", path) if wish.label else _label_of(head, path)
    text, pair = _texts_of(head, label, wish, path)
    columns = Columns(text=text, text_pair=pair, label=label)
    options = ReadOptions(
        columns=columns, header=head.has_header, delimiter=head.delimiter, unlabelled="drop"
    )
    return FoundColumns(options=options, said=_sentence(path, head, columns))


def columns_in_rows(
    rows: Sequence[Mapping[Any, Any]], place: object, wish: Wish | None = None, *, needs_label: bool = True
) -> ColumnNames:
    """Return the columns of rows that are read already, found in the same way."""
    wish, path = wish or Wish(), Path(str(place))
    head = _head_of(iter(rows))
    if not head.columns:
        raise bad_input(f"{place}: holds no rows")
    if wish.label:
        label: Column | None = _named(wish.label, head, "--label", path)
    else:
        label = _label_of(head, path) if needs_label else None
    text, pair = _texts_of(head, label, wish, path)
    return ColumnNames(
        text=str(text),
        text_pair=None if pair is None else str(pair),
        label=None if label is None else str(label),
    )


def _sentence(path: Path, head: _Head, columns: Columns) -> str:
    labels = sorted(set(head.columns[columns.label]) - {""})
    shown = ", ".join(labels[:6]) + (", …" if len(labels) > 6 else "")
    pair = "" if columns.text_pair is None else f", second text {_shown(columns.text_pair)}"
    others = [_shown(name) for name in head.columns if name not in columns.model_dump().values()]
    ignored = f"; ignored: {', '.join(others[:6])}{', …' if len(others) > 6 else ''}" if others else ""
    header = "" if head.has_header else " (no header)"
    return (
        f"{path.name}{header}: text {_shown(columns.text)}{pair}, label {_shown(columns.label)} ({shown})"
        f"{ignored}"
    )


def _shown(column: Column) -> str:
    return f"column {column}" if isinstance(column, int) else f"`{column}`"


def _named(name: str, head: _Head, option: str, path: Path) -> Column:
    """Return the column that the user names, by name or, without a header, by number."""
    column: Column = int(name) if not head.has_header and name.isdecimal() else name
    if column not in head.columns:
        known = [str(each) for each in head.columns]
        raise UserError(
            f"{option} {name}: {path.name} has no such column;{did_you_mean(name, known)}"
            f" its columns are: {', '.join(known[:20])}",
            exit_code=ExitCode.WRONG_USE,
        )
    return column


def _label_of(head: _Head, path: Path) -> Column:
    """Return the column with few and short values; a usual name decides between several."""
    candidates = []
    for name, values in head.columns.items():
        distinct = set(values) - {""}
        if 2 <= len(distinct) <= min(MOST_LABELS, max(2, len(values) // 2)) and all(
            len(value) <= LONGEST_LABEL for value in distinct
        ):
            usual = _rank(name, LABEL_NAMES)
            candidates.append((usual, len(distinct), list(head.columns).index(name), name))
    if not candidates:
        raise bad_input(
            f"{path}: no column looks like labels (2 to {MOST_LABELS} different short values);"
            f" name it with --label; the columns are: {', '.join(map(str, head.columns))}"
        )
    return min(candidates)[-1]


def _texts_of(head: _Head, label: Column | None, wish: Wish, path: Path) -> tuple[Column, Column | None]:
    """Return the column of the text and, in tasks about pairs, that of the second one."""
    pair = _named(wish.text_pair, head, "--text-pair", path) if wish.text_pair else None
    if wish.text:
        return _named(wish.text, head, "--text", path), pair
    lowered = {str(name).casefold(): name for name in head.columns if name not in {label, pair}}
    for first, second in PAIR_NAMES:
        if pair is None and first in lowered and second in lowered:
            return lowered[first], lowered[second]
    lengths = {
        name: fmean(map(len, values)) for name, values in head.columns.items() if name not in {label, pair}
    }
    longest = max(lengths.values(), default=0.0)
    if longest < LEAST_CHARACTERS_OF_A_TEXT:
        raise bad_input(
            f"{path}: no column looks like texts; name it with --text; the columns are:"
            f" {', '.join(map(str, head.columns))}"
        )
    usual = min(lengths, key=lambda name: (_rank(name, TEXT_NAMES), -lengths[name]))
    # A usual name counts for little when its values are much shorter than those of another column.
    is_text = lengths[usual] >= LEAST_CHARACTERS_OF_A_TEXT and 4 * lengths[usual] >= longest
    return (usual if is_text else max(lengths, key=lengths.__getitem__)), pair


def _rank(name: Column, usual: Sequence[str]) -> int:
    lowered = str(name).casefold()
    return usual.index(lowered) if lowered in usual else len(usual)


def _read_head(path: Path, wish: Wish) -> _Head:
    """Return the first rows of a file, each value as text."""
    if not path.is_file():
        raise bad_input(f"{path}: there is no such file; give a .csv, .tsv, .jsonl or .parquet file")
    kind = path.suffix.lower()
    if kind in {".jsonl", ".ndjson"}:
        return _head_of(_json_rows(path))
    if kind == ".parquet":
        return _head_of(_parquet_rows(path))
    if kind in DELIMITERS:
        return _delimited_head(path, wish)
    raise bad_input(f"{path}: expected a .csv, .tsv, .txt, .jsonl or .parquet file")


def _head_of(rows: Iterator[Mapping[str, Any]]) -> _Head:
    columns: dict[Column, list[str]] = {}
    for number, row in enumerate(islice(rows, ROWS_SEEN)):
        for name, value in row.items():
            values = columns.setdefault(name, [""] * number)
            values.append(_as_text(value))
        for of_column in columns.values():
            of_column.extend([""] * (number + 1 - len(of_column)))
    return _Head(columns=columns)


def _as_text(value: Any) -> str:
    if value is None or isinstance(value, list | dict):
        return ""
    return str(int(value)) if isinstance(value, bool) else str(value).removesuffix(".0")


def _json_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                row = json.loads(line) if line.strip() else None
            except (ValueError, RecursionError):
                # Reading the whole file will name the line.
                row = None
            if isinstance(row, dict):
                yield row


def _parquet_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    import pyarrow.parquet as pq

    fault = fault_of(FileColumns(path))
    if fault:
        raise bad_input(f"{path}: not a Parquet file that can be read ({fault}); write it again")
    for batch in pq.ParquetFile(path).iter_batches(1_000):
        yield from batch.to_pylist()


def _delimited_head(path: Path, wish: Wish) -> _Head:
    """Return the first rows of a CSV or TSV file, and whether their first line is a header."""
    delimiter = DELIMITERS[path.suffix.lower()]
    with path.open("rb") as file:
        text = file.read(MOST_BYTES_SEEN).decode("utf-8", "replace").removeprefix("\ufeff")
    csv.field_size_limit(MOST_FIELD_CHARACTERS)
    lines = io.StringIO(text, newline="")
    try:
        if delimiter == "\t":
            reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
        else:
            reader = csv.reader(lines, delimiter=delimiter)
        rows = [row for row in islice(reader, ROWS_SEEN) if row]
    except csv.Error as error:
        raise bad_input(f"{path}: cannot be read as CSV ({error})") from None
    rows = [row for row in rows if len(row) == len(rows[0])]
    if not rows:
        return _Head(columns={})
    has_header = _has_header(rows, wish)
    names: list[Column] = list(rows[0]) if has_header else list(range(len(rows[0])))
    body = rows[1:] if has_header else rows
    return _Head(
        columns={name: [row[place].strip() for row in body] for place, name in enumerate(names)},
        has_header=has_header,
    )


def _has_header(rows: Sequence[Sequence[str]], wish: Wish) -> bool:
    """Tell whether the first line names the columns: then no column of few values has its cell as a value."""
    named = [name for name in (wish.text, wish.text_pair, wish.label) if name]
    if named:
        return not all(name.isdecimal() and name not in rows[0] for name in named)
    first, body = rows[0], rows[1:]
    lowered = [cell.strip().casefold() for cell in first]
    if any(name in lowered for name in (*LABEL_NAMES, *TEXT_NAMES)):
        return True
    if len(set(first)) < len(first) or any(not cell.strip() or len(cell) > LONGEST_LABEL for cell in first):
        return False
    for place, cell in enumerate(first):
        values = {row[place] for row in body}
        if len(values) <= min(MOST_LABELS, max(2, len(body) // 2)) and cell in values:
            return False
    return True
