"""Probabilities kept on disk: one small database for each classifier, bounded, shared by all processes."""

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from classifiers.machinery.classifier import Probabilities, TextPair
from contract.machine.files import sealed, unsealed

FOLDER = "probabilities"
# Six digits are kept: what a processor or a batch changes stands behind them.
MILLION = 1_000_000
# About 80 bytes each, so 80 MB a classifier; the oldest quarter makes room for new ones.
MOST_ROWS = 1_000_000
SHARE_THAT_GOES = 4
# All classifiers together; those asked least recently go first.
MOST_BYTES = 1_000_000_000
ROWS_A_QUERY = 500
SECONDS_TO_WAIT = 60.0

_TABLE = "CREATE TABLE IF NOT EXISTS answers (text BLOB NOT NULL UNIQUE, millionths BLOB NOT NULL)"
_STORE = (
    "INSERT INTO answers VALUES (?, ?) ON CONFLICT (text) DO UPDATE SET millionths = excluded.millionths"
    " WHERE millionths != excluded.millionths"
)


class ProbabilityCache:
    """The answers of one classifier by text. It only saves time: without it the same numbers are computed."""

    def __init__(
        self,
        cache_path: Path,
        key: str,
        *,
        most_rows: int = MOST_ROWS,
        most_bytes: int = MOST_BYTES,
        seconds_to_wait: float = SECONDS_TO_WAIT,
    ) -> None:
        self._path = cache_path / FOLDER / f"{key}.sqlite"
        self._most_rows = most_rows
        self._most_bytes = most_bytes
        self._seconds_to_wait = seconds_to_wait

    def load(self, texts: Sequence[TextPair]) -> dict[TextPair, Probabilities]:
        """Return the rows that are known."""
        found: dict[TextPair, Probabilities] = {}
        if not self._path.is_file():
            return found
        texts_by_key = {_key(text): text for text in texts}
        keys = list(texts_by_key)
        try:
            with closing(self._connect()) as database:
                for start in range(0, len(keys), ROWS_A_QUERY):
                    some = keys[start : start + ROWS_A_QUERY]
                    places = ",".join("?" * len(some))
                    query = f"SELECT text, millionths FROM answers WHERE text IN ({places})"  # noqa: S608
                    for key, millionths in database.execute(query, some):
                        # A damaged one is unknown, and replaced by the one that is computed instead.
                        if (value := unsealed(key, millionths)) is not None:
                            found[texts_by_key[key]] = np.frombuffer(value, dtype="<u4") / MILLION
        except sqlite3.OperationalError:
            # Busy, or on a disk that cannot lock, or without its table: what is not found is computed.
            return found
        except (sqlite3.DatabaseError, ValueError):
            self._throw_away()
            return {}
        return found

    def store(self, rows: Mapping[TextPair, Probabilities]) -> None:
        """Keep rows, all or none of them; the oldest go when there are too many."""
        if not rows:
            return
        keys = {text: _key(text) for text in rows}
        values = [
            (keys[text], sealed(keys[text], np.rint(row * MILLION).astype("<u4").tobytes()))
            for text, row in rows.items()
        ]
        try:
            if not self._path.is_file():
                self._make_room()
            with closing(self._connect()) as database, database:
                database.execute("BEGIN IMMEDIATE")
                database.execute(_TABLE)
                database.executemany(_STORE, values)
                self._forget_oldest(database)
        except (OSError, sqlite3.OperationalError):
            # A full disk or a busy database costs time, never a build.
            return
        except sqlite3.DatabaseError:
            self._throw_away()

    def _connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, timeout=self._seconds_to_wait, isolation_level=None)
        # What a crash loses here is computed again.
        database.execute("PRAGMA synchronous = OFF")
        return database

    def _forget_oldest(self, database: sqlite3.Connection) -> None:
        # Rows are only added at the end and taken from the start, so that they need not be counted.
        ((oldest, newest),) = database.execute("SELECT MIN(rowid), MAX(rowid) FROM answers")
        n_rows = newest - oldest + 1
        if n_rows > self._most_rows:
            n = n_rows - self._most_rows + self._most_rows // SHARE_THAT_GOES
            database.execute("DELETE FROM answers WHERE rowid < ?", (oldest + n,))

    def _make_room(self) -> None:
        """Delete the answers of other classifiers, those asked longest ago first, while all are too many."""
        folder = self._path.parent
        folder.mkdir(parents=True, exist_ok=True)
        states = sorted(
            (path.stat().st_mtime_ns, path.stat().st_size, path) for path in folder.glob("*.sqlite")
        )
        n_bytes = sum(size for _, size, _ in states)
        for _, size, path in states:
            if n_bytes <= self._most_bytes:
                return
            path.unlink(missing_ok=True)
            n_bytes -= size

    def _throw_away(self) -> None:
        """Delete a file that is no database, such as a crash may leave."""
        self._path.unlink(missing_ok=True)


def _key(text: TextPair) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for part in text:
        # No part can look like a missing one, or two parts like other two.
        encoded = b"" if part is None else b"\x01" + part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8) + encoded)
    return digest.digest()
