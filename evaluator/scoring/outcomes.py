"""Right or wrong: what a model's answers are worth, counted for each sample and degree."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from contract.machine.errors import bad_input
from contract.machine.memory import system_memory
from contract.predictions.reading import ABSENT, Predictions, ReleaseRows, read_predictions
from contract.release.commitments import check_labels
from contract.release.release import Release
from contract.schema.manifest import SplitInfo, TaskInfo
from contract.schema.names import CLEAN
from evaluator.metrics.metric import Booleans, Counts
from evaluator.metrics.overall import Cell

_WITHHELD = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledRows:
    """The rows of a release with their true labels and the place of their sample among the task's."""

    rows: ReleaseRows
    labels: NDArray[np.int32]
    samples: NDArray[np.int32]
    n_samples: dict[str, int]


@dataclass(frozen=True, kw_only=True, eq=False)
class CellOutcomes:
    """Right cases and cases of each sample (rows) at each degree (columns, low degrees first)."""

    splits: tuple[SplitInfo, ...]
    row_ranges: tuple[range, ...]
    n_right: Counts
    n_cases: Counts


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskOutcomes:
    """A model's outcomes on one task; absent cells are left out.

    A sample whose clean row is missing or unanswered counts as not right when clean, and `has_clean` says so.
    """

    task: TaskInfo
    has_clean: Booleans
    clean_right: Booleans
    clean_rows: range
    cells: dict[Cell, CellOutcomes]


@system_memory()
def read_labelled_rows(release: Release, labels_path: Path | None = None) -> LabelledRows:
    """Return the rows to be scored; withheld labels come from the file that holds them."""
    rows = ReleaseRows.read(release, ("id", "sample_id", "label"))
    if labels_path is not None:
        check_labels(labels_path, release.manifest)
        labels = read_predictions(labels_path, rows, column="label", is_complete=True).labels
    else:
        labels = rows.table["label"].cast(pa.int32()).to_numpy()
        if (labels == _WITHHELD).any():
            raise bad_input(
                f"{release.path}: the labels are withheld; give the file that holds them with --labels"
            )
    n_labels = np.array([len(task.labels) for task in rows.tasks], np.int32)
    if (labels < 0).any() or (labels >= n_labels[rows.task_of_row]).any():
        raise bad_input(f"{release.path}: some label is none of its task's; run `hardfrost verify`")
    # The table's texts are not needed any more, its ids are.
    slim = replace(rows, table=rows.table.select(["id"]))
    samples = np.zeros(len(rows), np.int32)
    n_samples = {}
    for task in rows.tasks:
        start, stop = _bounds_of(rows, task)
        known = _samples_of(rows, task)
        found = pc.index_in(rows.table["sample_id"][start:stop], value_set=known)
        if found.null_count:
            raise bad_input(
                f"{release.path}: cases and clean rows of {task.name} differ; run `hardfrost verify`"
            )
        samples[start:stop] = found.to_numpy()
        n_samples[task.name] = len(known)
    return LabelledRows(rows=slim, labels=labels, samples=samples, n_samples=n_samples)


def _bounds_of(rows: ReleaseRows, task: TaskInfo) -> tuple[int, int]:
    """Return where the rows of a task begin and end."""
    groups = [group for group in rows.groups if group.task == task.name]
    return (groups[0].start, groups[-1].stop) if groups else (0, 0)


def _samples_of(rows: ReleaseRows, task: TaskInfo) -> pa.Array:
    """Return a task's samples: those of its clean rows, then, where originals may be missing, all others."""
    column = rows.table["sample_id"]
    clean = next((group for group in rows.groups if group.task == task.name and group.is_clean), None)
    if not any(group.task == task.name for group in rows.groups):
        # Left out by the download.
        return pc.unique(column[:0])
    if clean is None and task.has_all_originals:
        raise bad_input(f"{rows.release.path}: task {task.name} has no clean split; run `hardfrost verify`")
    known = pc.unique(column[clean.start : clean.stop] if clean else column[:0])
    if clean is not None and len(known) < clean.stop - clean.start:
        raise bad_input(
            f"{rows.release.path}: a sample of {task.name} has two clean rows; run `hardfrost verify`"
        )
    if task.has_all_originals:
        return known
    start, stop = _bounds_of(rows, task)
    # Clean rows stand first, so their samples come first.
    return pc.unique(column[start:stop])


def outcomes_of(
    labelled: LabelledRows, predictions: Predictions, is_counted: Booleans | None = None
) -> list[TaskOutcomes]:
    """Return what the answers are worth, task by task in the manifest's order; rows may be left uncounted."""
    is_right = predictions.labels == labelled.labels
    counted = np.ones(len(is_right), np.bool_) if is_counted is None else is_counted
    return [_task_outcomes(task, labelled, predictions, is_right, counted) for task in labelled.rows.tasks]


def _task_outcomes(
    task: TaskInfo,
    labelled: LabelledRows,
    predictions: Predictions,
    is_right: Booleans,
    is_counted: Booleans,
) -> TaskOutcomes:
    n_samples = labelled.n_samples[task.name]
    clean_rows = range(0)
    has_clean = np.zeros(n_samples, np.bool_)
    clean_right = np.zeros(n_samples, np.bool_)
    cells: dict[Cell, list[tuple[SplitInfo, range]]] = {}
    for split, rows in _split_rows(labelled.rows, task.name):
        if predictions.labels[rows.start] == ABSENT:
            continue
        if split.dimension == CLEAN:
            clean_rows = rows
            samples = labelled.samples[rows.start : rows.stop]
            has_clean[samples] = True
            clean_right[samples] = is_right[rows.start : rows.stop]
        elif split.setting is not None:
            cell = Cell(task.name, split.dimension, split.setting)
            cells.setdefault(cell, []).append((split, rows))
    return TaskOutcomes(
        task=task,
        has_clean=has_clean,
        clean_right=clean_right,
        clean_rows=clean_rows,
        cells={
            cell: _cell_outcomes(parts, labelled, is_right, is_counted, n_samples)
            for cell, parts in cells.items()
        },
    )


def _split_rows(rows: ReleaseRows, task: str) -> Iterator[tuple[SplitInfo, range]]:
    for split, start, stop in zip(rows.splits, rows.bounds[:-1], rows.bounds[1:], strict=True):
        if split.task == task:
            yield split, range(int(start), int(stop))


def _cell_outcomes(
    parts: list[tuple[SplitInfo, range]],
    labelled: LabelledRows,
    is_right: Booleans,
    is_counted: Booleans,
    n_samples: int,
) -> CellOutcomes:
    parts = sorted(parts, key=lambda part: -1.0 if part[0].degree is None else part[0].degree)
    n_right = np.zeros((n_samples, len(parts)), np.int32)
    n_cases = np.zeros((n_samples, len(parts)), np.int32)
    for column, (_, rows) in enumerate(parts):
        span = slice(rows.start, rows.stop)
        samples, counted = labelled.samples[span], is_counted[span]
        n_cases[:, column] = np.bincount(samples[counted], minlength=n_samples)
        n_right[:, column] = np.bincount(samples[counted & is_right[span]], minlength=n_samples)
    return CellOutcomes(
        splits=tuple(split for split, _ in parts),
        row_ranges=tuple(rows for _, rows in parts),
        n_right=n_right,
        n_cases=n_cases,
    )
