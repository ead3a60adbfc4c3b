"""Verify a release: recompute every hash and count, and look at every row."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from contract.machine.errors import UserError
from contract.machine.hashes import hash_of, hash_of_file
from contract.machine.progress import Progress
from contract.release.checksums import document_differences
from contract.release.commitments import LABELS, SALT, holds
from contract.release.release import DOCUMENTS, Release
from contract.release.split_selector import left_out_of
from contract.schema.edits import apply_edits
from contract.schema.manifest import SplitInfo, TaskInfo
from contract.schema.records import LABEL_LISTS, TEXT_COLUMNS, Record, hash_of_rows, records_of
from contract.task_kinds import TASK_KINDS


def verify(release: Release, progress: Progress) -> list[str]:
    """Return what differs from the manifest, one line each; an empty list means that nothing does."""
    manifest = release.manifest
    differences = []
    if hash_of(manifest.recipe) != manifest.recipe_sha256:
        differences.append("manifest.json: the recipe is not the one its hash names")
    release.prepare(manifest.splits)
    progress.stage("verify", len(manifest.splits))
    ids: set[str] = set()
    left_out = left_out_of(release.path)
    for split in manifest.splits:
        if split.path in left_out and not (release.path / split.path).exists():
            progress.step()
            continue
        differences += [f"{split.path}: {difference}" for difference in _differences(release, split, ids)]
        progress.step()
    is_revealed = all((release.path / name).is_file() for name in (LABELS, SALT))
    if is_revealed and not holds(release.path / LABELS, manifest):
        differences.append(f"{LABELS}: not the labels that the manifest promised")
    known = {split.path for split in manifest.splits if split.rows}
    for path in sorted((release.path / "data").rglob("*")):
        name = path.relative_to(release.path).as_posix()
        if path.is_file() and name not in known:
            differences.append(f"{name}: the manifest does not list this file")
    return [*differences, *document_differences(release.path, DOCUMENTS)]


def _differences(release: Release, split: SplitInfo, ids: set[str]) -> Iterator[str]:
    path = release.path / split.path
    if split.rows == 0:
        return
    if not path.is_file():
        yield "missing"
        return
    if hash_of_file(path) != split.sha256:
        yield f"the file's sha256 is {hash_of_file(path)}, the manifest says {split.sha256}"
    try:
        columns = release.columns_of(split)
        table = release.table(split, columns)
    except UserError as error:
        yield f"cannot be read: {error.message}"
        return
    if table.num_rows != split.rows:
        yield f"{table.num_rows} rows, the manifest says {split.rows}"
    n_samples = pc.count_distinct(table["sample_id"]).as_py()
    if n_samples != split.samples:
        yield f"{n_samples} samples, the manifest says {split.samples}"
    if hash_of_rows(table, columns) != split.rows_sha256:
        yield "the logical rows are not those the manifest names"
    text_columns = tuple(name for name in columns if name in {*TEXT_COLUMNS, LABEL_LISTS})
    if split.texts_sha256 not in {None, hash_of_rows(table, text_columns)}:
        yield "texts and labels are not those the manifest names"
    yield from _list_differences(table, release.manifest.task(split.task))
    min_fooled = release.manifest.recipe.get("min_fooled")
    yield from _row_differences(table, split, ids)
    if split.setting in {"score", "gradient"} and isinstance(min_fooled, int | float):
        yield from _tier_differences(table, split, min_fooled)


def _list_differences(table: pa.Table, task: TaskInfo) -> Iterator[str]:
    """Yield how many rows have another number of labels than their text asks for."""
    kind = TASK_KINDS[task.kind].lists
    if kind is None:
        return
    rows = zip(
        table["id"].to_pylist(), table["text"].to_pylist(), table[LABEL_LISTS].to_pylist(), strict=True
    )
    wrong = [name for name, text, codes in rows if len(codes) != kind.n_codes(text, task)]
    if wrong:
        yield f"`labels` with another number than one a {kind.part} ({len(wrong)} rows, first {wrong[0]!r})"


def _row_differences(table: pa.Table, split: SplitInfo, ids: set[str]) -> Iterator[str]:
    """Yield the first fault of each kind in the rows, with how many rows have it."""
    faults: dict[str, list[str]] = {}
    for record in records_of(table):
        for fault in _faults(record, split, ids):
            faults.setdefault(fault, []).append(record.id)
        ids.add(record.id)
    for fault, of_rows in faults.items():
        yield f"{fault} ({len(of_rows)} rows, first {of_rows[0]!r})"


def _tier_differences(table: pa.Table, split: SplitInfo, min_fooled: float) -> Iterator[str]:
    """Yield how many rows are in the file of a tier to which their votes do not bring them."""
    pairs = zip(table["source_fooled"].to_pylist(), table["transfer"].to_pylist(), strict=True)
    is_in_tier = [
        bool(fooled) and transfer is not None and transfer >= min_fooled for fooled, transfer in pairs
    ]
    n_wrong = sum(is_in != (split.tier is not None) for is_in in is_in_tier)
    if n_wrong:
        yield f"{n_wrong} rows whose `source_fooled` and `transfer` belong into another tier's file"


def _faults(record: Record, split: SplitInfo, ids: set[str]) -> Iterator[str]:
    if record.id in ids:
        yield "an id that stands elsewhere in the release"
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
