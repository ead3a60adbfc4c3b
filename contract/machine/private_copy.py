"""A private copy of a file that others may change: what is read from it is what was hashed."""

import contextlib
import hashlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from contract.machine.errors import UserError, bad_input

_PIECE_BYTES = 1 << 20


@dataclass(frozen=True, kw_only=True)
class PrivateCopy:
    """A copy in a folder of its own, and the sha256 of its bytes."""

    path: Path
    sha256: str


@contextlib.contextmanager
def private_copy(path: Path, most_bytes: int) -> Iterator[PrivateCopy]:
    """Yield a copy that nobody else changes, hashed as it was read; a file beyond the bound is refused."""
    if path.stat().st_size > most_bytes:
        raise _too_large(path, most_bytes)
    digest = hashlib.sha256()
    n_bytes = 0
    with tempfile.TemporaryDirectory(prefix="hardfrost-") as folder:
        copy_path = Path(folder) / "copy"
        with path.open("rb", buffering=0) as source, copy_path.open("wb", buffering=0) as copy:
            while piece := source.read(_PIECE_BYTES):
                n_bytes += len(piece)
                if n_bytes > most_bytes:
                    raise _too_large(path, most_bytes)
                digest.update(piece)
                copy.write(piece)
        yield PrivateCopy(path=copy_path, sha256=digest.hexdigest())


def _too_large(path: Path, most_bytes: int) -> UserError:
    return bad_input(f"{path}: is larger than {most_bytes:,} bytes; is it the right file?")
