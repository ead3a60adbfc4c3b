"""Files at the edges: canonical JSON, hashes, and writing whole files or none."""

import contextlib
import errno
import hashlib
import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from contract.machine.errors import UserError

# No room, no room for this user, no room in a file.
_DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# Libraries that write by themselves hide the number in their message.
_DISK_MESSAGES = ("No space left on device", "Disk quota exceeded", "File too large")
# Nothing may be read or written there, or what stands there is of another kind.
_PLACE_ERRORS = (
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.EEXIST,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ENAMETOOLONG,
)

# Made once: rows are hashed by the million.
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

SEAL = 4
# What files that are being written are called, as a pattern.
PARTS = ".*.part"


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, no NaN."""
    return _CANONICAL.encode(value)


def pretty_json(value: Any) -> str:
    """Return the JSON text that files hold: sorted keys, two spaces, a newline at the end."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def hash_of(value: Any) -> str:
    """Return the sha256 of a JSON value."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def hash_of_file(path: Path) -> str:
    """Return the sha256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sealed(key: bytes, value: bytes) -> bytes:
    """Return a value with four bytes that tell whether it is still the one that was kept under the key."""
    return value + zlib.crc32(value, zlib.crc32(key)).to_bytes(SEAL)


def unsealed(key: bytes, kept: bytes) -> bytes | None:
    """Return the value that was sealed, or nothing if a byte of it has changed."""
    value = kept[:-SEAL]
    return value if sealed(key, value) == kept else None


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside the target; it takes the target's place only if all went well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _named(path):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(handle)
    temporary = Path(name)
    try:
        # mkstemp files are private; a release is as readable as any other new file.
        temporary.chmod(0o666 & ~_umask())
        with _named(path):
            yield temporary
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Let trouble with the disk name the file that was to be written, not the temporary one beside it."""
    try:
        yield
    except OSError as error:
        is_of_disk = error.errno in {*_DISK_ERRORS, *_PLACE_ERRORS}
        if is_of_disk and (error.filename is None or str(error.filename).endswith(".part")):
            error.filename, error.filename2 = str(path), None
        raise


def write_text(path: Path, text: str) -> None:
    """Write a whole UTF-8 file or leave what was there."""
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def disk_trouble(error: Exception) -> str | None:
    """Return what is wrong with the disk, if that is what an error says."""
    if isinstance(error, OSError) and error.errno in _DISK_ERRORS:
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return next((message for message in _DISK_MESSAGES if message in str(error)), None)


def file_trouble(error: Exception) -> str | None:
    """Return what a user can do about a file or disk that an error is about, or nothing for other errors."""
    if isinstance(error, OSError) and error.errno in _PLACE_ERRORS:
        where = error.filename or "a file"
        return f"{where}: cannot be read or written ({error.strerror}); mend its permissions, or name another"
    trouble = disk_trouble(error)
    return None if trouble is None else f"{trouble}; make room there, then run the command again"


def check_room(folder: Path, n_bytes: int) -> None:
    """Refuse, before any work, a folder that cannot be written or has no room for so many bytes."""
    existing = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.is_dir())
    try:
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(b"0")
    except OSError as error:
        raise UserError(
            f"{folder}: cannot be written ({error.strerror}); choose another folder, or mend its permissions"
        ) from None
    n_free = shutil.disk_usage(existing).free
    if n_free < n_bytes:
        raise UserError(
            f"{folder}: {n_free / 1e6:,.0f} MB are free where about {n_bytes / 1e6:,.0f} MB will be needed;"
            " free some, or choose a folder on another disk"
        )


def _umask() -> int:
    """Return the process's umask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def cache_path() -> Path:
    """Return the folder for what can be made again: $HARDFROST_CACHE, or the user's cache folder."""
    chosen = os.environ.get("HARDFROST_CACHE")
    if chosen:
        # Absolute: workers may stand in another folder.
        return Path(chosen).absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hardfrost"
