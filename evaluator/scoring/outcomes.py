"""Right or wrong: a model's answers against the true labels, counted for each sample and degree."""

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
from evaluator.metrics.inputs import Cell, CellOutcomes, CleanOutcomes, Rows, TaskOutcomes
from evaluator.metrics.ratio import Booleans

_WITHHELD = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledRows:
    """The rows of a release with their true labels and the place of their sample among the task's."""

    rows: ReleaseRows
    labels: NDArray[np.int32]
    samples: NDArray[np.int32]
    n_samples: dict[str, int]


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
        of_task = _samples_of(rows, task)
        indices = pc.index_in(rows.table["sample_id"][start:stop], value_set=of_task)
        if indices.null_count:
            raise bad_input(
                f"{release.path}: cases and clean rows of {task.name} differ; run `hardfrost verify`"
            )
        samples[start:stop] = indices.to_numpy()
        n_samples[task.name] = len(of_task)
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
    with_clean = pc.unique(column[clean.start : clean.stop] if clean else column[:0])
    if clean is not None and len(with_clean) < clean.stop - clean.start:
        raise bad_input(
            f"{rows.release.path}: a sample of {task.name} has two clean rows; run `hardfrost verify`"
        )
    if task.has_all_originals:
        return with_clean
    start, stop = _bounds_of(rows, task)
    # Clean rows stand first, so their samples come first.
    return pc.unique(column[start:stop])


def outcomes_of(
    labelled: LabelledRows, predictions: Predictions, is_counted: Booleans | None = None
) -> list[TaskOutcomes]:
    """Return the outcomes task by task in the manifest's order; rows may be left uncounted."""
    is_right = predictions.labels == labelled.labels
    counted = np.ones(len(is_right), np.bool_) if is_counted is None else is_counted
    answers = _Answers(labelled=labelled, predictions=predictions, is_right=is_right, is_counted=counted)
    return [_task_outcomes(task, answers) for task in labelled.rows.tasks]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Answers:
    """All rows of a release with what a model says of them, and whether that is right."""

    labelled: LabelledRows
    predictions: Predictions
    is_right: Booleans
    is_counted: Booleans

    def rows(self, task: TaskInfo, places: range) -> Rows:
        """Return some rows of a task."""
        span = slice(places.start, places.stop)
        probabilities = self.predictions.probabilities
        return Rows(
            samples=self.labelled.samples[span],
            labels=self.labelled.labels[span],
            predictions=self.predictions.labels[span],
            probabilities=None if probabilities is None else probabilities[span],
            n_labels=len(task.labels),
            n_samples=self.labelled.n_samples[task.name],
        )


def _task_outcomes(task: TaskInfo, answers: _Answers) -> TaskOutcomes:
    clean_places = range(0)
    cells: dict[Cell, list[tuple[SplitInfo, range]]] = {}
    for split, places in _split_places(answers.labelled.rows, task.name):
        if answers.predictions.labels[places.start] == ABSENT:
            continue
        if split.dimension == CLEAN:
            clean_places = places
        elif split.setting is not None:
            cell = Cell(task.name, split.dimension, split.setting)
            cells.setdefault(cell, []).append((split, places))
    clean = _clean_outcomes(task, clean_places, answers)
    return TaskOutcomes(
        task=task,
        clean=clean,
        cells={cell: _cell_outcomes(splits, clean, answers) for cell, splits in cells.items()},
    )


def _split_places(rows: ReleaseRows, task: str) -> Iterator[tuple[SplitInfo, range]]:
    for split, start, stop in zip(rows.splits, rows.bounds[:-1], rows.bounds[1:], strict=True):
        if split.task == task:
            yield split, range(int(start), int(stop))


def _clean_outcomes(task: TaskInfo, places: range, answers: _Answers) -> CleanOutcomes:
    rows = answers.rows(task, places)
    has_clean, is_right = np.zeros(rows.n_samples, np.bool_), np.zeros(rows.n_samples, np.bool_)
    has_clean[rows.samples] = True
    is_right[rows.samples] = answers.is_right[places.start : places.stop]
    return CleanOutcomes(task=task, has_clean=has_clean, is_right=is_right, rows=rows)


def _cell_outcomes(
    splits: list[tuple[SplitInfo, range]], clean: CleanOutcomes, answers: _Answers
) -> CellOutcomes:
    splits = sorted(splits, key=lambda pair: -1.0 if pair[0].degree is None else pair[0].degree)
    n_samples = clean.rows.n_samples
    n_right = np.zeros((n_samples, len(splits)), np.int32)
    n_cases = np.zeros((n_samples, len(splits)), np.int32)
    rows = tuple(answers.rows(clean.task, places) for _, places in splits)
    for column, (_, places) in enumerate(splits):
        span = slice(places.start, places.stop)
        samples, counted = rows[column].samples, answers.is_counted[span]
        n_cases[:, column] = np.bincount(samples[counted], minlength=n_samples)
        n_right[:, column] = np.bincount(samples[counted & answers.is_right[span]], minlength=n_samples)
    return CellOutcomes(
        task=clean.task,
        clean=clean,
        splits=tuple(split for split, _ in splits),
        rows=rows,
        n_right=n_right,
        n_cases=n_cases,
        min_samples=answers.labelled.rows.release.manifest.min_samples,
    )
