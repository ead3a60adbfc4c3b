"""Trouble with disks and files: what an error says about them, and a check for room before any work."""

import errno
import shutil
import tempfile
from pathlib import Path

from contract.machine.errors import UserError

# The disk is full, the user's share of it is, or the file is as large as it may be.
FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# Libraries that write files themselves give the reason in their message only.
_FULL_MESSAGES = ("No space left on device", "Disk quota exceeded", "File too large")
# The path may not be read or written, or is not a file or folder as expected.
PATH_ERRORS = (
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.EEXIST,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ENAMETOOLONG,
)


def disk_trouble(error: Exception) -> str | None:
    """Return the words of an error that says that the disk is full; None for other errors."""
    if isinstance(error, OSError) and error.errno in FULL_ERRORS:
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return next((message for message in _FULL_MESSAGES if message in str(error)), None)


def file_trouble(error: Exception) -> str | None:
    """Return what is wrong with a file or disk and what to do about it; None for other errors."""
    if isinstance(error, OSError) and error.errno in PATH_ERRORS:
        where = f"{error.filename or 'a file'}: cannot be read or written ({error.strerror})"
        return f"{where}; change its permissions, or name another"
    trouble = disk_trouble(error)
    return None if trouble is None else f"{trouble}; make room there, then run the command again"


def check_room(folder: Path, n_bytes: int) -> None:
    """Refuse, before any work, a folder that cannot be written or has no room for so many bytes."""
    existing = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.is_dir())
    try:
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(b"0")
    except OSError as error:
        raise UserError(
            f"{folder}: cannot be written ({error.strerror});"
            " choose another folder, or change its permissions"
        ) from None
    n_free = shutil.disk_usage(existing).free
    if n_free < n_bytes:
        raise UserError(
            f"{folder}: {n_free / 1e6:,.0f} MB are free where about {n_bytes / 1e6:,.0f} MB will be needed;"
            " free some, or choose a folder on another disk"
        )
