"""The gate for Parquet files of strangers: a process with limits reads each before this one does.

Arrow aborts the process that reads a file damaged in some ways, which no `except` can catch. What was found
is remembered as long as the program runs, and nowhere else.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from contract.machine import parquet_trial
from contract.machine.forked_process import is_fork
from contract.machine.limited_process import FaultError, Limits, answers_of

_TRIAL = parquet_trial.__name__
# Rows of a release inflate to some ten times of what their file takes.
_MOST_INFLATION = 200
_LEAST_INFLATED_BYTES = 1 << 29
_LEAST_MEMORY_BYTES = 3 << 28
_MEMORY_A_BYTE = 16
_FEWEST_SECONDS = 5
_BYTES_A_SECOND = 2_000_000
# Each file that stops its reader costs the start of another.
_MOST_STOPS = 10


class FileColumns(NamedTuple):
    """A Parquet file, and the columns that will be read from it; without them, all."""

    path: Path
    columns: Sequence[str] | None = None


class _Identity(NamedTuple):
    """What tells a file from any other, and from itself after a change."""

    device: int
    inode: int
    n_bytes: int
    modified: int
    changed: int


@dataclass(frozen=True, kw_only=True)
class _Trial:
    """Which columns of a file were read, None for all; and what was wrong with it, if anything."""

    columns: frozenset[str] | None
    fault: str = ""

    def covers(self, columns: Sequence[str] | None) -> bool:
        is_whole = bool(self.fault) or self.columns is None
        return is_whole or (columns is not None and {*columns} <= (self.columns or set()))


_trials: dict[_Identity, _Trial] = {}


def trust(path: Path) -> None:
    """Take a file as good that this program has just written."""
    _trials[_identity(path)] = _Trial(columns=None)


def try_reading(files: Iterable[FileColumns]) -> None:
    """Let one process read all files that are not yet known; `fault_of` would start one for each."""
    if is_fork():
        # It is itself the process that a file may end.
        return
    todo = [file for file in files if file.path.is_file() and not _is_known(file)]
    n_stops = 0
    while todo:
        n_done = 0
        try:
            for answer in answers_of(_TRIAL, _question(todo), _limits(todo)):
                _note(todo[n_done], answer.decode("utf-8", errors="replace"))
                n_done += 1
        except FaultError as fault:
            _note(todo[n_done], " ".join(fault.messages) or "it stops its reader")
            n_done += 1
            n_stops += 1
        if n_stops == _MOST_STOPS:
            for file in todo[n_done:]:
                _note(file, f"not read, since {n_stops} other files stop their reader")
            return
        todo = todo[n_done:]


def fault_of(file: FileColumns) -> str:
    """Return why a file cannot be read, in a few words; nothing if it can be, or is not there."""
    try_reading([file])
    found = _trials.get(_identity(file.path)) if file.path.is_file() else None
    return "" if found is None else found.fault


def check_rows(path: Path, rows: pa.Table) -> None:
    """Raise an Arrow error where rows that a fork has read are not what the trial would let pass."""
    rows.validate(full=True)
    if rows.nbytes > _most_inflated(path.stat().st_size):
        raise pa.ArrowInvalid("it inflates to far more than it holds")


def _is_known(file: FileColumns) -> bool:
    found = _trials.get(_identity(file.path))
    return found is not None and found.covers(file.columns)


def _note(file: FileColumns, fault: str) -> None:
    columns = None if file.columns is None else frozenset(file.columns)
    before = _trials.get(_identity(file.path))
    if before is not None and before.columns is not None and columns is not None:
        columns |= before.columns
    _trials[_identity(file.path)] = _Trial(columns=columns, fault=fault)


def _identity(path: Path) -> _Identity:
    found = path.stat()
    return _Identity(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _question(files: Sequence[FileColumns]) -> dict[str, object]:
    return {
        "files": [
            (
                str(file.path),
                None if file.columns is None else list(file.columns),
                _most_inflated(file.path.stat().st_size),
            )
            for file in files
        ]
    }


def _most_inflated(n_bytes: int) -> int:
    return max(_LEAST_INFLATED_BYTES, _MOST_INFLATION * n_bytes)


def _limits(files: Sequence[FileColumns]) -> Limits:
    sizes = [file.path.stat().st_size for file in files]
    return Limits(
        n_bytes=_LEAST_MEMORY_BYTES + _MEMORY_A_BYTE * max(sizes),
        n_seconds=_FEWEST_SECONDS + sum(sizes) // _BYTES_A_SECOND,
    )
