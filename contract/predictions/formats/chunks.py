"""What readers of predictions give and what they read: chunks of rows, bounded bytes, whole lines."""

import contextlib
import gzip
import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from contract.machine.errors import bad_input
from contract.machine.problems import Problems, shown

MOST_LINE_BYTES = 1 << 20
MOST_ID_CHARACTERS = 1_000
# deflate cannot do better than 1,032 to 1; honest predictions stay below 100 to 1.
MOST_INFLATION = 250
INFLATION_IS_CHECKED_FROM = 1 << 24
BLOCK_BYTES = 1 << 21
HUGE = 1 << 53
# Arrow lets go of Python's lock while it parses, so that two blocks are read at a time.
_BLOCKS_AHEAD = 2
UNREADABLE = "rows that cannot be read"

Read = TypeVar("Read")


@dataclass(frozen=True, kw_only=True, eq=False)
class Chunk:
    """Rows as they stand in the file; an answer is null where a problem was already noted."""

    lines: NDArray[np.int64]
    ids: pa.Array
    answers: pa.Array
    are_indices: NDArray[np.bool_]
    probabilities: pa.ListArray | None = None
    benchmarks: pa.Array | None = None
    # The answers that are lists of labels, as texts; null where a row has none.
    lists: pa.ListArray | None = None
    # The format has texts only, so that a number may stand in them as any program writes it: 1 or 1.0.
    is_untyped: bool = False
    # All rows given before were misread: the file is read anew, more carefully, from here.
    is_first_again: bool = False


@dataclass(frozen=True, kw_only=True)
class FileRequest:
    """What to read: a file, the column that answers, and how many rows may be expected of it."""

    # As the user names it; its bytes are read from a copy that nobody else changes.
    path: Path
    copy_path: Path
    column: str
    most_rows: int
    most_labels: int
    # Whether some rows are answered by lists of labels, or by probabilities alone: then no row is read the
    # fast way, which knows one label a row.
    takes_lists: bool = False

    @property
    def is_gzipped(self) -> bool:
        """Whether the file's name says that its bytes are to be inflated."""
        return self.path.name.lower().endswith(".gz")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read; all others are ignored."""
        return ("id", self.column, "probabilities", "benchmark")


class BoundedFile:
    """A file's bytes, inflated where its name ends in .gz, up to a bound that no honest file reaches."""

    def __init__(self, request: FileRequest) -> None:
        self.path = request.path
        self.size = request.copy_path.stat().st_size
        self.n_read = 0
        self._file = (
            gzip.open(request.copy_path, "rb")  # noqa: SIM115
            if request.is_gzipped
            else request.copy_path.open("rb")
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(self, n_bytes: int) -> bytes:
        """Return the next bytes; a decompression bomb is refused."""
        data = self._file.read(n_bytes)
        self.n_read += len(data)
        if self.n_read > max(INFLATION_IS_CHECKED_FROM, MOST_INFLATION * self.size):
            raise bad_input(
                f"{self.path}: inflates to over {MOST_INFLATION} times its size; that is no predictions file"
            )
        return data


@dataclass(frozen=True, kw_only=True)
class Block:
    """Whole lines of a text file; the last one ends in a newline."""

    data: bytes
    first_line: int
    n_lines: int


def blocks_of(file: BoundedFile, problems: Problems) -> Iterator[Block]:
    """Yield the text in blocks of whole lines, without a byte order mark; an absurd line ends the reading."""
    rest = b""
    line = 1
    is_first = True
    while True:
        data = file.read(BLOCK_BYTES)
        block = rest + data
        if is_first:
            block = block.removeprefix(b"\xef\xbb\xbf")
            is_first = False
        if not data:
            block = block + b"\n" if block else b""
        end = block.rfind(b"\n") + 1
        block, rest = block[:end], block[end:]
        if len(rest) > MOST_LINE_BYTES:
            n_lines = count_of(b"\n", block)
            problems.stop(
                line + n_lines,
                f"the line is longer than {MOST_LINE_BYTES:,} bytes; write one short row a line, ended by LF",
            )
            rest, data = b"", b""
        if block:
            n_lines = count_of(b"\n", block)
            yield Block(data=block, first_line=line, n_lines=n_lines)
            line += n_lines
        if not data:
            return


def count_of(character: bytes, data: bytes) -> int:
    """Return how often a frequent character stands in some bytes; bytes.count looks for rare ones."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == character[0]))


def read_ahead(blocks: Iterator[Block], read: Callable[[Block], Read]) -> Iterator[tuple[Block, Read]]:
    """Yield each block with what is read of it, by threads that are a few blocks ahead."""
    with ThreadPoolExecutor(_BLOCKS_AHEAD) as pool:
        waiting: deque[tuple[Block, Future[Read]]] = deque()
        for block in blocks:
            waiting.append((block, pool.submit(read, block)))
            if len(waiting) > _BLOCKS_AHEAD:
                first, future = waiting.popleft()
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()


class RowCollector:
    """Builds a chunk row by row and words what is wrong: the slow path, for files that are not regular."""

    def __init__(self, request: FileRequest, problems: Problems) -> None:
        self._column = request.column
        self._takes_lists = request.takes_lists
        self._problems = problems
        self._lines: list[int] = []
        self._ids: list[str] = []
        self._answers: list[str | None] = []
        self._are_indices: list[bool] = []
        self._probabilities: list[list[float] | None] = []
        self._benchmarks: list[str | None] = []
        self._lists: list[list[str] | None] = []

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, row: Mapping[str, Any], line: int) -> None:
        """Keep a row, or note what is wrong with it."""
        identifier = row.get("id")
        if not _is_text(identifier) or not identifier:
            found = "no `id`" if "id" not in row else f"id {shown(identifier)} is not a text"
            self._problems.add(UNREADABLE, line, f"{found}; every row needs the id of a row of the release")
            return
        given = row.get(self._column)
        if self._takes_lists and isinstance(given, str) and given.startswith("["):
            # Formats with texts only hold lists as JSON.
            with contextlib.suppress(ValueError, RecursionError):
                given = json.loads(given)
                row = {**row, self._column: given}
        answer = self._answer(row, str(identifier), line)
        benchmark = row.get("benchmark")
        if benchmark is not None and not _is_text(benchmark):
            self._problems.add(UNREADABLE, line, f"benchmark {shown(benchmark)} is not a text")
            benchmark = None
        self._lines.append(line)
        self._ids.append(str(identifier))
        self._answers.append(None if answer is None else str(answer))
        self._are_indices.append(isinstance(answer, int))
        self._probabilities.append(self._numbers(row.get("probabilities"), str(identifier), line))
        self._benchmarks.append(benchmark)
        is_list = self._takes_lists and isinstance(given, list) and _is_list(given)
        self._lists.append([str(item) for item in given] if is_list and isinstance(given, list) else None)

    def chunk(self) -> Chunk:
        """Return the rows kept."""
        has_probabilities = any(value is not None for value in self._probabilities)
        has_benchmarks = any(value is not None for value in self._benchmarks)
        return Chunk(
            lines=np.array(self._lines, dtype=np.int64),
            ids=pa.array(self._ids, pa.string()),
            answers=pa.array(self._answers, pa.string()),
            are_indices=np.array(self._are_indices, dtype=np.bool_),
            probabilities=pa.array(self._probabilities, pa.list_(pa.float64()))
            if has_probabilities
            else None,
            benchmarks=pa.array(self._benchmarks, pa.string()) if has_benchmarks else None,
            lists=pa.array(self._lists, pa.list_(pa.string())) if self._takes_lists else None,
        )

    def _answer(self, row: Mapping[str, Any], identifier: str, line: int) -> str | int | None:
        """Return a label's name or index as the row gives it; a whole number may be written 1.0."""
        value = row.get(self._column)
        if _is_text(value) and value:
            return str(value)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < HUGE:
            return value
        if isinstance(value, float) and value.is_integer() and abs(value) < HUGE:
            return int(value)
        missing = self._column not in row or value is None or value == ""
        if self._takes_lists and (missing or _is_list(value)):
            # Which rows need a list, a label or neither, their task tells.
            return "" if missing else json.dumps(value)
        found = f"no `{self._column}`" if missing else f"{self._column} {shown(value)} is no label"
        self._problems.add(
            UNREADABLE,
            line,
            f"{found} for id {shown(identifier)}; give a label's name or its index"
            + (", or a list of them where the task has many" if self._takes_lists else ""),
        )
        return None

    def _numbers(self, value: object, identifier: str, line: int) -> list[float] | None:
        if value is None:
            return None
        if isinstance(value, list) and all(
            isinstance(item, int | float) and not isinstance(item, bool) and abs(item) < HUGE
            for item in value
        ):
            return [float(item) for item in value]
        self._problems.add(
            UNREADABLE,
            line,
            f"probabilities {shown(value)} of id {shown(identifier)} are not a list of numbers;"
            " give one number a label, in the order of the task's labels",
        )
        return None


def _is_list(value: object) -> bool:
    """Tell whether a value is a list of labels: names or indices."""
    return isinstance(value, list) and all(
        _is_text(item) or (isinstance(item, int) and not isinstance(item, bool) and abs(item) < HUGE)
        for item in value
    )


def _is_text(value: object) -> bool:
    """Tell whether a value is text that a file can hold; a lone surrogate is none."""
    if not isinstance(value, str) or len(value) > MOST_ID_CHARACTERS:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
