"""Writes rows that others froze as a release: ids, originals, edits, and their place in published files."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from platform import python_version

from builder.release.documents import documents_of
from builder.release.importing.word_edits import word_edits
from contract.machine.hashes import hash_of, hash_of_file
from contract.release.release import Release, ReleaseWriter, writing_release
from contract.schema.edits import Edit, touched_words, words_of
from contract.schema.manifest import (
    TURNED_LABELS,
    DimensionInfo,
    ImportedFrom,
    Manifest,
    Setting,
    SplitInfo,
    TaskInfo,
    TextField,
)
from contract.schema.names import CLEAN, TRAIN, case_id, clean_id, sample_id, split_path
from contract.schema.records import COLUMNS, Record

VERSION = "1.0"
LIBRARIES = ("hardfrost", "pyarrow", "rapidfuzz")
# Others count every row; a threshold would drop methods that a task has few rows of.
MIN_SAMPLES = 1
# What an attacker knew is not recorded by others.
SETTING: Setting = "imported"
FIELDS: tuple[TextField, ...] = ("text", "text_pair")


@dataclass(frozen=True, kw_only=True)
class ImportedTask:
    """A task of a published benchmark: what it calls its texts, and what its labels are."""

    name: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    metrics: tuple[str, ...] = ("accuracy",)
    group: str | None = None


@dataclass(frozen=True, kw_only=True)
class ImportedRow:
    """A published row; `place` is its index in its task's list."""

    place: int
    label: int
    texts: tuple[str, ...]
    # None where the row has no original: people wrote it, or the file does not tell.
    originals: tuple[str, ...] | None
    construction: str | None
    method: str | None
    dimension: str


@dataclass(frozen=True, kw_only=True)
class PublishedSet:
    """A published benchmark, and what the cards of its releases say of it."""

    name: ImportedFrom
    source: str
    licence: str

    @property
    def keeps_labels(self) -> bool:
        """Whether a case has its original's label; where it has not, no original is a clean row."""
        return self.name not in TURNED_LABELS


@dataclass(frozen=True, kw_only=True)
class TaskRows:
    """A task with its rows and the sample of each."""

    task: ImportedTask
    rows: Sequence[ImportedRow]
    samples: Sequence[str]


def write_import(
    published: PublishedSet,
    rows: Mapping[ImportedTask, Sequence[ImportedRow]],
    dimensions: Sequence[DimensionInfo],
    paths: Sequence[Path],
    out: Path,
) -> Manifest:
    """Write the rows of some files as a release, and return its manifest."""
    tasks = [_with_samples(task, of_task, published) for task, of_task in rows.items()]
    hashes = [hash_of_file(path) for path in paths]
    # One file is named by its own hash, several by that of their hashes.
    source_sha256 = hashes[0] if len(hashes) == 1 else hash_of(hashes)
    recipe = {"import": published.name, "sha256": source_sha256}
    with writing_release(out) as writer:
        splits = list(_write_splits(writer, tasks, dimensions, published))
        has_clean = any(split.rows for split in splits if split.dimension == CLEAN)
        is_annotated = published.name == "advglue" and has_clean
        manifest = Manifest(
            name=f"{published.name}-annotated" if is_annotated else published.name,
            version=VERSION,
            seed=0,
            min_samples=MIN_SAMPLES,
            recipe=recipe,
            recipe_sha256=hash_of(recipe),
            columns=COLUMNS,
            tasks=tuple(_task_info(task, published, source_sha256) for task in tasks),
            dimensions=tuple(dimensions),
            surrogates=(),
            funnel=(),
            overlap=(),
            libraries={"python": python_version(), **{name: version(name) for name in LIBRARIES}},
            canary=f"hardfrost:canary:{uuid.uuid5(uuid.NAMESPACE_OID, hash_of(recipe))}",
            imported_from=published.name,
            splits=tuple(splits),
        )
        writer.write_manifest(manifest)
        writer.write_documents(documents_of(Release.open(writer.folder)))
    return manifest


def _write_splits(
    writer: ReleaseWriter,
    tasks: Sequence[TaskRows],
    dimensions: Sequence[DimensionInfo],
    published: PublishedSet,
) -> Iterator[SplitInfo]:
    """Yield what was written: originals and the lack of training rows, then the cases of each dimension."""
    for task in tasks:
        originals = _clean_records(task) if published.keeps_labels else iter(())
        yield writer.write_split(_split(task, CLEAN), originals, task.task.labels)
        yield _split(task, TRAIN)
    for task in tasks:
        for dimension in dimensions:
            records = list(_records(task, dimension.name))
            if records:
                yield writer.write_split(_split(task, dimension.name), records, task.task.labels)


def _with_samples(task: ImportedTask, rows: Sequence[ImportedRow], published: PublishedSet) -> TaskRows:
    """Return the rows with their samples: those with the same original share one, one without is its own."""
    first: dict[object, int] = {}
    samples = []
    for row in rows:
        is_alone = row.originals is None or not published.keeps_labels
        key = row.place if is_alone else (row.originals, row.label)
        samples.append(sample_id(task.name, first.setdefault(key, row.place)))
    return TaskRows(task=task, rows=rows, samples=samples)


def _task_info(task: TaskRows, published: PublishedSet, source_sha256: str) -> TaskInfo:
    return TaskInfo(
        name=task.task.name,
        group=task.task.group,
        labels=task.task.labels,
        fields=task.task.fields,
        metrics=task.task.metrics,
        source=published.source,
        source_sha256=source_sha256,
        licence=published.licence,
        has_all_originals=published.keeps_labels and all(row.originals is not None for row in task.rows),
        n_samples=len(set(task.samples)),
        n_train=0,
    )


def _split(task: TaskRows, dimension: str) -> SplitInfo:
    is_plain = dimension in {CLEAN, TRAIN}
    setting = None if is_plain else SETTING
    return SplitInfo(
        task=task.task.name,
        dimension=dimension,
        setting=setting,
        degree=0.0 if is_plain else None,
        path=split_path(task.task.name, dimension, setting, None),
        rows=0,
        samples=0,
    )


def _clean_records(task: TaskRows) -> Iterator[Record]:
    """Yield the original of each sample that has one."""
    seen = set()
    for row, sample in zip(task.rows, task.samples, strict=True):
        if row.originals is None or sample in seen:
            continue
        seen.add(sample)
        text, text_pair = _both(row.originals)
        yield Record(
            id=clean_id(sample),
            sample_id=sample,
            text=text,
            text_pair=text_pair,
            original_text=text,
            original_text_pair=text_pair,
            label=row.label,
            task=task.task.name,
            dimension=CLEAN,
            degree=0.0,
            realised_degree=0.0,
        )


def _records(task: TaskRows, dimension: str) -> Iterator[Record]:
    """Yield the rows of a dimension; `case` is the row's place in the file."""
    for row, sample in zip(task.rows, task.samples, strict=True):
        if row.dimension != dimension:
            continue
        edits = _edits_of(row)
        perturbed = [field for field, of_field in edits.items() if of_field]
        text, text_pair = _both(row.texts)
        original_text, original_text_pair = _both(row.originals) if row.originals else (None, None)
        yield Record(
            id=case_id(sample, dimension, SETTING, None, row.place),
            sample_id=sample,
            text=text,
            text_pair=text_pair,
            original_text=original_text,
            original_text_pair=original_text_pair,
            label=row.label,
            task=task.task.name,
            dimension=dimension,
            setting=SETTING,
            degree=None,
            realised_degree=None,
            case=row.place,
            method=row.method,
            field=perturbed[0] if len(perturbed) == 1 else None,
            edits=tuple((field, edit) for field in perturbed for edit in edits[field]),
            word_modification_rate=_word_modification_rate(row, edits),
        )


def _both(texts: Sequence[str]) -> tuple[str, str | None]:
    return texts[0], texts[1] if len(texts) == 2 else None


def _edits_of(row: ImportedRow) -> dict[TextField, list[Edit]]:
    """Return what was done to each text, as far as the originals tell."""
    if row.originals is None:
        return {}
    pairs = zip(FIELDS, row.originals, row.texts, strict=False)
    return {field: word_edits(original, text) for field, original, text in pairs}


def _word_modification_rate(row: ImportedRow, edits: Mapping[TextField, Sequence[Edit]]) -> float | None:
    """Return the share of words changed in the texts that were perturbed."""
    n_words = n_touched = 0
    for of_field, original in zip(edits.values(), row.originals or (), strict=False):
        if of_field:
            words = words_of(original)
            n_words += len(words)
            n_touched += len(touched_words(words, of_field))
    return n_touched / n_words if n_words else None
