"""Verify a release: recompute every hash and count, and look at every row."""

import contextlib
import hashlib
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from contract.machine.errors import UserError
from contract.machine.hashes import hash_of, hash_of_file
from contract.machine.progress import Progress
from contract.release.checksums import document_differences
from contract.release.commitments import LABELS, SALT, holds
from contract.release.release import DOCUMENTS, Release
from contract.release.split_selector import left_out_of
from contract.schema.edits import apply_edits
from contract.schema.manifest import SplitInfo, TaskInfo
from contract.schema.records import (
    LABEL_LISTS,
    ROWS_AS_OBJECTS,
    TEXT_COLUMNS,
    Record,
    RowsDigest,
    records_of,
)
from contract.task_kinds import TASK_KINDS


def verify(release: Release, progress: Progress) -> list[str]:
    """Return what differs from the manifest, one line each; an empty list means that nothing does."""
    manifest = release.manifest
    differences = []
    if hash_of(manifest.recipe) != manifest.recipe_sha256:
        differences.append("manifest.json: the recipe is not the one its hash names")
    release.prepare(manifest.splits)
    progress.stage("verify", len(manifest.splits))
    ids: list[NDArray[np.uint64]] = []
    left_out = left_out_of(release.path)
    for split in manifest.splits:
        if split.path in left_out and not (release.path / split.path).exists():
            progress.step()
            continue
        differences += [f"{split.path}: {difference}" for difference in _differences(release, split, ids)]
        progress.step()
    differences += _repeated_ids(release, ids)
    is_revealed = all((release.path / name).is_file() for name in (LABELS, SALT))
    if is_revealed and not holds(release.path / LABELS, manifest):
        differences.append(f"{LABELS}: not the labels that the manifest promised")
    known = {split.path for split in manifest.splits if split.rows}
    for path in sorted((release.path / "data").rglob("*")):
        name = path.relative_to(release.path).as_posix()
        if path.is_file() and name not in known:
            differences.append(f"{name}: the manifest does not list this file")
    return [*differences, *document_differences(release.path, DOCUMENTS)]


def _differences(release: Release, split: SplitInfo, ids: list[NDArray[np.uint64]]) -> Iterator[str]:
    """Yield what differs in a split, and add hashes of its ids to those of other splits."""
    path = release.path / split.path
    if split.rows == 0:
        return
    if not path.is_file():
        yield "missing"
        return
    if hash_of_file(path) != split.sha256:
        yield f"the file's sha256 is {hash_of_file(path)}, the manifest says {split.sha256}"
    task = release.manifest.task(split.task)
    rows = _RowsOfSplit(split, task, release.columns_of(split), release.manifest.recipe.get("min_fooled"))
    try:
        for table in release.tables_by_id(split):
            rows.add(table)
    except UserError as error:
        yield f"cannot be read: {error.message}"
        return
    ids.append(np.array(rows.ids, np.uint64))
    yield from rows.differences()


class _RowsOfSplit:
    """What the rows of a split's file show, a few of them at a time."""

    def __init__(self, split: SplitInfo, task: TaskInfo, columns: Sequence[str], min_fooled: object) -> None:
        # Eight bytes of the hash of each id.
        self.ids = array("Q")
        self._split = split
        self._task = task
        is_attacked = split.setting in {"score", "gradient"}
        self._min_fooled = min_fooled if is_attacked and isinstance(min_fooled, int | float) else None
        text_columns = [name for name in columns if name in {*TEXT_COLUMNS, LABEL_LISTS}]
        self._digest, self._texts_digest = RowsDigest(columns), RowsDigest(text_columns)
        self._samples: set[str] = set()
        # By fault, how many rows have it and the id of the first.
        self._faults: dict[str, tuple[int, str]] = {}
        self._n_in_wrong_tier = 0

    def add(self, table: pa.Table) -> None:
        """Look at the rows that come next in the order of ids."""
        for batch in table.to_batches(max_chunksize=ROWS_AS_OBJECTS):
            self._digest.add(batch)
            self._texts_digest.add(batch)
        for record in records_of(table):
            self.ids.append(_hash_of(record.id))
            self._samples.add(record.sample_id)
            for fault in _faults(record, self._split):
                self._count(fault, record.id)
            if self._min_fooled is not None:
                is_fooled = bool(record.source_fooled) and record.transfer is not None
                is_in_tier = is_fooled and (record.transfer or 0) >= self._min_fooled
                self._n_in_wrong_tier += is_in_tier != (self._split.tier is not None)

        self._count_wrong_lists(table)

    def _count(self, fault: str, row: str) -> None:
        n, first = self._faults.get(fault, (0, row))
        self._faults[fault] = (n + 1, first)

    def _count_wrong_lists(self, table: pa.Table) -> None:
        """Count the rows that have another number of labels than their text asks for."""
        kind = TASK_KINDS[self._task.kind].lists
        if kind is None:
            return
        columns = [table[name].to_pylist() for name in ("id", "text", LABEL_LISTS)]
        for name, text, codes in zip(*columns, strict=True):
            if len(codes) != kind.n_codes(text, self._task):
                self._count(f"`labels` with another number than one a {kind.part}", name)

    def differences(self) -> Iterator[str]:
        """Yield what differs from the manifest, and the first fault of each kind."""
        split = self._split
        if len(self.ids) != split.rows:
            yield f"{len(self.ids)} rows, the manifest says {split.rows}"
        if len(self._samples) != split.samples:
            yield f"{len(self._samples)} samples, the manifest says {split.samples}"
        if self._digest.hexdigest() != split.rows_sha256:
            yield "the logical rows are not those the manifest names"
        if split.texts_sha256 not in {None, self._texts_digest.hexdigest()}:
            yield "texts and labels are not those the manifest names"
        for fault, (n, first) in self._faults.items():
            yield f"{fault} ({n} rows, first {first!r})"
        if self._n_in_wrong_tier:
            yield (
                f"{self._n_in_wrong_tier} rows whose `source_fooled` and `transfer` belong into another"
                " tier's file"
            )


def _repeated_ids(release: Release, hashes: Sequence[NDArray[np.uint64]]) -> Iterator[str]:
    """Yield the files with ids that stand twice; the ids themselves are read again only if hashes repeat."""
    joined = np.sort(np.concatenate([np.zeros(0, np.uint64), *hashes]))
    twice = set(joined[1:][joined[1:] == joined[:-1]].tolist())
    seen: set[str] = set()
    for split in release.manifest.splits if twice else ():
        if not split.rows or not (release.path / split.path).is_file():
            continue
        with contextlib.suppress(UserError):
            repeated = []
            for name in release.table(split, ["id"])["id"].to_pylist():
                if _hash_of(name) in twice:
                    repeated += [name] if name in seen else []
                    seen.add(name)
            if repeated:
                yield (
                    f"{split.path}: an id that stands elsewhere in the release"
                    f" ({len(repeated)} rows, first {repeated[0]!r})"
                )


def _hash_of(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest())


def _faults(record: Record, split: SplitInfo) -> Iterator[str]:
    place = (record.task, record.dimension, record.setting, record.degree)
    if place != (split.task, split.dimension, split.setting, split.degree):
        yield "a row of another split"
    for field in ("text", "text_pair"):
        original, text = getattr(record, f"original_{field}"), getattr(record, field)
        if original is None:
            continue
        try:
            made = apply_edits(original, [edit for name, edit in record.edits if name == field])
        except ValueError:
            made = None
        if made != text:
            yield f"edits that do not turn original_{field} into {field}"


def open_and_verify(path: Path, progress: Progress) -> list[str]:
    """Open a release and verify it."""
    return verify(Release.open(path), progress)
