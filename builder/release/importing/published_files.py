"""The gate for files of published sets: JSONL and TSV of strangers, every fault with its file and line."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.release.importing.imported_rows import ImportedTask
from contract.machine.errors import bad_input, bad_inputs
from contract.machine.json_text import parsed_json
from contract.machine.problems import shown

MOST_BYTES = 200_000_000
MOST_FIELD_CHARACTERS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class PublishedLine:
    """What a line of a file holds, by the names of its fields, and where it stands."""

    where: str
    values: Mapping[str, Any]


class Faults:
    """Collects what is wrong with files, so that all of it is reported together."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, where: str, message: str) -> None:
        """Note a fault."""
        self._lines.append(f"{where}: {message}")

    def check(self) -> None:
        """Raise one error that lists all faults, if there are any."""
        if self._lines:
            raise bad_inputs(self._lines)

    def text(self, line: PublishedLine, field: str) -> str:
        """Return the text of a field; one that is missing or empty is a fault."""
        value = line.values.get(field)
        if not isinstance(value, str) or not value.strip():
            self.add(line.where, f"`{field}` is {shown(value)}, expected a text")
            return ""
        return value

    def label(self, line: PublishedLine, field: str, names: Mapping[Any, str], task: ImportedTask) -> int:
        """Return the label that a field names; one that is not known is a fault."""
        value = line.values.get(field)
        is_name = isinstance(value, str | int) and not isinstance(value, bool)
        if not is_name or value not in names:
            self.add(line.where, f"`{field}` is {shown(value)}, expected {' or '.join(map(repr, names))}")
            return 0
        return task.labels.index(names[value])


def read_text(path: Path) -> str:
    """Return the text of a file of bounded size."""
    try:
        if not path.is_file():
            raise bad_input(f"{path}: there is no such file")
        if path.stat().st_size > MOST_BYTES:
            raise bad_input(f"{path}: larger than {MOST_BYTES:,} bytes; is it the right file?")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise bad_input(f"{path}: cannot be read as UTF-8 text ({error}); give the published file") from None


def json_lines(path: Path, faults: Faults) -> Iterator[PublishedLine]:
    """Yield the objects of a file with one a line."""
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            value = parsed_json(line)
            json.dumps(value, ensure_ascii=False).encode()
        except ValueError as error:
            faults.add(where, f"not JSON ({str(error)[:100]}); give the published .jsonl file")
            continue
        if isinstance(value, dict):
            yield PublishedLine(where=where, values=value)
        else:
            faults.add(where, f"expected an object, found {shown(value)}")


def table_lines(path: Path, columns: Sequence[str], faults: Faults) -> Iterator[PublishedLine]:
    """Yield the rows of a file with tabs between its columns, whose first line names them."""
    csv.field_size_limit(MOST_FIELD_CHARACTERS)
    reader = csv.reader(io.StringIO(read_text(path), newline=""), delimiter="\t", strict=True)
    try:
        names = next(reader, [])
        missing = [column for column in columns if column not in names]
        if missing:
            raise bad_input(
                f"{path}:1: no column {' and no '.join(f'`{column}`' for column in missing)}; found"
                f" {shown(names)}. Give the published .tsv file"
            )
        for row in reader:
            where = f"{path}:{reader.line_num}"
            if len(row) != len(names):
                faults.add(where, f"{len(row)} columns, expected {len(names)}")
            else:
                yield PublishedLine(where=where, values=dict(zip(names, row, strict=True)))
    except csv.Error as error:
        faults.add(f"{path}:{reader.line_num}", f"not a table with tabs ({error}); give the published file")
