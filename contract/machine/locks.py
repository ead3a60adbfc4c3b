"""Locks on files: held while a process lives, gone with it however it ends, so that none is left behind."""

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
    """Hold the lock, or raise what is said otherwise; those who share it exclude only those who do not.

    Yields whether it is really held: some file systems have no locks, and others may then be at work, too.
    """
    with _held(path, is_shared=is_shared, waits=False) as state:
        if state == "taken":
            raise UserError(otherwise)
        yield state == "held"


@contextlib.contextmanager
def in_turn(path: Path) -> Iterator[None]:
    """Hold the lock alone, waiting for whoever has it."""
    with _held(path, is_shared=False, waits=True):
        yield


@contextlib.contextmanager
def _held(path: Path, *, is_shared: bool, waits: bool) -> Iterator[_State]:
    if sys.platform == "win32":
        # Files are written whole or not at all there, too; two builds at once only do the same work twice.
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
                # A file system without locks: every file is still written whole or not at all.
                state = "without locks"
                break
            if not _is_at(handle, path):
                # Its last holder deleted it between our opening and our locking.
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
    """Whether the file that is open still is the one of that name."""
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    own = os.fstat(handle)
    return (own.st_ino, own.st_dev) == (there.st_ino, there.st_dev)
