"""Rows are hashed and verified in the order of their ids, a few at a time."""

import hashlib
import random
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from contract.machine.json_text import canonical_json
from contract.machine.memory import lean_file
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.row_order import rows_by_id
from contract.release.verification import open_and_verify
from contract.schema.edits import Edit
from contract.schema.names import case_id
from contract.schema.records import COLUMNS, Record, hash_of_rows, table_of

N_SAMPLES = 7
N_CASES = 30


def record(sample: int, case: int) -> Record:
    """Return a case with as many edits as its number, in texts that JSON must escape, and some nulls."""
    words = ['"x"\n', "ä\\", "\u2028", "plain"]
    return Record(
        id=case_id(f"t-{sample:05d}", "typo-general", "rule", 0.1, case),
        sample_id=f"t-{sample:05d}",
        text=words[case % 4],
        original_text=None if case % 5 == 0 else words[sample % 4],
        label=sample % 2,
        task="t",
        dimension="typo-general",
        degree=0.1,
        realised_degree=case / 7,
        case=case,
        edits=tuple(("text", Edit(n, n + 1, words[n % 4], words[-n % 4])) for n in range(case)),
        surrogate_predictions=(1, None) if case % 2 else (),
        source_fooled=None if case % 3 else bool(case % 2),
        annotation={"n": 3, "votes": [1, 2], "agreement": 0.5, "valid": True} if case == 4 else None,
    )


RECORDS = [record(sample, case) for sample in range(N_SAMPLES) for case in range(N_CASES)]


def test_the_hash_of_rows_is_that_of_their_canonical_json() -> None:
    """Whatever the texts, and wherever a table is cut."""
    table = table_of(RECORDS)
    rows = sorted(table.to_pylist(), key=lambda row: str(row["id"]))
    expected = hashlib.sha256()
    for row in rows:
        expected.update(canonical_json([row[name] for name in COLUMNS]).encode() + b"\n")
    assert hash_of_rows(table) == expected.hexdigest()
    pieces = [table.slice(start, 11) for start in range(0, len(table), 11)]
    assert hash_of_rows(pa.concat_tables(pieces)) == expected.hexdigest()


def test_rows_in_the_order_of_cases_are_sorted_sample_by_sample(tmp_path: Path) -> None:
    """Case 10 comes before case 2; no more than a row group and the samples at its borders are held."""
    table = table_of(RECORDS)
    pq.write_table(table, tmp_path / "rows.parquet", row_group_size=2 * N_CASES + 5)
    with lean_file(tmp_path / "rows.parquet") as file:
        parts = list(rows_by_id(file, COLUMNS))
    ids = [name for part in parts for name in part["id"].to_pylist()]
    assert ids == sorted(table["id"].to_pylist()) != table["id"].to_pylist()
    assert max(part.num_rows for part in parts) <= 4 * N_CASES
    assert hash_of_rows(pa.concat_tables(parts)) == hash_of_rows(table)


def test_rows_in_any_order_are_sorted(tmp_path: Path) -> None:
    """At the price of memory."""
    mixed = random.Random(1).sample(RECORDS, len(RECORDS))
    pq.write_table(table_of(mixed), tmp_path / "rows.parquet", row_group_size=50)
    with lean_file(tmp_path / "rows.parquet") as file:
        ids = [name for part in rows_by_id(file, COLUMNS) for name in part["id"].to_pylist()]
    assert ids == sorted(row.id for row in RECORDS)


@pytest.mark.parametrize("dimension", ["typo-general", "typo-malicious"])
def test_an_id_that_stands_twice_is_named(tiny: Path, tmp_path: Path, dimension: str) -> None:
    """In the same split or in another one."""
    copy = Path(shutil.copytree(tiny, tmp_path / "release"))
    release = Release.open(copy)
    first, other = release.splits(dimension="typo-general")[0], release.splits(dimension=dimension)[-1]
    name = release.table(first)["id"][0]
    table = pq.read_table(copy / other.path)
    ids = [*table["id"].to_pylist()[:-1], name.as_py()]
    pq.write_table(
        table.set_column(0, table.schema.field("id"), pa.array(ids)), copy / other.path, compression="zstd"
    )
    found = [line for line in open_and_verify(copy, Silence()) if "stands elsewhere" in line]
    assert len(found) == 1
    assert f"(1 rows, first '{name}')" in found[0]
