"""Releases are written whole, read strictly and verified row by row."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from contract.machine.errors import UserError
from contract.machine.progress import Silence
from contract.release.comparison import compare_releases
from contract.release.release import Release, describe_split, writing_release
from contract.release.verification import open_and_verify
from contract.schema.records import hash_of_rows, records_of, table_of

SPLIT = "data/mr/typo-general/rule/degree_10.parquet"
OTHER = "data/mr/typo-general/rule/degree_30.parquet"


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    """Return a copy of the tiny release that a test may spoil."""
    return Path(shutil.copytree(tiny, tmp_path / "release"))


def test_a_fresh_release_verifies(tiny: Path) -> None:
    """Nothing differs."""
    assert open_and_verify(tiny, Silence()) == []


def test_records_survive_parquet(tiny: Path) -> None:
    """Rows read are the rows written, whatever their order."""
    release = Release.open(tiny)
    split = release.splits(dimension="typo-malicious")[0]
    table = release.table(split)
    again = table_of(list(records_of(table))[::-1])
    assert hash_of_rows(again) == hash_of_rows(table) == split.rows_sha256


def _truncate(release: Path) -> None:
    data = (release / SPLIT).read_bytes()
    (release / SPLIT).write_bytes(data[: len(data) // 2])


def _flip(release: Path) -> None:
    data = bytearray((release / SPLIT).read_bytes())
    data[len(data) // 3] ^= 1
    (release / SPLIT).write_bytes(data)


def _swap(release: Path) -> None:
    first, second = (release / SPLIT).read_bytes(), (release / OTHER).read_bytes()
    (release / SPLIT).write_bytes(second)
    (release / OTHER).write_bytes(first)


def _edit(release: Path) -> None:
    rows = pq.read_table(release / SPLIT).to_pylist()
    rows[0]["text"] += "!"
    schema = pq.read_schema(release / SPLIT)
    pq.write_table(table_of([]).schema.empty_table().from_pylist(rows, schema=schema), release / SPLIT)


def _delete(release: Path) -> None:
    (release / SPLIT).unlink()


@pytest.mark.parametrize("spoil", [_truncate, _flip, _swap, _edit, _delete])
def test_a_file_that_is_not_as_frozen_is_named(copy: Path, spoil: Callable[[Path], None]) -> None:
    """Truncated, edited, swapped or missing."""
    spoil(copy)
    assert any(line.startswith(SPLIT) for line in open_and_verify(copy, Silence()))


def test_a_row_whose_edits_do_not_make_it_is_named_even_under_a_new_hash(copy: Path) -> None:
    """A release that lies consistently is still caught."""
    _edit(copy)
    assert any("edits that do not turn" in line for line in open_and_verify(copy, Silence()))


def test_a_file_the_manifest_does_not_list_is_named(copy: Path) -> None:
    """Nothing hides in a release."""
    shutil.copy(copy / SPLIT, copy / "data/mr/extra.parquet")
    assert open_and_verify(copy, Silence()) == ["data/mr/extra.parquet: the manifest does not list this file"]


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "data/mr/other.parquet"])
def test_a_path_that_is_not_its_own_name_is_never_followed(copy: Path, path: str) -> None:
    """Manifests come from strangers."""
    manifest = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    manifest["splits"][0]["path"] = path
    (copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(UserError, match=r"should be 'data/mr/clean\.parquet'"):
        Release.open(copy)


def test_a_write_that_fails_leaves_what_was_there(tiny: Path, copy: Path) -> None:
    """The old release stays, and no part of the new one does."""

    def fail() -> None:
        with writing_release(copy) as writer:
            (writer.folder / "README.md").write_text("half", encoding="utf-8")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert open_and_verify(copy, Silence()) == []
    assert list(copy.parent.iterdir()) == [copy]


def test_a_folder_with_other_files_is_not_overwritten(tmp_path: Path) -> None:
    """Only an older release or an empty folder gives way."""
    (tmp_path / "thesis.tex").write_text("years of work", encoding="utf-8")
    with pytest.raises(UserError, match="holds other files"), writing_release(tmp_path):
        pass


def test_two_releases_are_compared_row_by_row(tiny: Path, copy: Path) -> None:
    """The same rows compare equal; a changed row is counted."""
    assert compare_releases(Release.open(tiny), Release.open(copy)) == []
    _edit(copy)
    manifest = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    for split in manifest["splits"]:
        if split["path"] == SPLIT:
            split["rows_sha256"] = "0" * 64
    (copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (difference,) = compare_releases(Release.open(tiny), Release.open(copy))
    assert (difference.path, difference.n_changed) == (SPLIT, 1)
    assert (difference.n_only_left, difference.n_only_right) == (0, 0)


def test_a_split_has_the_same_hashes_in_whatever_order_its_rows_come(tiny: Path, tmp_path: Path) -> None:
    """In order they are hashed as they stream by, a batch at a time."""
    release = Release.open(tiny)
    split = release.splits(dimension="typo-malicious")[0]
    path = tiny / split.path
    assert pq.read_table(path)["id"].to_pylist() == sorted(pq.read_table(path)["id"].to_pylist())
    backwards = pq.read_table(path).sort_by([("id", "descending")])
    pq.write_table(backwards, tmp_path / "backwards.parquet")
    for found in (describe_split(split, path), describe_split(split, tmp_path / "backwards.parquet")):
        assert (found.rows_sha256, found.texts_sha256) == (split.rows_sha256, split.texts_sha256)
        assert found.mean_realised_degree == split.mean_realised_degree
