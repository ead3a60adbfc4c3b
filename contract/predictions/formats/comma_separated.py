"""Predictions as CSV with a header; probabilities, and many labels, are a JSON list in one quoted field."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from contract.machine.problems import Problems, shown
from contract.machine.registry import did_you_mean
from contract.predictions.formats.chunks import (
    HUGE,
    UNREADABLE,
    Block,
    BoundedFile,
    Chunk,
    FileRequest,
    RowCollector,
    blocks_of,
    count_of,
    read_ahead,
)

_ROWS_A_CHUNK = 50_000
_NUMBER = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?"
# A list of numbers as JSON writes them; Arrow alone would read 00.75 as well.
_NUMBERS = rf"^\[[ \t]*{_NUMBER}([ \t]*,[ \t]*{_NUMBER})*[ \t]*\]$"


class _IrregularError(Exception):
    """Some row spans lines or has another number of fields: only the slow path can tell."""


def read(request: FileRequest, problems: Problems) -> Iterator[Chunk]:
    """Yield the rows of a CSV file."""
    header = _header(request, problems)
    if header is not None:
        for chunk in _chunks(request, header, problems):
            yield replace(chunk, is_untyped=True)


def _chunks(request: FileRequest, header: Sequence[str], problems: Problems) -> Iterator[Chunk]:
    if request.takes_lists:
        yield from _slow_chunks(request, header, problems)
        return
    try:
        yield from _fast_chunks(request, header)
    except _IrregularError:
        # That a row spans lines may show only after many rows: then all rows yielded before are withdrawn.
        yield replace(RowCollector(request, problems).chunk(), is_first_again=True)
        yield from _slow_chunks(request, header, problems)


def _header(request: FileRequest, problems: Problems) -> list[str] | None:
    """Return the names of the columns, or note why the file cannot be read."""
    with BoundedFile(request) as file:
        block = next(blocks_of(file, Problems(request.path)), None)
    first = b"" if block is None else block.data.split(b"\n", 1)[0]
    try:
        names = next(csv.reader([first.decode("utf-8").rstrip("\r")], strict=True), [])
    except (UnicodeDecodeError, csv.Error) as error:
        problems.stop(1, f"the header cannot be read ({error}); save the file as UTF-8 CSV")
        return None
    wanted = [name for name in ("id", request.column) if name not in names]
    twice = [name for name in request.columns if names.count(name) > 1]
    for name in wanted:
        guess = did_you_mean(name, names)
        message = f"no column `{name}` in the header {shown(','.join(names))};{guess}"
        problems.stop(1, f"{message} the first line must name the columns, parted by commas")
    for name in twice:
        problems.stop(1, f"the column `{name}` stands twice in the header; keep one")
    return None if wanted or twice else names


def _fast_chunks(request: FileRequest, header: Sequence[str]) -> Iterator[Chunk]:
    """Yield the rows of a file in which every line is one row."""
    problems = Problems(request.path)

    def fast_chunk(block: Block) -> Chunk:
        return _fast_chunk(block, request, header)

    with BoundedFile(request) as file:
        for _, chunk in read_ahead(blocks_of(file, problems), fast_chunk):
            yield chunk
    if problems:
        raise _IrregularError


def _fast_chunk(block: Block, request: FileRequest, header: Sequence[str]) -> Chunk:
    data, first_line, n_lines = block.data, block.first_line, block.n_lines
    if count_of(b'"', data) % 2 or b"\x00" in data:
        raise _IrregularError
    if first_line == 1:
        data, first_line, n_lines = data[data.index(b"\n") + 1 :], 2, n_lines - 1
    # Columns that are not read may share a name or have none.
    names = [
        name if name in request.columns else f"ignored column {place}" for place, name in enumerate(header)
    ]
    present = [name for name in request.columns if name in header]
    if not data:
        return RowCollector(request, Problems(request.path)).chunk()
    try:
        table = pa.csv.read_csv(
            io.BytesIO(data),
            read_options=pa.csv.ReadOptions(column_names=names, use_threads=False, block_size=len(data) + 1),
            convert_options=pa.csv.ConvertOptions(
                include_columns=present, column_types=dict.fromkeys(present, pa.string())
            ),
        )
        if table.num_rows != n_lines:
            raise _IrregularError
        columns = {name: table[name].combine_chunks() for name in present}
        probabilities = _numbers(columns["probabilities"]) if "probabilities" in columns else None
    except pa.ArrowException:
        raise _IrregularError from None
    return Chunk(
        lines=np.arange(first_line, first_line + n_lines),
        ids=columns["id"],
        answers=columns[request.column],
        are_indices=np.zeros(n_lines, np.bool_),
        probabilities=probabilities,
        benchmarks=_without_empty(columns["benchmark"]) if "benchmark" in columns else None,
    )


def _numbers(texts: pa.Array) -> pa.ListArray | None:
    """Return the lists that JSON texts such as "[0.1, 0.9]" stand for; empty texts give null."""
    if not pc.any(pc.not_equal(texts, "")).as_py():
        return None
    if not pc.all(pc.match_substring_regex(texts, _NUMBERS)).as_py():
        raise _IrregularError
    parts = pc.split_pattern(pc.utf8_slice_codeunits(texts, 1, -1), ",")
    values = pc.utf8_trim_whitespace(parts.flatten()).cast(pa.float64())
    if pc.max(pc.abs(values)).as_py() >= HUGE:
        raise _IrregularError
    return pa.ListArray.from_arrays(parts.offsets, values)


def _without_empty(texts: pa.Array) -> pa.Array | None:
    """Return the texts with null for the empty ones, or nothing when all are empty."""
    is_empty = pc.equal(texts, "")
    return None if pc.all(is_empty).as_py() else pc.if_else(is_empty, None, texts)


def _slow_chunks(request: FileRequest, header: Sequence[str], problems: Problems) -> Iterator[Chunk]:
    """Yield the rows that can be read and note what is wrong with the others."""
    rows = RowCollector(request, problems)
    n_blank = 0
    with BoundedFile(request) as file:
        reader = csv.reader(_lines(file, problems), strict=True)
        try:
            next(reader, None)
            line = reader.line_num + 1
            for fields in reader:
                if fields:
                    _add(rows, header, fields, line, problems)
                n_blank += not fields
                line = reader.line_num + 1
                if n_blank > request.most_rows:
                    problems.stop(line, "more blank lines than the release has rows; the rest was not read")
                    break
                if len(problems) > request.most_rows:
                    message = "more problems than the release has rows; the rest was not read"
                    problems.stop(line, message)
                    break
                if len(rows) == _ROWS_A_CHUNK:
                    yield rows.chunk()
                    rows = RowCollector(request, problems)
        except csv.Error as error:
            problems.stop(reader.line_num, f"not CSV ({error}); are quotes closed and lines ended by \\n?")
    yield rows.chunk()


def _add(
    rows: RowCollector, header: Sequence[str], fields: Sequence[str], line: int, problems: Problems
) -> None:
    if len(fields) != len(header):
        message = f"{len(fields)} fields, the header has {len(header)}; quote fields that hold commas"
        problems.add(UNREADABLE, line, message)
        return
    row: dict[str, Any] = dict(zip(header, fields, strict=True))
    row["benchmark"] = row.get("benchmark") or None
    text = row.get("probabilities") or None
    try:
        row["probabilities"] = None if text is None else json.loads(text)
    except (ValueError, RecursionError):
        row["probabilities"] = text
    rows.add(row, line)


def _lines(file: BoundedFile, problems: Problems) -> Iterator[str]:
    """Yield the lines as text; bytes that are not UTF-8 are noted and replaced."""
    for block in blocks_of(file, problems):
        for offset, data in enumerate(block.data.split(b"\n")[:-1]):
            try:
                yield data.decode("utf-8") + "\n"
            except UnicodeDecodeError as error:
                place = block.first_line + offset
                problems.add(UNREADABLE, place, f"not UTF-8 at byte {error.start}; save the file as UTF-8")
                yield data.decode("utf-8", errors="replace") + "\n"
