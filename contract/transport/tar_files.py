"""The gate for archives: reads .tar and .tar.gz files of strangers within limits."""

import contextlib
import gzip
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from contract.machine.errors import bad_input

# No header of an archive, and no part of a member that is read at once, is larger.
MOST_BYTES_AT_ONCE = 16_000_000
# The rows of a release are compressed already; what inflates to more than this is a bomb.
MOST_INFLATION = 100
LEAST_INFLATED_BYTES = 500_000_000
_GZIP = b"\x1f\x8b"
_FAULTS = (
    tarfile.TarError,
    gzip.BadGzipFile,
    zlib.error,
    EOFError,
    ValueError,
    KeyError,
    IndexError,
    OverflowError,
    RecursionError,
)


@contextlib.contextmanager
def reading_tar(path: Path, place: str) -> Iterator[tarfile.TarFile]:
    """Yield an archive; whatever is wrong with its bytes becomes an error that names the place."""
    try:
        with path.open("rb") as raw:
            is_gzip = raw.read(len(_GZIP)) == _GZIP
            raw.seek(0)
            with gzip.GzipFile(fileobj=raw) if is_gzip else contextlib.nullcontext(raw) as file:
                limit = max(LEAST_INFLATED_BYTES, MOST_INFLATION * path.stat().st_size)
                with tarfile.TarFile(fileobj=cast("IO[bytes]", _Bounded(file, limit)), mode="r") as archive:
                    yield archive
    except _FAULTS as error:
        raise bad_input(
            f"{place}: not an archive of a release, or cut short ({error});"
            " expected is a .tar.gz file that `hardfrost pack` wrote: fetch it again"
        ) from None


class _Bounded:
    """A file that is read in small pieces and not beyond a limit, as tarfile reads it."""

    def __init__(self, file: IO[bytes] | gzip.GzipFile, limit: int) -> None:
        self._file = file
        self._limit = limit

    def read(self, size: int) -> bytes:
        """Return some bytes; a header that claims millions of them is refused."""
        if not 0 <= size <= MOST_BYTES_AT_ONCE:
            raise ValueError(f"a header claims {size:,} bytes")
        return self._file.read(size)

    def seek(self, position: int, whence: int = 0) -> int:
        """Go to a place; one beyond the limit is not worth inflating what is before it."""
        if whence == 0 and not 0 <= position <= self._limit:
            raise ValueError(f"it inflates to more than {self._limit:,} bytes")
        return self._file.seek(position, whence)

    def tell(self) -> int:
        """Return the place."""
        return self._file.tell()
