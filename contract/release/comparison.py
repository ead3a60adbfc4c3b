"""Compare two releases: which splits differ, by how many rows, and whether they are one benchmark."""

from dataclasses import dataclass
from typing import NamedTuple

from contract.machine.hashes import hash_of
from contract.release.release import Release
from contract.schema.manifest import Manifest, SplitInfo

# Votes and measured figures may differ on another processor: by this much they may, and no more.
ROWS_TOLERANCE = 0.02
DEGREE_TOLERANCE = 0.005
ACCURACY_TOLERANCE = 0.01

VOTE_COLUMNS = ("surrogate_predictions", "source_fooled", "transfer")


@dataclass(frozen=True, kw_only=True)
class SplitDifference:
    """A split that is not the same in both releases."""

    path: str
    n_only_left: int
    n_only_right: int
    n_changed: int
    # Of the changed ones: those that differ only in what surrogates say of them.
    n_other_votes: int


def surrogate_changes(left: Manifest, right: Manifest) -> list[str]:
    """Say which surrogates one release has and the other has not, or has with other weights."""
    mine = {(info.task, info.name): info.weights_sha256 for info in left.surrogates}
    theirs = {(info.task, info.name): info.weights_sha256 for info in right.surrogates}
    lines = []
    for task, name in [*mine, *(key for key in theirs if key not in mine)]:
        before, after = mine.get((task, name)), theirs.get((task, name))
        if before is None or after is None:
            lines.append(f"surrogate {name} of {task}: only in the {'second' if before is None else 'first'}")
        elif before != after:
            lines.append(
                f"surrogate {name} of {task}: weights {before[:12]} in the first, {after[:12]} in the second"
            )
    return lines


def compare_releases(left: Release, right: Release) -> list[SplitDifference]:
    """Return the splits that differ, in the order of the first release, then of the second."""
    left_splits = {split.path: split for split in left.manifest.splits}
    right_splits = {split.path: split for split in right.manifest.splits}
    differences = []
    differing = [
        path
        for path in {**left_splits, **right_splits}
        if path not in left_splits
        or path not in right_splits
        or left_splits[path].rows_sha256 != right_splits[path].rows_sha256
    ]
    left.prepare(left_splits[path] for path in differing if path in left_splits)
    right.prepare(right_splits[path] for path in differing if path in right_splits)
    for path in differing:
        mine, theirs = left_splits.get(path), right_splits.get(path)
        left_rows, right_rows = _row_hashes(left, mine), _row_hashes(right, theirs)
        shared = left_rows.keys() & right_rows.keys()
        changed = [row for row in shared if left_rows[row] != right_rows[row]]
        difference = SplitDifference(
            path=path,
            n_only_left=len(left_rows) - len(shared),
            n_only_right=len(right_rows) - len(shared),
            n_changed=len(changed),
            n_other_votes=sum(left_rows[row].case == right_rows[row].case for row in changed),
        )
        if difference.n_only_left or difference.n_only_right or difference.n_changed:
            differences.append(difference)
    return differences


class _RowHash(NamedTuple):
    """A row's hash without and with what surrogates say of it."""

    case: str
    row: str


def _row_hashes(release: Release, split: SplitInfo | None) -> dict[str, _RowHash]:
    """Return the hashes of each row by its id."""
    if split is None:
        return {}
    found = {}
    for row in release.table(split, release.columns_of(split)).to_pylist():
        case = {name: value for name, value in row.items() if name not in VOTE_COLUMNS}
        found[row["id"]] = _RowHash(hash_of(case), hash_of(row))
    return found


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Whether a release is the benchmark that a manifest describes: what differs, and what may."""

    n_identical: int
    # The same texts and labels; votes or measured figures differ.
    same_cases: tuple[str, ...]
    # Made with the help of models, and as near as the tolerance asks.
    near: tuple[str, ...]
    differences: tuple[str, ...]


def compare_manifests(expected: Manifest, found: Manifest) -> Agreement:
    """Compare split by split: those that no surrogate chose must be the same, the others nearly so."""
    differences = [
        f"{what}: {getattr(found, what)}, expected {getattr(expected, what)}"
        for what in ("name", "version", "seed", "recipe_sha256")
        if getattr(found, what) != getattr(expected, what)
    ]
    theirs = {split.path: split for split in found.splits}
    same_cases, near, n_identical = [], [], 0
    for split in expected.splits:
        other = theirs.pop(split.path, None)
        if other is None:
            differences.append(f"{split.path}: missing")
        elif other.rows_sha256 == split.rows_sha256 and other.rows == split.rows:
            n_identical += 1
        elif split.texts_sha256 is not None and other.texts_sha256 == split.texts_sha256:
            same_cases.append(split.path)
        elif _is_chosen_by_models(expected, split) and _is_near(split, other):
            near.append(f"{split.path}: {other.rows} rows, expected {split.rows}")
        else:
            differences.append(f"{split.path}: other cases ({other.rows} rows, expected {split.rows})")
    differences += [f"{path}: not expected" for path in theirs]
    differences += _surrogate_differences(expected, found)
    return Agreement(
        n_identical=n_identical,
        same_cases=tuple(same_cases),
        near=tuple(near),
        differences=tuple(differences),
    )


def _is_chosen_by_models(manifest: Manifest, split: SplitInfo) -> bool:
    """Tell whether models decided which cases a split has: by their votes, or by measuring degrees."""
    kinds = {info.name: info.degree_kind for info in manifest.dimensions}
    return split.is_adversarial and (split.setting != "rule" or kinds.get(split.dimension) == "bin")


def _is_near(expected: SplitInfo, found: SplitInfo) -> bool:
    if abs(found.rows - expected.rows) > ROWS_TOLERANCE * expected.rows:
        return False
    degrees = (found.mean_realised_degree, expected.mean_realised_degree)
    if degrees[0] is None or degrees[1] is None:
        return degrees[0] == degrees[1]
    return abs(degrees[0] - degrees[1]) <= DEGREE_TOLERANCE


def _surrogate_differences(expected: Manifest, found: Manifest) -> list[str]:
    theirs = {(info.task, info.name): info for info in found.surrogates}
    lines = []
    for info in expected.surrogates:
        other = theirs.get((info.task, info.name))
        if other is None:
            lines.append(f"surrogate {info.name} of {info.task}: missing")
            continue
        gap = abs((other.clean_accuracy or 0) - (info.clean_accuracy or 0))
        if gap > ACCURACY_TOLERANCE:
            lines.append(
                f"surrogate {info.name} of {info.task}: clean accuracy {other.clean_accuracy},"
                f" expected {info.clean_accuracy}"
            )
    return lines
