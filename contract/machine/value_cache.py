"""Values by key in one SQLite file: bounded, checked by a checksum, shared by threads and processes.

The cache only saves time: a damaged, busy or deleted file never raises, its values are computed again.
"""

import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

SUFFIX = ".sqlite"
KEYS_A_QUERY = 500
# When there are too many rows, the oldest quarter goes.
SHARE_DELETED = 4
SECONDS_TO_WAIT = 60.0
CHECKSUM_BYTES = 4

_TABLE = "CREATE TABLE IF NOT EXISTS entries (key BLOB NOT NULL UNIQUE, value BLOB NOT NULL)"
_STORE = (
    "INSERT INTO entries VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
    " WHERE value != excluded.value"
)


class ValueCache:
    """One file of values; all such files at the same depth below `home` share a limit of bytes."""

    def __init__(
        self,
        path: Path,
        *,
        home: Path,
        most_rows: int,
        most_bytes: int,
        seconds_to_wait: float = SECONDS_TO_WAIT,
    ) -> None:
        self._path = path
        self._home = home
        self._most_rows = most_rows
        self._most_bytes = most_bytes
        self._seconds_to_wait = seconds_to_wait

    def load(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the values that are there and undamaged."""
        values: dict[bytes, bytes] = {}
        if not self._path.is_file():
            return values
        try:
            with closing(self._connect()) as database:
                for start in range(0, len(keys), KEYS_A_QUERY):
                    some = keys[start : start + KEYS_A_QUERY]
                    marks = ",".join("?" * len(some))
                    query = f"SELECT key, value FROM entries WHERE key IN ({marks})"  # noqa: S608
                    for key, stored in database.execute(query, some):
                        value = _checked(key, stored)
                        # A damaged value is missing here, and is overwritten when it is stored again.
                        if value is not None:
                            values[key] = value
        except sqlite3.OperationalError:
            # Busy, on a disk without locks, or without its table: missing values are computed.
            return values
        except sqlite3.DatabaseError:
            self.delete()
            return {}
        return values

    def store(self, values: Mapping[bytes, bytes]) -> None:
        """Store all values or none; when there are too many rows, delete the oldest."""
        if not values:
            return
        rows = [(key, _with_checksum(key, value)) for key, value in values.items()]
        try:
            if not self._path.is_file():
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._delete_oldest_files()
            with closing(self._connect()) as database, database:
                database.execute("BEGIN IMMEDIATE")
                database.execute(_TABLE)
                database.executemany(_STORE, rows)
                self._delete_oldest_rows(database)
        except (OSError, sqlite3.OperationalError):
            # A full disk or a busy database costs time, but stops nothing.
            return
        except sqlite3.DatabaseError:
            self.delete()

    def delete(self) -> None:
        """Delete the file, which may be no database after a crash."""
        self._path.unlink(missing_ok=True)

    def _connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, timeout=self._seconds_to_wait, isolation_level=None)
        # Values lost by a crash are computed again.
        database.execute("PRAGMA synchronous = OFF")
        return database

    def _delete_oldest_rows(self, database: sqlite3.Connection) -> None:
        # Rows are added at the end and deleted from the start, so that no row need be counted.
        ((oldest, newest),) = database.execute("SELECT MIN(rowid), MAX(rowid) FROM entries")
        n_rows = newest - oldest + 1
        if n_rows > self._most_rows:
            n_deleted = n_rows - self._most_rows + self._most_rows // SHARE_DELETED
            database.execute("DELETE FROM entries WHERE rowid < ?", (oldest + n_deleted,))

    def _delete_oldest_files(self) -> None:
        """Delete other files below `home`, those written longest ago first, while all are too large."""
        n_folders = len(self._path.relative_to(self._home).parts) - 1
        paths = self._home.glob("*/" * n_folders + f"*{SUFFIX}")
        states = sorted((path.stat().st_mtime_ns, path.stat().st_size, path) for path in paths)
        n_bytes = sum(size for _, size, _ in states)
        for _, size, path in states:
            if n_bytes <= self._most_bytes:
                return
            path.unlink(missing_ok=True)
            n_bytes -= size


def _with_checksum(key: bytes, value: bytes) -> bytes:
    """Return the value and a checksum of key and value; SQLite does not see a changed byte in a value."""
    return value + zlib.crc32(value, zlib.crc32(key)).to_bytes(CHECKSUM_BYTES)


def _checked(key: bytes, stored: bytes) -> bytes | None:
    """Return the value without its checksum, or None if a byte was changed."""
    value = stored[:-CHECKSUM_BYTES]
    return value if _with_checksum(key, value) == stored else None
