"""Predictions as JSON Lines: one object a row."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.json

from contract.machine.problems import Problems, shown
from contract.predictions.formats.chunks import (
    UNREADABLE,
    Block,
    BoundedFile,
    Chunk,
    FileRequest,
    RowCollector,
    blocks_of,
    read_ahead,
)

# Arrow's JSON reader crashes the process on a null that stands outside any object.
_NULL_BETWEEN_OBJECTS = re.compile(rb"\}\s*null")
# A line that holds more than white space; what blank lines there are is passed over in C.
_LINE = re.compile(rb"[^\s][^\n]*")
_BLANK_LINE = re.compile(rb"^[^\S\n]*\n", re.MULTILINE)
_NEWLINE, _BRACE, _CLOSING_BRACE = 10, 123, 125


def read(request: FileRequest, problems: Problems) -> Iterator[Chunk]:
    """Yield the rows of a JSON Lines file."""
    ways = [
        _Way(answer_type, is_bare) for answer_type in (pa.string(), pa.int64()) for is_bare in (True, False)
    ]

    def fast_chunk(block: Block) -> Chunk | None:
        return _fast_chunk_in_some_way(block, request, ways)

    n_blank = 0
    with BoundedFile(request) as file:
        for block, chunk in read_ahead(blocks_of(file, problems), fast_chunk):
            if chunk is not None:
                yield chunk
                continue
            n_blank += len(_BLANK_LINE.findall(block.data))
            if n_blank > request.most_rows:
                message = "more blank lines than the release has rows; the rest was not read"
                problems.stop(block.first_line, message)
                return
            was_cut = problems.is_cut
            yield _slow_chunk(block, request, problems)
            # The file may be cut farther down, where the next blocks already come from.
            if problems.is_cut and not was_cut:
                return


class _Way(NamedTuple):
    """A way of reading a block: the type of its answers, and whether rows have nothing but id and answer."""

    answer_type: pa.DataType
    is_bare: bool


def _fast_chunk_in_some_way(block: Block, request: FileRequest, ways: list[_Way]) -> Chunk | None:
    """Return the block's rows in the first way that fits all of them; nothing where none does."""
    if request.takes_lists or not _is_safe(block.data):
        return None
    for way in tuple(ways):
        chunk = _fast_chunk(block, request, way)
        if chunk is not None:
            # Blocks of one file are alike: try first what worked last.
            ways[:] = sorted(ways, key=way.__ne__)
            return chunk
    return None


def _fast_chunk(block: Block, request: FileRequest, way: _Way) -> Chunk | None:
    """Return the block's rows, or nothing unless every line is one well-formed row."""
    fields = [("id", pa.string()), (request.column, way.answer_type)]
    if not way.is_bare:
        fields += [("probabilities", pa.list_(pa.float64())), ("benchmark", pa.string())]
    try:
        table = pa.json.read_json(
            pa.BufferReader(block.data),
            read_options=pa.json.ReadOptions(use_threads=False, block_size=len(block.data) + 1),
            parse_options=pa.json.ParseOptions(
                explicit_schema=pa.schema(fields),
                # Columns that are not there take time, too; where rows hold more, the next way is tried.
                unexpected_field_behavior="error" if way.is_bare else "ignore",
            ),
        ).combine_chunks()
        table.validate(full=True)
    except pa.ArrowException:
        return None
    ids, answers, *others = (column.combine_chunks() for column in table.columns)
    if table.num_rows != block.n_lines or ids.null_count or answers.null_count:
        return None
    probabilities, benchmarks = others or (None, None)
    if probabilities is not None and probabilities.flatten().null_count:
        return None
    return Chunk(
        lines=np.arange(block.first_line, block.first_line + block.n_lines),
        ids=ids,
        answers=answers.cast(pa.string()),
        are_indices=np.full(len(ids), way.answer_type == pa.int64()),
        probabilities=_unless_empty(probabilities),
        benchmarks=_unless_empty(benchmarks),
    )


def _unless_empty(column: pa.Array | None) -> pa.Array | None:
    """Return a column in which some row has a value."""
    return None if column is None or column.null_count == len(column) else column


def _is_safe(data: bytes) -> bool:
    """Tell whether every line begins an object, so that Arrow's reader can be trusted with the block."""
    codes = np.frombuffer(data, np.uint8)
    line_starts = np.flatnonzero(codes[:-1] == _NEWLINE) + 1
    if codes[0] != _BRACE or not (codes[line_starts] == _BRACE).all():
        return False
    ends = np.flatnonzero(codes[:-1] == _CLOSING_BRACE) + 1
    if (codes[ends] == _NEWLINE).all():
        # Each object is followed by the next line, which begins one: the whole text need not be searched.
        return True
    return b"null" not in data or _NULL_BETWEEN_OBJECTS.search(data) is None


def _slow_chunk(block: Block, request: FileRequest, problems: Problems) -> Chunk:
    """Return the rows that can be read and note what is wrong with the others, line by line."""
    rows = RowCollector(request, problems)
    line, counted = block.first_line, 0
    for match in _LINE.finditer(block.data):
        line += block.data.count(b"\n", counted, match.start())
        counted = match.start()
        row = _row_of(match.group(), line, problems)
        if row is not None:
            rows.add(row, line)
        if len(problems) > request.most_rows:
            problems.stop(line, "more problems than the release has rows; the rest was not read")
            break
    return rows.chunk()


def _row_of(data: bytes, line: int, problems: Problems) -> dict[str, Any] | None:
    """Return the object on a line, or note why there is none."""
    try:
        pairs = json.loads(data.decode("utf-8"), object_pairs_hook=_Pairs)
    except UnicodeDecodeError as error:
        problems.add(UNREADABLE, line, f"not UTF-8 at byte {error.start}; save the file as UTF-8")
    except RecursionError:
        problems.add(UNREADABLE, line, "nested too deeply; write one flat JSON object a line")
    except ValueError as error:
        message = str(error).splitlines()[0][:80]
        problems.add(UNREADABLE, line, f"not JSON ({message}); write one JSON object a line")
    else:
        if isinstance(pairs, _Pairs):
            row = dict(pairs)
            if len(row) == len(pairs):
                return row
            problems.add(UNREADABLE, line, "a key stands twice in the object; keep one")
        else:
            problems.add(UNREADABLE, line, f"expected a JSON object, found {shown(pairs)}")
    return None


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of an object as written, so that a key given twice is seen."""
