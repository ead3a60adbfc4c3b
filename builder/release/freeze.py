"""Freezes a release: writes the splits, the manifest and the documents, all or nothing."""

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from platform import python_version

import pyarrow as pa
import pyarrow.compute as pc

from builder.dimensions import DIMENSIONS
from builder.engines.engine import Pool
from builder.filters import FILTERS
from builder.models.encoder import encoder_sha256
from builder.panel.decisions import DecidedCases
from builder.panel.funnel import attack_titles
from builder.panel.method_counts import MethodCounts
from builder.recipe.recipe import Recipe
from builder.release.documents import documents_of
from builder.tasks.task import Task
from builder.units.planning import Plan
from builder.values.samples import Sample
from classifiers import TRAINABLE_KINDS
from contract.machine.memory import system_memory
from contract.release.release import Lists, Release, ReleaseWriter, columns_of, writing_release
from contract.schema.late_drops import LateDrop
from contract.schema.manifest import (
    DimensionInfo,
    FunnelInfo,
    Manifest,
    QueriesInfo,
    SplitInfo,
)
from contract.schema.names import CLEAN, TRAIN, clean_id, split_path, train_id
from contract.schema.records import Record

LIBRARIES = ("hardfrost", "numpy", "pyarrow", "rapidfuzz", "scikit-learn")
# What decides the last digits of embeddings, where a dimension is measured by them.
ENCODER_LIBRARIES = ("sentence-transformers", "torch", "transformers")


@dataclass(frozen=True, kw_only=True)
class SplitDraft:
    """A degree about to be written: its files, its funnel so far, and how its cases are decided and read."""

    # The file of the cases that are in no tier, then, in attacked settings, that of the tier.
    splits: tuple[SplitInfo, ...]
    funnel: FunnelInfo
    labels: Sequence[str]
    decided: Callable[[], Iterable[DecidedCases]]
    # The true labels by sample, in tasks with many labels a text.
    lists: Lists | None = None


@dataclass(frozen=True, kw_only=True)
class WrittenSplit:
    """A degree that is written: its files with counts and hashes, its whole funnel, and its late drops."""

    splits: tuple[SplitInfo, ...]
    funnel: FunnelInfo
    drops: list[LateDrop]


@dataclass(frozen=True, kw_only=True)
class FrozenRelease:
    """The manifest of a release that is written, and the cases that were dropped while it was."""

    manifest: Manifest
    drops: list[LateDrop]


@system_memory()
def freeze(
    plan: Plan,
    splits: Sequence[SplitDraft],
    out: Path,
    *,
    queries: Sequence[QueriesInfo],
    pool: Pool,
    on_split: Callable[[], None],
) -> FrozenRelease:
    """Write the release into a folder that gets its name only when everything is in it."""
    recipe = plan.recipe
    with writing_release(out) as writer:
        plain = [_write_plain(writer, plan, task, part) for task in plan.tasks for part in (CLEAN, TRAIN)]
        by_path: dict[str, WrittenSplit] = {}
        for draft, split in pool.run(partial(_write, writer), splits):
            by_path[draft.splits[0].path] = split
            on_split()
        written = [by_path[draft.splits[0].path] for draft in splits]
        manifest = Manifest(
            name=recipe.name,
            version=recipe.version,
            seed=recipe.seed,
            min_samples=recipe.min_samples,
            recipe=recipe.resolved(),
            recipe_sha256=recipe.sha256,
            columns=columns_of(task.info for task in plan.tasks),
            tasks=tuple(task.info for task in plan.tasks),
            dimensions=tuple(_dimensions(recipe)),
            surrogates=tuple(surrogate.info for surrogate in plan.surrogates),
            funnel=tuple(split.funnel for split in written),
            queries=tuple(queries),
            overlap=tuple(task.overlap for task in plan.tasks),
            libraries=_libraries(recipe),
            canary=f"hardfrost:canary:{uuid.uuid5(uuid.NAMESPACE_OID, recipe.sha256)}",
            splits=(*plain, *(file for split in written for file in split.splits)),
        )
        writer.write_manifest(manifest)
        writer.write_documents(documents_of(Release.open(writer.folder)))
    on_split()
    return FrozenRelease(manifest=manifest, drops=[drop for split in written for drop in split.drops])


@system_memory()
def _write(writer: ReleaseWriter, draft: SplitDraft) -> WrittenSplit:
    """Write the cases of a degree that are kept, each tier into its file, and count the others.

    Each file takes a reading of its own: a table in memory would grow with the number of cases.
    """
    n_dropped = Counter(draft.funnel.n_dropped)
    drops: list[LateDrop] = []
    samples: set[str] = set()
    n_frozen: Counter[str] = Counter()
    n_source_fooled: Counter[bool | None] = Counter()
    methods = {name: MethodCounts() for name in draft.funnel.methods}

    def kept_cases(split: SplitInfo) -> Iterator[pa.Table]:
        for decided in draft.decided():
            if split.tier is None:
                n_dropped.update(decided.n_dropped)
                drops.extend(decided.late)
            kept = decided.kept(split.tier)
            samples.update(kept["sample_id"].to_pylist())
            n_source_fooled.update(kept["source_fooled"].to_pylist())
            n_frozen.update(attack_titles(kept))
            for name, counts in methods.items():
                counts.add(kept.filter(pc.equal(kept["method"], name)), is_in_tier=split.tier is not None)
            yield kept

    written = [
        writer.write_tables(
            split,
            kept_cases(split),
            draft.labels,
            draft.lists,
            with_distance=DIMENSIONS[split.dimension].degree_kind == "probability",
        )
        for split in draft.splits
    ]
    update = {
        "n_dropped": {reason: n for reason, n in sorted(n_dropped.items()) if n},
        "n_frozen": sum(split.rows for split in written),
        "n_samples_frozen": len(samples),
        "n_source_fooled": n_source_fooled[True],
        "attacks": {
            title: attack.model_copy(update={"n_frozen": n_frozen[title]})
            for title, attack in draft.funnel.attacks.items()
        },
        "methods": {name: counts.written(draft.funnel.methods[name]) for name, counts in methods.items()},
        "n_transferable": sum(split.rows for split in written if split.tier is not None),
        "n_samples_transferable": sum(split.samples for split in written if split.tier is not None),
    }
    return WrittenSplit(splits=tuple(written), funnel=draft.funnel.model_copy(update=update), drops=drops)


def _write_plain(writer: ReleaseWriter, plan: Plan, task: Task, part: str) -> SplitInfo:
    """Write the clean samples of a task with the surrogates' votes, or its training rows."""
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
    rows = (_plain(name, part, sample) for sample in task.train)
    if part == CLEAN:
        panel = [surrogate.clean_votes for surrogate in plan.surrogates if surrogate.info.task == name]
        votes = zip(*panel, strict=True) if panel else ((),) * len(task.samples)
        pairs = zip(task.samples, votes, strict=True)
        rows = (_plain(name, part, sample, of_sample) for sample, of_sample in pairs)
    return writer.write_split(split, rows, task.info.labels, task.lists)


def _plain(task: str, part: str, sample: Sample, votes: tuple[int, ...] = ()) -> Record:
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
        surrogate_predictions=votes,
    )


def _libraries(recipe: Recipe) -> dict[str, str]:
    """Return the versions of what made the rows, and the hash of the encoder where one was asked."""
    found = {"python": python_version(), **{name: version(name) for name in LIBRARIES}}
    if any("encoder" in DIMENSIONS[chosen.name].uses for chosen in recipe.dimensions):
        found.update({name: version(name) for name in ENCODER_LIBRARIES})
        found["encoder"] = encoder_sha256(recipe.encoder)
    if any("parser" in DIMENSIONS[chosen.name].uses for chosen in recipe.dimensions):
        found["spacy"] = version("spacy")
    for chosen in recipe.dimensions:
        origin = DIMENSIONS.origin(chosen.name)
        found |= {} if origin is None else {f"dimension {chosen.name}": str(origin)}
    for chosen_filter in recipe.filters:
        origin = FILTERS.origin(chosen_filter.name)
        found |= {} if origin is None else {f"filter {chosen_filter.name}": str(origin)}
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
            group=dimension.group,
            degree_kind=dimension.degree_kind,
            degrees=chosen.chosen_degrees,
            order=order,
            summary=dimension.summary,
            stands_for=dimension.stands_for,
        )
