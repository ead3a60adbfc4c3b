"""Compare two releases: which splits differ, and by how many rows."""

from dataclasses import dataclass

from contract.files import hash_of
from contract.manifest import SplitInfo
from contract.records import COLUMNS
from contract.release import Release


@dataclass(frozen=True, kw_only=True)
class SplitDifference:
    """A split that is not the same in both releases."""

    path: str
    n_only_left: int
    n_only_right: int
    n_changed: int


def compare_releases(left: Release, right: Release) -> list[SplitDifference]:
    """Return the splits that differ, in the order of the first release, then of the second."""
    left_splits = {split.path: split for split in left.manifest.splits}
    right_splits = {split.path: split for split in right.manifest.splits}
    differences = []
    for path in [*left_splits, *(path for path in right_splits if path not in left_splits)]:
        mine, theirs = left_splits.get(path), right_splits.get(path)
        if mine and theirs and mine.rows_sha256 == theirs.rows_sha256:
            continue
        left_rows, right_rows = _row_hashes(left, mine), _row_hashes(right, theirs)
        shared = left_rows.keys() & right_rows.keys()
        difference = SplitDifference(
            path=path,
            n_only_left=len(left_rows) - len(shared),
            n_only_right=len(right_rows) - len(shared),
            n_changed=sum(left_rows[row] != right_rows[row] for row in shared),
        )
        if difference.n_only_left or difference.n_only_right or difference.n_changed:
            differences.append(difference)
    return differences


def _row_hashes(release: Release, split: SplitInfo | None) -> dict[str, str]:
    """Return the hash of each row by its id."""
    if split is None:
        return {}
    return {row["id"]: hash_of(row) for row in release.table(split, COLUMNS).to_pylist()}
