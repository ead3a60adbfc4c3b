"""AdvGLUE as a release: every row with an id, its original, its edits and its place in the file."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from platform import python_version

from builder.release.documents import documents_of
from builder.release.importing.advglue_file import TASKS, AdvGlueRow, AdvGlueTask, read_advglue
from builder.release.importing.word_edits import word_edits
from contract.machine.hashes import hash_of, hash_of_file
from contract.release.release import Release, writing_release
from contract.schema.edits import Edit, touched_words, words_of
from contract.schema.manifest import DimensionInfo, Level, Manifest, Setting, SplitInfo, TaskInfo, TextField
from contract.schema.names import CLEAN, TRAIN, case_id, clean_id, sample_id, split_path
from contract.schema.records import COLUMNS, Record

NAME = "advglue"
NAME_ANNOTATED = "advglue-annotated"
VERSION = "1.0"
LICENCE = "CC BY-SA 4.0"
LIBRARIES = ("hardfrost", "pyarrow", "rapidfuzz")
# AdvGLUE counts every row; a threshold would drop methods that a task has few rows of.
MIN_SAMPLES = 1

# AdvGLUE mixes rules, black-box and white-box attacks and people, and filtered all of them by models.
SETTING: Setting = "imported"
FIELDS: tuple[TextField, ...] = ("text", "text_pair")
LEVELS: dict[str | None, Level] = {"word": "word", "sentence": "sentence"}
STANDS_FOR = {
    "word": "words swapped or misspelt so that models fail while people still read the same",
    "sentence": "sentences rewritten or distracted from so that models fail",
    "human": "examples that people wrote to make models fail",
}


@dataclass(frozen=True, kw_only=True)
class _Task:
    """A task with the rows of the file and the sample of each."""

    task: AdvGlueTask
    rows: Sequence[AdvGlueRow]
    samples: Sequence[str]


def import_advglue(path: Path, out: Path) -> Manifest:
    """Write the release of AdvGLUE's dev file, plain or annotated, and return its manifest."""
    rows = read_advglue(path)
    tasks = [_with_samples(task, rows[task.name]) for task in TASKS]
    source_sha256 = hash_of_file(path)
    recipe = {"import": NAME, "sha256": source_sha256}
    dimensions = _dimensions(rows)
    splits: list[SplitInfo] = []
    with writing_release(out) as writer:
        for task in tasks:
            clean, train = _split(task, CLEAN), _split(task, TRAIN)
            splits += [writer.write_split(clean, _clean_records(task), task.task.labels), train]
        for task in tasks:
            for dimension in dimensions:
                records = list(_records(task, dimension.name))
                if records:
                    split = _split(task, dimension.name)
                    splits.append(writer.write_split(split, records, task.task.labels))
        manifest = Manifest(
            name=NAME_ANNOTATED if any(split.rows for split in splits if split.dimension == CLEAN) else NAME,
            version=VERSION,
            seed=0,
            min_samples=MIN_SAMPLES,
            recipe=recipe,
            recipe_sha256=hash_of(recipe),
            columns=COLUMNS,
            tasks=tuple(_task_info(task, source_sha256) for task in tasks),
            dimensions=tuple(dimensions),
            surrogates=(),
            funnel=(),
            overlap=(),
            libraries={"python": python_version(), **{name: version(name) for name in LIBRARIES}},
            canary=f"hardfrost:canary:{uuid.uuid5(uuid.NAMESPACE_OID, hash_of(recipe))}",
            imported_from="advglue",
            splits=tuple(splits),
        )
        writer.write_manifest(manifest)
        writer.write_documents(documents_of(Release.open(writer.folder)))
    return manifest


def _with_samples(task: AdvGlueTask, rows: Sequence[AdvGlueRow]) -> _Task:
    """Return the rows with their samples: those with the same original share one, one without is its own."""
    first: dict[object, int] = {}
    samples = []
    for row in rows:
        key = row.place if row.originals is None else (row.originals, row.label)
        samples.append(sample_id(task.name, first.setdefault(key, row.place)))
    return _Task(task=task, rows=rows, samples=samples)


def _task_info(task: _Task, source_sha256: str) -> TaskInfo:
    return TaskInfo(
        name=task.task.name,
        group=task.task.group,
        labels=task.task.labels,
        fields=task.task.fields,
        metrics=task.task.metrics,
        source="AdvGLUE dev set, https://adversarialglue.github.io",
        source_sha256=source_sha256,
        licence=LICENCE,
        has_all_originals=all(row.originals is not None for row in task.rows),
        n_samples=len(set(task.samples)),
        n_train=0,
    )


def _dimensions(rows: Mapping[str, Sequence[AdvGlueRow]]) -> list[DimensionInfo]:
    """Return the dimensions of the file, those of one construction together, else as they come."""
    first: dict[str, AdvGlueRow] = {}
    for row in chain.from_iterable(rows.values()):
        first.setdefault(row.dimension, row)
    constructions = list(dict.fromkeys(row.construction for row in first.values()))
    names = sorted(first, key=lambda name: constructions.index(first[name].construction))
    return [
        DimensionInfo(
            name=name,
            level=LEVELS.get(first[name].construction),
            degree_kind="none",
            degrees=(),
            order=order,
            summary=_summary(first[name]),
            stands_for=STANDS_FOR.get(first[name].construction or "", ""),
        )
        for order, name in enumerate(names)
    ]


def _summary(row: AdvGlueRow) -> str:
    made = [f"by {row.method}"] if row.method else []
    made += [f"data construction: {row.construction}"] if row.construction else []
    return "; ".join(["frozen by AdvGLUE's authors", *made])


def _split(task: _Task, dimension: str) -> SplitInfo:
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


def _clean_records(task: _Task) -> Iterator[Record]:
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


def _records(task: _Task, dimension: str) -> Iterator[Record]:
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


def _edits_of(row: AdvGlueRow) -> dict[TextField, list[Edit]]:
    """Return what was done to each text, as far as the originals tell."""
    if row.originals is None:
        return {}
    pairs = zip(FIELDS, row.originals, row.texts, strict=False)
    return {field: word_edits(original, text) for field, original, text in pairs}


def _word_modification_rate(row: AdvGlueRow, edits: Mapping[TextField, Sequence[Edit]]) -> float | None:
    """Return the share of words changed in the texts that were perturbed."""
    n_words = n_touched = 0
    for of_field, original in zip(edits.values(), row.originals or (), strict=False):
        if of_field:
            words = words_of(original)
            n_words += len(words)
            n_touched += len(touched_words(words, of_field))
    return n_touched / n_words if n_words else None
