"""Embeddings kept on disk: one small database for each encoder, bounded, shared by all processes."""

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from contract.machine.files import sealed, unsealed

Embedding = NDArray[np.float32]

# 1.5 kB each with the packaged encoder, so 300 MB; the oldest quarter makes room for new ones.
MOST_ROWS = 200_000
SHARE_THAT_GOES = 4
# All encoders together; those written longest ago go first when a new one comes.
MOST_BYTES = 1_000_000_000
ROWS_A_QUERY = 500
SECONDS_TO_WAIT = 60.0

_TABLE = "CREATE TABLE IF NOT EXISTS embeddings (text BLOB NOT NULL UNIQUE, vector BLOB NOT NULL)"
_STORE = (
    "INSERT INTO embeddings VALUES (?, ?) ON CONFLICT (text) DO UPDATE SET vector = excluded.vector"
    " WHERE vector != excluded.vector"
)


class EmbeddingCache:
    """The embeddings of one encoder by text. It only saves time: without it the same numbers are computed."""

    def __init__(
        self,
        folder: Path,
        *,
        most_rows: int = MOST_ROWS,
        most_bytes: int = MOST_BYTES,
        seconds_to_wait: float = SECONDS_TO_WAIT,
    ) -> None:
        self._path = folder / "embeddings.sqlite"
        self._most_rows = most_rows
        self._most_bytes = most_bytes
        self._seconds_to_wait = seconds_to_wait

    def load(self, texts: Sequence[str]) -> dict[str, Embedding]:
        """Return the embeddings that are known."""
        if not self._path.is_file():
            return {}
        texts_by_key = {_key(text): text for text in texts}
        keys = list(texts_by_key)
        found: dict[str, Embedding] = {}
        try:
            with closing(self._connect()) as database:
                for start in range(0, len(keys), ROWS_A_QUERY):
                    some = keys[start : start + ROWS_A_QUERY]
                    places = ",".join("?" * len(some))
                    query = f"SELECT text, vector FROM embeddings WHERE text IN ({places})"  # noqa: S608
                    for key, vector in database.execute(query, some):
                        # A damaged one is unknown, and replaced by the one that is computed instead.
                        if (value := unsealed(key, vector)) is not None:
                            found[texts_by_key[key]] = np.frombuffer(value, dtype="<f4")
        except sqlite3.OperationalError:
            # Busy or on a disk that cannot lock: what is not found is computed.
            return found
        except sqlite3.DatabaseError:
            self._throw_away()
            return {}
        return found

    def store(self, embeddings: Mapping[str, Embedding]) -> None:
        """Keep embeddings, all or none of them; the oldest go when there are too many."""
        if not embeddings:
            return
        keys = {text: _key(text) for text in embeddings}
        rows = [
            (keys[text], sealed(keys[text], vector.astype("<f4").tobytes()))
            for text, vector in embeddings.items()
        ]
        try:
            if not self._path.is_file():
                self._make_room()
            with closing(self._connect()) as database, database:
                database.execute("BEGIN IMMEDIATE")
                database.execute(_TABLE)
                database.executemany(_STORE, rows)
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
        ((n_rows,),) = database.execute("SELECT COUNT(*) FROM embeddings")
        if n_rows > self._most_rows:
            n = n_rows - self._most_rows + self._most_rows // SHARE_THAT_GOES
            database.execute(
                "DELETE FROM embeddings WHERE rowid IN (SELECT rowid FROM embeddings ORDER BY rowid LIMIT ?)",
                (n,),
            )

    def _make_room(self) -> None:
        """Delete embeddings of other encoders or other code, the oldest first, while all are too many."""
        home = self._path.parent.parent
        self._path.parent.mkdir(parents=True, exist_ok=True)
        states = sorted(
            (path.stat().st_mtime_ns, path.stat().st_size, path) for path in home.glob(f"*/{self._path.name}")
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


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
