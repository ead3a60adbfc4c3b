"""Releases made up for tests, and predictions files for them."""

import csv
import gzip
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from contract.machine.hashes import hash_of
from contract.predictions.reading import ReleaseRows
from contract.release.release import Release, writing_release
from contract.schema.manifest import DimensionInfo, Manifest, Mean, SplitInfo, TaskInfo, Tier
from contract.schema.names import CLEAN, case_id, clean_id, sample_id, split_path
from contract.schema.records import COLUMNS, Record

# Task, dimension, setting and degree; then the tier, where it is one.
SplitKey = tuple[str, str, str | None, float | None] | tuple[str, str, str | None, float | None, Tier]

ATTACKED = ("score", "gradient")


@dataclass(frozen=True, kw_only=True)
class Case:
    """One frozen case of a sample."""

    sample: int
    dimension: str
    setting: str
    degree: float | None
    case: int
    source: str | None = None
    votes: tuple[int | None, ...] = ()
    source_fooled: bool | None = None
    tier: Tier | None = None


@dataclass(frozen=True, kw_only=True)
class SyntheticTask:
    """A task: its labels, the true label of each sample, and the cases."""

    name: str
    labels: tuple[str, ...]
    clean: tuple[int, ...]
    cases: tuple[Case, ...]
    metrics: tuple[str, ...] = ("accuracy",)
    group: str | None = None
    mean: Mean = "geometric"
    # What the surrogates say about each clean sample.
    clean_votes: tuple[tuple[int | None, ...], ...] = ()
    # Samples that have a clean row, where not all of them do.
    originals: tuple[int, ...] | None = None
    # Dimension, setting and degree of splits that no case came to.
    empty: tuple[tuple[str, str, float | None], ...] = ()


def write_small_release(path: Path) -> Path:
    """Write a release of one task with 6 samples, two dimensions, two degrees and two cases each."""
    cases = [
        Case(sample=sample, dimension=dimension, setting="rule", degree=degree, case=case)
        for dimension in ("typo-general", "typo-malicious")
        for degree in (0.05, 0.1)
        for sample in range(6)
        for case in range(2)
    ]
    labels = ("negative", "positive")
    task = SyntheticTask(name="mr", labels=labels, clean=(0, 1, 0, 1, 0, 1), cases=tuple(cases))
    write_release(path, [task], min_samples=2)
    return path


def write_release(
    path: Path, tasks: Sequence[SyntheticTask], *, min_samples: int = 1, **manifest: Any
) -> None:
    """Write a release whose texts say nothing but where they stand."""
    splits = {key: records for task in tasks for key, records in _splits(task).items()}
    infos = [
        TaskInfo(
            name=task.name,
            labels=task.labels,
            fields=("text",),
            metrics=task.metrics,
            group=task.group,
            mean=task.mean,
            source="made up",
            licence="none",
            has_all_originals=task.originals is None,
            n_samples=len(task.clean),
            n_train=0,
        )
        for task in tasks
    ]
    write_splits(path, infos, _dimensions(splits), splits, min_samples=min_samples, **manifest)


def write_splits(
    path: Path,
    tasks: Sequence[TaskInfo],
    dimensions: Sequence[DimensionInfo],
    splits: Mapping[SplitKey, Sequence[Record]],
    **manifest: Any,
) -> Path:
    """Write a release of these rows; further arguments are fields of its manifest."""
    labels = {task.name: task.labels for task in tasks}
    with writing_release(path) as writer:
        coins = {info.name for info in dimensions if info.degree_kind == "probability"}
        written = [
            writer.write_split(_split_info(*key), records, labels[key[0]], with_distance=key[1] in coins)
            for key, records in splits.items()
        ]
        plain = Manifest(
            name="synthetic",
            version="1.0.0",
            seed=0,
            min_samples=1,
            recipe={},
            recipe_sha256=hash_of({}),
            columns=COLUMNS,
            tasks=tuple(tasks),
            dimensions=tuple(dimensions),
            surrogates=(),
            funnel=(),
            overlap=(),
            libraries={},
            canary="canary",
            splits=tuple(written),
        )
        writer.write_manifest(plain.model_copy(update=manifest))
    return path


def _split_info(
    task: str, dimension: str, setting: str | None, degree: float | None, tier: Tier | None = None
) -> SplitInfo:
    return SplitInfo(
        task=task,
        dimension=dimension,
        setting=setting,
        degree=degree,
        tier=tier,
        path=split_path(task, dimension, setting, degree, tier),
        rows=0,
        samples=0,
    )


def _splits(task: SyntheticTask) -> dict[SplitKey, list[Record]]:
    with_clean = range(len(task.clean)) if task.originals is None else task.originals
    splits: dict[SplitKey, list[Record]] = {
        (task.name, CLEAN, None, 0): [_clean(task, sample) for sample in with_clean]
    }
    for case in task.cases:
        key: SplitKey = (task.name, case.dimension, case.setting, case.degree)
        if case.setting in ATTACKED:
            # Both files of an attacked degree are listed, whichever has rows.
            splits.setdefault(key, [])
            splits.setdefault((*key[:4], "transferable"), [])
        if case.tier is not None:
            key = (*key[:4], case.tier)
        splits.setdefault(key, []).append(_record(task, case))
    for empty in task.empty:
        splits.setdefault((task.name, *empty), [])
    return splits


def _dimensions(splits: Iterable[SplitKey]) -> list[DimensionInfo]:
    """Return the dimensions of adversarial splits in the order of their names."""
    degrees: dict[str, set[float]] = {}
    for _, dimension, setting, degree, *_tier in splits:
        if setting is not None:
            degrees.setdefault(dimension, set()).update([] if degree is None else [degree])
    return [
        DimensionInfo(
            name=name,
            degree_kind="budget",
            degrees=tuple(sorted(degrees[name])),
            order=order,
            tag="malicious" if name.endswith("malicious") else "general",
        )
        for order, name in enumerate(sorted(degrees))
    ]


def _clean(task: SyntheticTask, sample: int) -> Record:
    name = sample_id(task.name, sample)
    return Record(
        id=clean_id(name),
        sample_id=name,
        text=f"text {sample}",
        original_text=None,
        label=task.clean[sample],
        task=task.name,
        dimension=CLEAN,
        degree=0,
        realised_degree=0,
        surrogate_predictions=task.clean_votes[sample] if task.clean_votes else (),
    )


def _record(task: SyntheticTask, case: Case) -> Record:
    name = sample_id(task.name, case.sample)
    return Record(
        id=case_id(name, case.dimension, case.setting, case.degree, case.case),
        sample_id=name,
        text=f"text {case.sample} {case.dimension} {case.degree} {case.case}",
        original_text=f"text {case.sample}",
        label=task.clean[case.sample],
        task=task.name,
        dimension=case.dimension,
        setting=case.setting,
        degree=case.degree,
        realised_degree=case.degree,
        case=case.case,
        source=case.source,
        surrogate_predictions=case.votes,
        source_fooled=case.source_fooled,
    )


def right_answers(release_path: Path) -> dict[str, str]:
    """Return the true label's name of every row to predict, in the release's order."""
    release = Release.open(release_path)
    rows = ReleaseRows.read(release, ("id", "task", "label"))
    labels = {task.name: task.labels for task in rows.tasks}
    return {row["id"]: labels[row["task"]][row["label"]] for row in rows.table.to_pylist()}


def write_answers(path: Path, answers: Mapping[str, Any], **columns: Any) -> Path:
    """Write a predictions file in the format that its name promises; columns hold the same for all rows."""
    rows = [{"id": name, "prediction": answer, **columns} for name, answer in answers.items()]
    plain = path.name.removesuffix(".gz")
    if plain.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(rows), path)
        return path
    text = _csv_text(rows) if plain.endswith(".csv") else "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.name.endswith(".gz") else text.encode())
    return path


def _csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, list(rows[0]) if rows else ["id", "prediction"])
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {key: json.dumps(value) if isinstance(value, list) else value for key, value in row.items()}
        )
    return file.getvalue()
