"""The cache of values on disk: shared by processes, bounded, and never worse than no cache."""

import subprocess
import sys
from pathlib import Path

import pytest

from contract.machine.value_cache import ValueCache

WRITER = """
import sys
from pathlib import Path
from contract.machine.value_cache import ValueCache
cache = ValueCache(Path(sys.argv[1]), home=Path(sys.argv[1]).parent, most_rows=10_000, most_bytes=10**9)
for number in range(100):
    cache.store({f"{sys.argv[2]} {number}".encode(): sys.argv[2].encode()})
"""


def cache_at(path: Path, most_rows: int = 10_000, most_bytes: int = 10**9) -> ValueCache:
    """Return a cache in a file."""
    return ValueCache(path, home=path.parent, most_rows=most_rows, most_bytes=most_bytes)


def test_processes_share_a_cache(tmp_path: Path) -> None:
    """All values that they store at the same time are there."""
    path = tmp_path / "a.sqlite"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in "xyz"]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    keys = [f"{name} {number}".encode() for name in "xyz" for number in range(100)]
    assert cache_at(path).load(keys) == {key: key[:1] for key in keys}


@pytest.mark.parametrize("length", [0, 1, 50, 4096, 6000])
def test_a_file_that_was_cut_costs_values_and_no_more(tmp_path: Path, length: int) -> None:
    """Whatever is loaded is right, and the cache works again after a second store at most."""
    path = tmp_path / "a.sqlite"
    values = {f"{number}".encode(): f"{number}".encode() * 50 for number in range(200)}
    cache_at(path).store(values)
    path.write_bytes(path.read_bytes()[:length])
    assert cache_at(path).load(list(values)).items() <= values.items()
    for _ in range(2):
        cache_at(path).store(values)
    assert cache_at(path).load(list(values)) == values


def test_a_value_under_another_key_is_not_taken(tmp_path: Path) -> None:
    """The checksum is of key and value."""
    import sqlite3

    path = tmp_path / "a.sqlite"
    cache_at(path).store({b"a": b"1", b"b": b"2"})
    with sqlite3.connect(path) as database:
        database.execute("UPDATE entries SET key = ? WHERE key = ?", (b"c", b"b"))
    database.close()
    assert cache_at(path).load([b"a", b"b", b"c"]) == {b"a": b"1"}
