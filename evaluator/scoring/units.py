"""Right or wrong for each unit of a task with many labels a text: tokens, or labels of texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from contract.machine.errors import bad_input
from contract.predictions.reading import Predictions
from contract.predictions.row_lists import RowLists, all_right
from contract.schema.manifest import TaskInfo
from evaluator.metrics.ratio import Booleans, Counts
from evaluator.metrics.units import CellUnits, CleanUnits, UnitClasses
from evaluator.scoring.kinds import UNIT_KINDS
from evaluator.scoring.kinds.unit_kind import NO_CLASS, CleanCodes
from evaluator.scoring.labelled_rows import LabelledRows


@dataclass(frozen=True, kw_only=True, eq=False)
class ListedAnswers:
    """The true codes of all rows and those that a model gives."""

    truths: RowLists
    answers: RowLists

    @cached_property
    def is_right(self) -> Booleans:
        """Whether each code is right."""
        return np.asarray(self.truths.codes == self.answers.codes)

    @cached_property
    def all_right(self) -> Booleans:
        """Whether all codes of a row are right that somebody judged; true of rows without codes."""
        return all_right(self.truths, self.answers)


def listed_answers(labelled: LabelledRows, predictions: Predictions) -> ListedAnswers | None:
    """Return codes and answers, where some task has many labels a text."""
    truths = labelled.rows.lists
    if truths is None or predictions.lists is None:
        return None
    return ListedAnswers(truths=truths, answers=predictions.lists)


def _whole_codes(task: TaskInfo, labelled: LabelledRows) -> NDArray[np.int32]:
    """Return the true codes of all clean rows of a task in the release."""
    rows = (labelled.whole or labelled).rows
    if rows.lists is None:
        return np.zeros(0, np.int32)
    clean = [group for group in rows.groups if group.is_clean and group.task == task.name]
    spans = [np.arange(group.start, group.stop) for group in clean]
    return rows.lists.codes[rows.lists.places(np.concatenate(spans))]


class TaskUnits:
    """The units of one task, laid out by class, and what a model makes of them in any rows."""

    def __init__(
        self, task: TaskInfo, listed: ListedAnswers, labelled: LabelledRows, clean_rows: NDArray[np.int64]
    ) -> None:
        samples, n_samples = labelled.samples, labelled.n_samples[task.name]
        self._listed = listed
        self._samples = samples
        truths = listed.truths
        places = truths.places(clean_rows)
        lengths = truths.lengths[clean_rows]
        self._starts = np.zeros(n_samples, np.int64)
        self._starts[samples[clean_rows]] = np.cumsum(lengths) - lengths
        within = places - np.repeat(truths.starts[clean_rows], lengths)
        clean = CleanCodes(codes=truths.codes[places], places=within, whole=_whole_codes(task, labelled))
        classed = UNIT_KINDS[task.kind].classed(clean, task)
        if not any(len(group) > 1 for group in classed.groups):
            raise bad_input(
                f"task {task.name}: its clean rows have nothing to tell apart: of no label both texts for"
                " which it holds and others, or tokens of one tag only; take more samples"
            )
        order = np.argsort(classed.of_unit, kind="stable")
        order = order[classed.of_unit[order] != NO_CLASS]
        # Where each clean code stands among the units; nowhere if it does not count.
        self._unit_of_code = np.full(len(places), NO_CLASS, np.int64)
        self._unit_of_code[order] = np.arange(len(order))
        sizes = np.bincount(classed.of_unit[order], minlength=classed.n_classes)
        ends = np.cumsum(sizes)
        self.units = UnitClasses(
            samples=np.repeat(samples[clean_rows], lengths)[order],
            n_samples=n_samples,
            classes=[slice(int(end - size), int(end)) for end, size in zip(ends, sizes, strict=True)],
            groups=classed.groups,
            names=classed.names,
        )
        self.clean = CleanUnits(units=self.units, is_right=listed.is_right[places][order])

    def cell(self, parts: Sequence[Sequence[slice]]) -> CellUnits:
        """Return the right cases and cases of every unit; `parts` are the rows at each degree."""
        shape = (len(self.units.samples), len(parts))
        n_right, n_cases = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
        for column, of_degree in enumerate(parts):
            for part in of_degree:
                self._count(np.arange(part.start, part.stop), n_right[:, column], n_cases[:, column])
        return CellUnits(clean=self.clean, n_right=n_right, n_cases=n_cases)

    def _count(self, rows: NDArray[np.int64], n_right: Counts, n_cases: Counts) -> None:
        """Add the codes of some rows to the counts of their units."""
        truths = self._listed.truths
        places, lengths = truths.places(rows), truths.lengths[rows]
        within = places - np.repeat(truths.starts[rows], lengths)
        codes = np.repeat(self._starts[self._samples[rows]], lengths) + within
        units = self._unit_of_code[codes]
        is_counted = units != NO_CLASS
        n_cases += np.bincount(units[is_counted], minlength=len(n_cases)).astype(np.int32)
        right = is_counted & self._listed.is_right[places]
        n_right += np.bincount(units[right], minlength=len(n_right)).astype(np.int32)
