"""Memory: what was used for many small pieces is given back to the system, or never spread over threads."""

import contextlib
import ctypes
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


@contextlib.contextmanager
def system_memory() -> Iterator[None]:
    """Take Arrow's memory from the system: its own pools keep half as much again of what small reads free."""
    pool = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(pool)


def lean_file(path: Path) -> pq.ParquetFile:
    """Open a Parquet file that is read by this thread alone: others would each keep memory of their own."""
    return pq.ParquetFile(path, pre_buffer=False)


def lean_table(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Read columns of a Parquet file, or all, in this thread alone."""
    with lean_file(path) as file:
        return file.read(columns=None if columns is None else list(columns), use_threads=False)


def give_back_memory() -> None:
    """Return what is free to the system: glibc keeps hundreds of megabytes between what a unit leaves."""
    pa.default_memory_pool().release_unused()
    trim = getattr(_libc(), "malloc_trim", None)
    if trim is not None:
        trim(0)


@cache
def _libc() -> Any:
    """Return the C library, or nothing where it is not glibc's way to open it."""
    try:
        return ctypes.CDLL(None)
    except (OSError, TypeError):
        return None
