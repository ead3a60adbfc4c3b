"""Writes a file whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from contract.machine.disk import FULL_ERRORS, PATH_ERRORS

# The names of files that are being written, as a pattern.
PARTS = ".*.part"


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside the target; it replaces the target only if no error was raised."""
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


def write_text(path: Path, text: str) -> None:
    """Write a whole UTF-8 file or leave the file as it was."""
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Make errors of the disk name the target, not the temporary file beside it."""
    try:
        yield
    except OSError as error:
        is_of_disk = error.errno in {*FULL_ERRORS, *PATH_ERRORS}
        if is_of_disk and (error.filename is None or str(error.filename).endswith(".part")):
            error.filename, error.filename2 = str(path), None
        raise


def _umask() -> int:
    """Return the process's umask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
