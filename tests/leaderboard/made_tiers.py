"""Makes releases with attempts in both files of a degree, with and without tier."""

from pathlib import Path
from random import Random

import pandas as pd

from contract.machine.hashes import hash_of
from contract.release.release import Release, writing_release
from contract.schema.manifest import DimensionInfo, Manifest, SplitInfo, TaskInfo
from contract.schema.names import CLEAN, TRANSFERABLE, case_id, clean_id, sample_id, split_path
from contract.schema.records import COLUMNS, Record

LABELS = ("negative", "positive", "neutral", "mixed")
DIMENSIONS = (("typo-malicious", "core"), ("attacked-only", "core"), ("shuffle", "zeroe"))
DEGREES = (0.05, 0.1, 0.3)
SETTINGS = ("rule", "score", "gradient")
Key = tuple[str, str | None, float, str | None]


def write_tiered_release(path: Path, random: Random, *, n_labels: int = 2) -> Path:
    """Write a release of two tasks; many samples have no case at a degree, high degrees have few."""
    tasks = [
        TaskInfo(
            name=name,
            labels=LABELS[:n_labels],
            fields=("text",),
            source="made up",
            licence="none",
            n_samples=11,
            n_train=0,
        )
        for name in ("a", "constructor")
    ]
    with writing_release(path) as writer:
        splits = [
            writer.write_split(_info(task.name, *key), records, task.labels)
            for task in tasks
            for key, records in _splits(task.name, random, n_labels).items()
        ]
        manifest = Manifest(
            name="tiered",
            version="1.0.0",
            seed=0,
            min_samples=2,
            recipe={},
            recipe_sha256=hash_of({}),
            columns=COLUMNS,
            tasks=tuple(tasks),
            dimensions=tuple(
                DimensionInfo(name=name, group=group, degree_kind="budget", degrees=DEGREES, order=order)
                for order, (name, group) in enumerate(DIMENSIONS)
            ),
            surrogates=(),
            funnel=(),
            overlap=(),
            libraries={},
            canary="canary",
            splits=tuple(splits),
        )
        writer.write_manifest(manifest)
    return path


def read_frame(path: Path) -> pd.DataFrame:
    """Return the rows of a release with the tier of their file and the group of their dimension."""
    release = Release.open(path)
    groups = {info.name: info.group for info in release.manifest.dimensions}
    columns = ["id", "sample_id", "label", "task", "dimension", "setting", "degree"]
    frames = [
        release.table(split, columns).to_pandas().assign(tier=split.tier, group=groups.get(split.dimension))
        for split in release.manifest.splits
        if split.rows
    ]
    frame: pd.DataFrame = pd.concat([one.astype(object) for one in frames], ignore_index=True)
    frame["label"] = frame["label"].astype(int)
    return frame


def _info(task: str, dimension: str, setting: str | None, degree: float, tier: str | None) -> SplitInfo:
    return SplitInfo(
        task=task,
        dimension=dimension,
        setting=setting,
        degree=degree,
        tier=TRANSFERABLE if tier else None,
        path=split_path(task, dimension, setting, degree, tier),
        rows=0,
        samples=0,
    )


def _splits(task: str, random: Random, n_labels: int) -> dict[Key, list[Record]]:
    # Every label has a clean sample; the last ones are drawn.
    labels = [place if place < n_labels else random.randrange(n_labels) for place in range(11)]
    splits: dict[Key, list[Record]] = {
        (CLEAN, None, 0.0, None): [_record(task, place, label) for place, label in enumerate(labels)]
    }
    for dimension, _ in DIMENSIONS:
        for setting in SETTINGS:
            if setting == "rule" and dimension == "attacked-only":
                continue
            for place, degree in enumerate(DEGREES):
                for tier in (None, TRANSFERABLE) if setting != "rule" else (None,):
                    splits[dimension, setting, degree, tier] = []
                for sample, label in enumerate(labels):
                    if random.random() > (0.8, 0.6, 0.15)[place]:
                        continue
                    for case in range(random.randint(1, 3)):
                        tier = TRANSFERABLE if setting != "rule" and random.random() < 0.4 else None
                        record = _record(
                            task,
                            sample,
                            label,
                            dimension=dimension,
                            setting=setting,
                            degree=degree,
                            case=case,
                        )
                        splits[dimension, setting, degree, tier].append(record)
    return splits


def _record(
    task: str,
    sample: int,
    label: int,
    *,
    dimension: str = CLEAN,
    setting: str | None = None,
    degree: float = 0.0,
    case: int = 0,
) -> Record:
    name = sample_id(task, sample)
    identifier = clean_id(name) if setting is None else case_id(name, dimension, setting, degree, case)
    return Record(
        id=identifier,
        sample_id=name,
        text=f"text {identifier}",
        original_text=f"text {sample}",
        label=label,
        task=task,
        dimension=dimension,
        setting=setting,
        degree=degree,
        realised_degree=degree,
        case=case,
    )
