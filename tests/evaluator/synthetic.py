"""Releases made up for tests, and predictions files for them."""

import csv
import gzip
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from contract.predictions.reading import ReleaseRows
from contract.release.release import Release, writing_release
from contract.schema.manifest import DimensionInfo, Manifest, SplitInfo, TaskInfo
from contract.schema.names import CLEAN, case_id, clean_id, sample_id, split_path
from contract.schema.records import COLUMNS, Record


@dataclass(frozen=True, kw_only=True)
class Case:
    """One frozen case of a sample."""

    sample: int
    dimension: str
    setting: str
    degree: float | None
    case: int
    source: str | None = None


@dataclass(frozen=True, kw_only=True)
class SyntheticTask:
    """A task: its labels, the true label of each sample, and the cases."""

    name: str
    labels: tuple[str, ...]
    clean: tuple[int, ...]
    cases: tuple[Case, ...]
    metrics: tuple[str, ...] = ("accuracy",)
    group: str | None = None
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
    with writing_release(path) as writer:
        splits = []
        for task in tasks:
            for split, records in _splits(task):
                splits.append(writer.write_split(split, records, task.labels))
        writer.write_manifest(_manifest(tasks, splits, min_samples).model_copy(update=manifest))


def _splits(task: SyntheticTask) -> list[tuple[SplitInfo, list[Record]]]:
    with_clean = range(len(task.clean)) if task.originals is None else task.originals
    groups: dict[tuple[str, str | None, float | None], list[Record]] = {
        (CLEAN, None, 0): [_clean(task, sample) for sample in with_clean]
    }
    for case in task.cases:
        key = (case.dimension, case.setting, case.degree)
        groups.setdefault(key, []).append(_record(task, case))
    for key in task.empty:
        groups.setdefault(key, [])
    splits = []
    for (dimension, setting, degree), records in groups.items():
        location = split_path(task.name, dimension, setting, degree)
        split = SplitInfo(
            task=task.name,
            dimension=dimension,
            setting=setting,
            degree=degree,
            path=location,
            rows=0,
            samples=0,
        )
        splits.append((split, records))
    return splits


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
    )


def _manifest(tasks: Sequence[SyntheticTask], splits: Sequence[SplitInfo], min_samples: int) -> Manifest:
    names = sorted({split.dimension for split in splits if split.is_adversarial})
    return Manifest(
        name="synthetic",
        version="1.0.0",
        seed=0,
        min_samples=min_samples,
        recipe={},
        recipe_sha256="0" * 64,
        columns=COLUMNS,
        tasks=tuple(
            TaskInfo(
                name=task.name,
                labels=task.labels,
                fields=("text",),
                metrics=task.metrics,
                group=task.group,
                source="made up",
                licence="none",
                has_all_originals=task.originals is None,
                n_samples=len(task.clean),
                n_train=0,
            )
            for task in tasks
        ),
        dimensions=tuple(
            DimensionInfo(
                name=name,
                degree_kind="budget",
                degrees=tuple(
                    sorted({s.degree for s in splits if s.dimension == name and s.degree is not None})
                ),
                order=order,
                tag="malicious" if name.endswith("malicious") else "general",
            )
            for order, name in enumerate(names)
        ),
        surrogates=(),
        funnel=(),
        overlap=(),
        libraries={},
        canary="canary",
        splits=tuple(splits),
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
