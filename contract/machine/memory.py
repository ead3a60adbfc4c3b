"""Keeps memory small: gives unused memory back to the system and reads files in one thread."""

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
    """Let Arrow take memory from the system; its own pools keep half as much again after small reads."""
    pool = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(pool)


def lean_file(path: Path) -> pq.ParquetFile:
    """Open a Parquet file to be read by this thread alone; each further thread would keep its own memory."""
    return pq.ParquetFile(path, pre_buffer=False)


def lean_table(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Read columns of a Parquet file, or all, in this thread alone."""
    with lean_file(path) as file:
        return file.read(columns=None if columns is None else list(columns), use_threads=False)


def give_back_memory() -> None:
    """Return free memory to the system; glibc would keep hundreds of megabytes between two units."""
    pa.default_memory_pool().release_unused()
    trim = getattr(_libc(), "malloc_trim", None)
    if trim is not None:
        trim(0)


@cache
def _libc() -> Any:
    """Return the C library, or None where it cannot be opened like glibc."""
    try:
        return ctypes.CDLL(None)
    except (OSError, TypeError):
        return None
