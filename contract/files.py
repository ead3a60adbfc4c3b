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

from contract.errors import UserError

# No room, no room for this user, no room in a file, nothing may be written.
_DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM)
# Libraries that write by themselves hide the number in their message.
_DISK_MESSAGES = ("No space left on device", "Disk quota exceeded", "File too large", "Read-only file system")

SEAL = 4
# What files that are being written are called, as a pattern.
PARTS = ".*.part"


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, no NaN."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


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
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(handle)
    temporary = Path(name)
    try:
        # mkstemp files are private; a release is as readable as any other new file.
        temporary.chmod(0o666 & ~_umask())
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a whole UTF-8 file or leave what was there."""
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def disk_trouble(error: Exception) -> str | None:
    """Return what is wrong with the disk, if that is what an error says."""
    if isinstance(error, OSError) and error.errno in _DISK_ERRORS:
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return next((message for message in _DISK_MESSAGES if message in str(error)), None)


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
