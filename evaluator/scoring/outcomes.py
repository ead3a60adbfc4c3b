"""Right or wrong: a model's answers against the true labels, counted for each sample and degree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from contract.predictions.reading import ABSENT, Predictions, ReleaseRows
from contract.schema.manifest import Mean, SplitInfo, TaskInfo
from contract.schema.names import CLEAN, TRANSFERABLE
from evaluator.metrics.inputs import Cell, CellOutcomes, CleanOutcomes, Rows, TaskOutcomes, TierCounts
from evaluator.metrics.overall import ATTACKED, half_of
from evaluator.metrics.ratio import Booleans, Counts
from evaluator.scoring.kinds import UNIT_KINDS
from evaluator.scoring.labelled_rows import ALL_RIGHT, LabelledRows
from evaluator.scoring.units import ListedAnswers, TaskUnits, listed_answers


class Part(NamedTuple):
    """A file of the release and the rows that stand in it."""

    split: SplitInfo
    rows: slice


def outcomes_of(
    labelled: LabelledRows, predictions: Predictions, mean: Mean | None = None
) -> list[TaskOutcomes]:
    """Return the outcomes task by task in the manifest's order; `mean` replaces that of the tasks."""
    listed = listed_answers(labelled, predictions)
    labels = predictions.labels
    if listed is not None:
        # Of a row with many labels, whether all are right; what is absent stays so.
        is_counted = (listed.truths.lengths > 0) & (labels != ABSENT)
        labels = np.where(is_counted, np.where(listed.all_right, ALL_RIGHT, 0), labels).astype(np.int32)
    answers = _Answers(
        labelled=labelled,
        predictions=predictions,
        labels=labels,
        is_right=labels == labelled.labels,
        mean=mean,
        listed=listed,
    )
    return [_task_outcomes(task, answers) for task in labelled.rows.tasks]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Answers:
    """All rows of a release with what a model says of them, and whether that is right."""

    labelled: LabelledRows
    predictions: Predictions
    # What it answers to each row; to rows with many labels, whether all are right.
    labels: NDArray[np.int32]
    is_right: Booleans
    mean: Mean | None
    # Where some task has many labels a text.
    listed: ListedAnswers | None

    def rows(self, task: TaskInfo, parts: Sequence[slice]) -> Rows:
        """Return some rows of a task."""
        probabilities = self.predictions.probabilities
        of_rows = None if probabilities is None else _joined_rows(probabilities, parts)
        if self.listed is not None and of_rows is not None and np.isnan(of_rows[:, 0]).any():
            # Other tasks have probabilities, this one has none.
            of_rows = None
        return Rows(
            samples=_joined(self.labelled.samples, parts),
            labels=_joined(self.labelled.labels, parts),
            predictions=_joined(self.labels, parts),
            probabilities=of_rows,
            n_labels=len(task.labels),
            n_samples=self.labelled.n_samples[task.name],
            truths=self._truths(task, parts),
        )

    def _truths(self, task: TaskInfo, parts: Sequence[slice]) -> NDArray[np.int32] | None:
        """Return the judgements of labels, in tasks that have a probability for each."""
        if self.listed is None or task.kind not in UNIT_KINDS or not UNIT_KINDS[task.kind].has_probabilities:
            return None
        truths = self.listed.truths
        places = truths.places(_rows_of(parts))
        return truths.codes[places].reshape(-1, len(task.labels))

    def units(self, task: TaskInfo, clean: Sequence[slice]) -> TaskUnits | None:
        """Return the units of a task that has many labels a text, where its clean rows are answered."""
        if self.listed is None or task.kind not in UNIT_KINDS or not clean:
            return None
        return TaskUnits(task, self.listed, self.labelled, _rows_of(clean))

    def count(self, part: slice, n_right: Counts, n_cases: Counts) -> None:
        """Add the rows of a part to the counts of their samples."""
        samples = self.labelled.samples[part]
        n_cases += np.bincount(samples, minlength=len(n_cases))
        n_right += np.bincount(samples[self.is_right[part]], minlength=len(n_right))


def _rows_of(parts: Sequence[slice]) -> NDArray[np.int64]:
    empty = np.zeros(0, np.int64)
    return np.concatenate([empty, *(np.arange(part.start, part.stop) for part in parts)])


def _joined(values: NDArray[np.int32], parts: Sequence[slice]) -> NDArray[np.int32]:
    """Return the values of some parts, not copied where it is one."""
    return values[parts[0]] if len(parts) == 1 else np.concatenate([values[:0], *(values[p] for p in parts)])


def _joined_rows(values: NDArray[np.float64], parts: Sequence[slice]) -> NDArray[np.float64]:
    return values[parts[0]] if len(parts) == 1 else np.concatenate([values[:0], *(values[p] for p in parts)])


def _task_outcomes(task: TaskInfo, answers: _Answers) -> TaskOutcomes:
    clean_rows: list[slice] = []
    cells: dict[Cell, list[Part]] = {}
    for part in parts_of(answers.labelled.rows, task.name):
        if answers.predictions.labels[part.rows.start] == ABSENT:
            continue
        if part.split.dimension == CLEAN:
            clean_rows.append(part.rows)
        elif part.split.setting is not None:
            cell = Cell(task.name, part.split.dimension, part.split.setting)
            cells.setdefault(cell, []).append(part)
    units = answers.units(task, clean_rows)
    clean = _clean_outcomes(task, clean_rows, answers, units)
    return TaskOutcomes(
        task=task,
        clean=clean,
        cells={cell: _cell_outcomes(cell, parts, clean, answers, units) for cell, parts in cells.items()},
    )


def parts_of(rows: ReleaseRows, task: str) -> Iterator[Part]:
    """Yield the files of a task and where their rows stand."""
    for split, start, stop in zip(rows.splits, rows.bounds[:-1], rows.bounds[1:], strict=True):
        if split.task == task:
            yield Part(split, slice(int(start), int(stop)))


def _clean_outcomes(
    task: TaskInfo, parts: Sequence[slice], answers: _Answers, units: TaskUnits | None
) -> CleanOutcomes:
    rows = answers.rows(task, parts)
    has_clean, is_right = np.zeros(rows.n_samples, np.bool_), np.zeros(rows.n_samples, np.bool_)
    has_clean[rows.samples] = True
    is_right[rows.samples] = rows.predictions == rows.labels
    strata = answers.labelled.strata[task.name] if parts else ()
    return CleanOutcomes(
        task=task,
        mean=answers.mean or task.mean,
        has_clean=has_clean,
        is_right=is_right,
        rows=rows,
        labels={part.label: slice(part.start, part.stop) for part in strata if part.has_clean},
        units=None if units is None else units.clean,
    )


def _cell_outcomes(
    cell: Cell,
    parts: Sequence[Part],
    clean: CleanOutcomes,
    answers: _Answers,
    units: TaskUnits | None,
) -> CellOutcomes:
    used = answers.labelled.degrees_used.get((cell.task, cell.dimension), ())
    degrees = sorted({*(part.split.degree for part in parts), *used}, key=_degree_order)
    at_degrees = [[part for part in parts if part.split.degree == degree] for degree in degrees]
    shape = (clean.rows.n_samples, len(degrees))
    n_right, n_cases = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    has_tier = half_of(cell.setting) == ATTACKED
    tier = TierCounts(n_right=np.zeros(shape, np.int32), n_cases=np.zeros(shape, np.int32))
    for column, at_degree in enumerate(at_degrees):
        for part in at_degree:
            answers.count(part.rows, n_right[:, column], n_cases[:, column])
            if part.split.tier == TRANSFERABLE:
                answers.count(part.rows, tier.n_right[:, column], tier.n_cases[:, column])
    return CellOutcomes(
        task=clean.task,
        clean=clean,
        degrees=tuple(degrees),
        rows=tuple(answers.rows(clean.task, [part.rows for part in at_degree]) for at_degree in at_degrees),
        n_right=n_right,
        n_cases=n_cases,
        used=tuple(column for column, degree in enumerate(degrees) if degree is None or degree in used),
        mean_realised=tuple(_mean_realised([part.split for part in at_degree]) for at_degree in at_degrees),
        transferable=tier if has_tier else None,
        min_samples=answers.labelled.rows.release.manifest.min_samples,
        units=None if units is None else units.cell([[part.rows for part in rows] for rows in at_degrees]),
    )


def _degree_order(degree: float | None) -> float:
    return -1.0 if degree is None else degree


def _mean_realised(splits: Sequence[SplitInfo]) -> float | None:
    """Return the mean realised degree of the rows of some files, where all say theirs."""
    known = [(split.mean_realised_degree, split.rows) for split in splits if split.rows]
    total = sum(n_rows for _, n_rows in known)
    if not total or any(mean is None for mean, _ in known):
        return None
    return sum(mean * n_rows for mean, n_rows in known if mean is not None) / total
