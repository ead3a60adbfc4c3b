"""Locks on files: held while a process lives and gone with it however it ends.

Not `filelock`: its shared locks are SQLite databases, its files stay behind, and it fails on disks without
locks.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from contract.machine.errors import UserError

if sys.platform != "win32":
    import fcntl

_State = Literal["held", "taken", "without locks"]


@contextlib.contextmanager
def locked(path: Path, otherwise: str, *, is_shared: bool = False) -> Iterator[bool]:
    """Hold the lock without waiting for it; raise a UserError with the text `otherwise` if it is taken.

    Shared locks exclude only exclusive ones. Yields whether the lock is really held: some file systems have
    no locks, and another process may then do the same work.
    """
    with _held(path, is_shared=is_shared, waits=False) as state:
        if state == "taken":
            raise UserError(otherwise)
        yield state == "held"


@contextlib.contextmanager
def in_turn(path: Path) -> Iterator[None]:
    """Hold the exclusive lock, after waiting for it."""
    with _held(path, is_shared=False, waits=True):
        yield


@contextlib.contextmanager
def _held(path: Path, *, is_shared: bool, waits: bool) -> Iterator[_State]:
    if sys.platform == "win32":
        # Files are written whole or not at all; two builds at the same time only do the same work twice.
        yield "without locks"
        return
    kind = (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | (0 if waits else fcntl.LOCK_NB)
    handle = None
    state: _State = "held"
    try:
        while handle is None:
            handle = _open(path)
            try:
                fcntl.flock(handle, kind)
            except BlockingIOError:
                yield "taken"
                return
            except OSError:
                # A file system without locks; files are still written whole or not at all.
                state = "without locks"
                break
            if not _is_at(handle, path):
                # The process that held the lock deleted the file after it was opened here.
                os.close(handle)
                handle = None
        try:
            yield state
        finally:
            if not is_shared:
                path.unlink(missing_ok=True)
    finally:
        if handle is not None:
            os.close(handle)


def _open(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)


def _is_at(handle: int, path: Path) -> bool:
    """Tell whether the open file is still the one at the path."""
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    own = os.fstat(handle)
    return (own.st_ino, own.st_dev) == (there.st_ino, there.st_dev)
