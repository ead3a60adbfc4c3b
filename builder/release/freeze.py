"""Freeze: select what stays, write the splits, the manifest and the card, all or nothing."""

import hashlib
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from platform import python_version

import pyarrow as pa

from builder.dimensions import DIMENSIONS
from builder.engines.engine import Pool
from builder.models.encoder import encoder_sha256
from builder.recipe.recipe import Recipe
from builder.release.documents import documents_of
from builder.tasks.task import Task
from builder.values.samples import Sample
from classifiers import TRAINABLE_KINDS
from contract.machine.memory import system_memory
from contract.release.release import Release, ReleaseWriter, writing_release
from contract.schema.manifest import (
    DimensionInfo,
    FunnelInfo,
    Manifest,
    QueriesInfo,
    SplitInfo,
    SurrogateInfo,
)
from contract.schema.names import CLEAN, TRAIN, clean_id, split_path, train_id
from contract.schema.records import COLUMNS, Record

LIBRARIES = ("hardfrost", "numpy", "pyarrow", "rapidfuzz", "scikit-learn")
# What decides the last digits of embeddings, where a dimension is measured by them.
ENCODER_LIBRARIES = ("sentence-transformers", "torch", "transformers")


@dataclass(frozen=True, kw_only=True)
class Frozen:
    """A split about to be written: its entry, its funnel so far, and its rows."""

    split: SplitInfo
    funnel: FunnelInfo
    labels: Sequence[str]
    # Given a counter of what is left out late, returns the rows.
    tables: Callable[[Counter[str]], Iterable[pa.Table]]


@dataclass(frozen=True, kw_only=True)
class Written:
    """A split that is written: its entry with counts and hashes, and its funnel to the end."""

    split: SplitInfo
    funnel: FunnelInfo


@system_memory()
def freeze(
    recipe: Recipe,
    tasks: Sequence[Task],
    surrogates: Sequence[SurrogateInfo],
    splits: Sequence[Frozen],
    out: Path,
    *,
    queries: Sequence[QueriesInfo],
    pool: Pool,
    on_split: Callable[[], None],
) -> Manifest:
    """Write the release into a folder that gets its name only when everything is in it."""
    with writing_release(out) as writer:
        plain = [_write_plain(writer, task, part) for task in tasks for part in (CLEAN, TRAIN)]
        done: dict[str, Written] = {}
        for frozen, split in pool.run(partial(_write, writer), splits):
            done[frozen.split.path] = split
            on_split()
        in_order = [done[frozen.split.path] for frozen in splits]
        manifest = Manifest(
            name=recipe.name,
            version=recipe.version,
            seed=recipe.seed,
            min_samples=recipe.min_samples,
            recipe=recipe.resolved(),
            recipe_sha256=recipe.sha256,
            columns=COLUMNS,
            tasks=tuple(task.info for task in tasks),
            dimensions=tuple(_dimensions(recipe)),
            surrogates=tuple(surrogates),
            funnel=tuple(each.funnel for each in in_order),
            queries=tuple(queries),
            overlap=tuple(task.overlap for task in tasks),
            libraries=_libraries(recipe),
            canary=f"hardfrost:canary:{uuid.uuid5(uuid.NAMESPACE_OID, recipe.sha256)}",
            splits=(*plain, *(each.split for each in in_order)),
        )
        writer.write_manifest(manifest)
        for name, text in documents_of(Release.open(writer.folder)).items():
            writer.write_text(name, text)
    on_split()
    return manifest


@system_memory()
def _write(writer: ReleaseWriter, frozen: Frozen) -> Written:
    """Write a split and return what the manifest says of it."""
    dropped = Counter(frozen.funnel.n_dropped)
    tables = _without_duplicates(frozen.tables(dropped), dropped)
    split = writer.write_tables(frozen.split, tables, frozen.labels)
    update = {
        "n_dropped": {reason: n for reason, n in sorted(dropped.items()) if n},
        "n_frozen": split.rows,
        "n_samples_frozen": split.samples,
    }
    return Written(split=split, funnel=frozen.funnel.model_copy(update=update))


def _without_duplicates(tables: Iterable[pa.Table], dropped: Counter[str]) -> Iterator[pa.Table]:
    """Yield each text of a split once, counting what is left out."""
    seen: set[bytes] = set()
    for table in tables:
        is_new = []
        for texts in zip(table["text"].to_pylist(), table["text_pair"].to_pylist(), strict=True):
            key = hashlib.blake2b(repr(texts).encode(), digest_size=16).digest()
            is_new.append(key not in seen)
            seen.add(key)
        dropped["duplicate"] += is_new.count(False)
        yield table.filter(pa.array(is_new, pa.bool_()))


def _write_plain(writer: ReleaseWriter, task: Task, part: str) -> SplitInfo:
    """Write the clean samples or the training rows of a task."""
    name = task.info.name
    split = SplitInfo(
        task=name,
        dimension=part,
        setting=None,
        degree=0.0,
        path=split_path(name, part, None, None),
        rows=0,
        samples=0,
    )
    samples = task.samples if part == CLEAN else task.train
    return writer.write_split(split, (_plain(name, part, sample) for sample in samples), task.info.labels)


def _plain(task: str, part: str, sample: Sample) -> Record:
    return Record(
        id=clean_id(sample.id) if part == CLEAN else train_id(sample.id),
        sample_id=sample.id,
        text=sample.text,
        text_pair=sample.text_pair,
        original_text=sample.text,
        original_text_pair=sample.text_pair,
        label=sample.label,
        task=task,
        dimension=part,
        degree=0.0,
        realised_degree=0.0,
    )


def _libraries(recipe: Recipe) -> dict[str, str]:
    """Return the versions of what made the rows, and the hash of the encoder where one was asked."""
    found = {"python": python_version(), **{name: version(name) for name in LIBRARIES}}
    if any("encoder" in DIMENSIONS[chosen.name].uses for chosen in recipe.dimensions):
        found.update({name: version(name) for name in ENCODER_LIBRARIES})
        found["encoder"] = encoder_sha256(recipe.encoder)
    if any("parser" in DIMENSIONS[chosen.name].uses for chosen in recipe.dimensions):
        found["spacy"] = version("spacy")
    for surrogate in recipe.surrogates:
        if surrogate.kind in TRAINABLE_KINDS:
            found.update({name: version(name) for name in TRAINABLE_KINDS[surrogate.kind].packages})
    return found


def _dimensions(recipe: Recipe) -> Iterator[DimensionInfo]:
    for order, chosen in enumerate(recipe.dimensions):
        dimension = DIMENSIONS[chosen.name]
        yield DimensionInfo(
            name=dimension.name,
            level=dimension.level,
            tag=dimension.tag,
            measure=dimension.measure,
            degree_kind=dimension.degree_kind,
            degrees=chosen.chosen_degrees,
            order=order,
            summary=dimension.summary,
            stands_for=dimension.stands_for,
        )
