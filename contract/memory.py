"""Memory: what was used for many small pieces is given back to the system."""

import contextlib
import ctypes
from collections.abc import Iterator
from functools import cache
from typing import Any

import pyarrow as pa


@contextlib.contextmanager
def system_memory() -> Iterator[None]:
    """Take Arrow's memory from the system: its own pools keep half as much again of what small reads free."""
    pool = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(pool)


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
