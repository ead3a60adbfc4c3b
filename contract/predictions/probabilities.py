"""The probabilities of a predictions file: all rows have some or none has, and they sum to one."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from contract.machine.errors import MOST_PROBLEMS_SHOWN
from contract.machine.problems import Problems, shown
from contract.predictions.formats.chunks import UNREADABLE, Chunk
from contract.schema.manifest import TaskInfo
from contract.task_kinds import TASK_KINDS

BAD_PROBABILITIES = "probabilities that are none"

_REMEDY = "give one number from 0 to 1 a label that sum to 1, for all rows or for none"
_REMEDY_EACH = "give a number from 0 to 1 for each of {} labels: {}"
# Probabilities printed with few digits still count as summing to one.
_SUM_TOLERANCE = 0.02


class Probabilities:
    """The probabilities of a release's rows, gathered chunk after chunk; what is bad is worded at the end."""

    def __init__(self, tasks: Sequence[TaskInfo], task_of_row: NDArray[np.int16]) -> None:
        self._tasks = tasks
        self._n_labels = np.array([len(task.labels) for task in tasks])
        lists = [TASK_KINDS[task.kind].lists for task in tasks]
        # Tasks in which each label has a probability for itself, and those that are answered otherwise.
        self._is_needed = np.array([one is not None and one.is_answered_by_probabilities for one in lists])
        self._is_passed_over = np.array([one is not None for one in lists]) & ~self._is_needed
        self._task_of_row = task_of_row
        # Made when the first chunk has some.
        self._values: NDArray[np.float64] | None = None
        self._has_some = np.zeros(0, np.bool_)
        self._n_bad = 0
        self._worded: list[tuple[int, str]] = []

    def add(self, answers: Chunk, positions: NDArray[np.int64]) -> None:
        """Keep the probabilities of a chunk's rows, whose places in the release are given."""
        if answers.probabilities is None and not self._is_needed.any():
            return
        if self._values is None:
            self._values = np.full((len(self._task_of_row), self._n_labels.max()), np.nan)
            self._has_some = np.zeros(len(self._task_of_row), np.bool_)
        lists = answers.probabilities
        if lists is None:
            return
        is_given = lists.is_valid().to_numpy(zero_copy_only=False)
        rows = np.flatnonzero((positions >= 0) & is_given)
        rows = rows[~self._is_passed_over[self._task_of_row[positions[rows]]]]
        self._has_some[positions[rows]] = True
        tasks = self._task_of_row[positions[rows]]
        expected = self._n_labels[tasks]
        filled = _filled(lists, rows, expected, self._values.shape[1])
        self._values[positions[rows]] = filled
        is_bad = ~_are_probabilities(filled, expected, sum_to_one=~self._is_needed[tasks])
        bad, tasks = rows[is_bad], tasks[is_bad]
        self._n_bad += len(bad)
        n_room = MOST_PROBLEMS_SHOWN - len(self._worded)
        for row, task in zip(bad[:n_room], tasks, strict=False):
            found = f"probabilities {shown(lists[int(row)].as_py())}"
            self._word(int(answers.lines[row]), found, answers.ids[int(row)].as_py(), int(task))

    def finish(
        self, lines: NDArray[np.int64], ids: pa.ChunkedArray, problems: Problems
    ) -> NDArray[np.float64] | None:
        """Note what is bad and return one row of numbers a row of the release, or nothing without any."""
        if self._values is None:
            return None
        lacks = (lines > 0) & ~self._has_some & ~self._is_passed_over[self._task_of_row]
        is_needed = self._is_needed[self._task_of_row]
        if not (self._has_some & ~is_needed).any():
            # No row of the other tasks has some, so that none must.
            lacks &= is_needed
        # Probabilities that could not be read are already reported; they are not reported as missing, too.
        lacking = np.flatnonzero(lacks)[: 0 if UNREADABLE in problems else None]
        for row in lacking[np.argsort(lines[lacking])][:MOST_PROBLEMS_SHOWN]:
            found = "no `probabilities`" if is_needed[row] else "no probabilities, other rows have some"
            self._word(int(lines[row]), found, ids[int(row)].as_py(), int(self._task_of_row[row]))
        worded = sorted(self._worded)[:MOST_PROBLEMS_SHOWN]
        for line, message in worded:
            problems.add(BAD_PROBABILITIES, line, message)
        problems.add_unworded(BAD_PROBABILITIES, self._n_bad + len(lacking) - len(worded))
        return self._values

    def _word(self, line: int, found: str, identifier: str, task: int) -> None:
        remedy = _REMEDY
        if self._is_needed[task]:
            labels = self._tasks[task].labels
            remedy = _REMEDY_EACH.format(len(labels), ", ".join(labels[:20]))
        self._worded.append((line, f"{found}, for id {shown(identifier)}; {remedy}"))


def _filled(
    lists: pa.ListArray, rows: NDArray[np.int64], expected: NDArray[np.int64], width: int
) -> NDArray[np.float64]:
    """Return the numbers of some rows, NaN beyond a task's labels and all over a list of another length."""
    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy()
    values = lists.flatten().to_numpy()
    starts = np.cumsum(lengths) - lengths
    is_whole = lengths[rows] == expected
    filled = np.full((len(rows), width), np.nan)
    for column in range(width):
        has = is_whole & (column < expected)
        filled[has, column] = values[starts[rows[has]] + column]
    return filled


def _are_probabilities(
    filled: NDArray[np.float64], expected: NDArray[np.int64], *, sum_to_one: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    is_number = np.arange(filled.shape[1]) < expected[:, None]
    inside = ~is_number | ((filled >= 0) & (filled <= 1))
    total = np.where(is_number, filled, 0).sum(axis=1)
    return np.asarray(inside.all(axis=1) & (~sum_to_one | (np.abs(total - 1) <= _SUM_TOLERANCE)))
