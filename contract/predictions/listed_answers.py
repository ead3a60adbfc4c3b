"""Answers to rows that have many labels: lists of labels, or probabilities of each; checked row by row."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from contract.machine.problems import Problems, shown
from contract.machine.registry import did_you_mean
from contract.predictions.formats.chunks import Chunk
from contract.predictions.row_lists import NO_CODE, RowLists, flat_texts
from contract.predictions.vocabulary import Vocabulary, is_ambiguous
from contract.schema.manifest import TaskInfo
from contract.task_kinds import TASK_KINDS
from contract.task_kinds.kind import ListedLabels
from contract.task_kinds.multilabel import DECISION

BAD_LIST = "lists that do not fit their texts"


@dataclass(frozen=True, kw_only=True, eq=False)
class ListedRows:
    """Which rows of a release have many labels, how many, and how they are answered."""

    tasks: Sequence[TaskInfo]
    task_of_row: NDArray[np.int16]
    # Nothing where all tasks have one label a text.
    truths: RowLists | None

    @property
    def is_listed(self) -> NDArray[np.bool_]:
        """Whether each row has many labels."""
        return np.array([_lists(task) is not None for task in self.tasks])[self.task_of_row]

    @property
    def needs_list(self) -> NDArray[np.bool_]:
        """Whether each row is answered by a list of labels."""
        needs = [
            (lists := _lists(task)) is not None and not lists.is_answered_by_probabilities
            for task in self.tasks
        ]
        return np.array(needs)[self.task_of_row]


class ListedAnswers:
    """The codes that a file gives to the rows with many labels, gathered chunk after chunk."""

    def __init__(self, rows: ListedRows, vocabulary: Vocabulary, column: str) -> None:
        truths = rows.truths
        self._rows = rows
        self._truths = truths or RowLists(
            codes=np.zeros(0, np.int32), lengths=np.zeros(len(rows.task_of_row), np.int64)
        )
        self._vocabulary = vocabulary
        self._column = column
        self._codes = np.full(len(self._truths.codes), NO_CODE, np.int32)
        self.is_listed = rows.is_listed
        self._needs_list = rows.needs_list

    def add(
        self, answers: Chunk, known: NDArray[np.int64], places: NDArray[np.int64], into: Problems
    ) -> None:
        """Keep the lists of a chunk's rows, given with their places in the release."""
        # What could not be read is told of already.
        told = answers.answers.is_null().to_numpy(zero_copy_only=False)[known]
        needed = self._needs_list[places] & ~told
        known, places = known[needed], places[needed]
        if not len(known):
            return
        lists = answers.lists
        n_given = np.zeros(len(known), np.int64)
        if lists is not None:
            n_given = pc.fill_null(pc.list_value_length(lists), 0).to_numpy()[known].astype(np.int64)
        is_whole = n_given == self._truths.lengths[places]
        for place in np.flatnonzero(~is_whole):
            told = _wrong_number(
                answers, int(known[place]), int(n_given[place]), self._row(int(places[place])), self._column
            )
            into.add(BAD_LIST, int(answers.lines[known[place]]), told)
        known, places = known[is_whole], places[is_whole]
        if lists is None or not len(known):
            return
        texts = flat_texts(lists, known)
        lengths = self._truths.lengths[places]
        tasks = np.repeat(self._rows.task_of_row[places], lengths)
        codes = self._vocabulary.labels_of(texts, np.arange(len(texts)), tasks)
        self._codes[self._truths.places(places)] = codes
        row_of_code = np.repeat(np.arange(len(known)), lengths)
        starts = np.cumsum(lengths) - lengths
        # The first unknown one of each row.
        bad_rows, first = np.unique(row_of_code[codes < 0], return_index=True)
        bad_codes = np.flatnonzero(codes < 0)[first]
        for row, code in zip(bad_rows.tolist(), bad_codes.tolist(), strict=True):
            task = self._rows.tasks[self._rows.task_of_row[places[row]]]
            told = _unknown(texts[code].as_py(), code - int(starts[row]), task)
            name = shown(answers.ids[int(known[row])].as_py())
            into.add(BAD_LIST, int(answers.lines[known[row]]), f"{self._column} for id {name}: {told}")

    def finish(self, lines: NDArray[np.int64], probabilities: NDArray[np.float64] | None) -> RowLists | None:
        """Return the codes of all rows; probabilities decide where a kind is answered by them."""
        if self._rows.truths is None:
            return None
        by_probability = np.flatnonzero(self.is_listed & ~self._needs_list & (lines > 0))
        if probabilities is not None and len(by_probability):
            lengths = self._truths.lengths[by_probability]
            rows = np.repeat(by_probability, lengths)
            places = self._truths.places(by_probability)
            columns = places - self._truths.starts[rows]
            self._codes[places] = probabilities[rows, columns] >= DECISION
        return RowLists(codes=self._codes, lengths=self._truths.lengths)

    def _row(self, place: int) -> "_Row":
        task = self._rows.tasks[self._rows.task_of_row[place]]
        return _Row(task=task, n_codes=int(self._truths.lengths[place]))


@dataclass(frozen=True, kw_only=True)
class _Row:
    """What a row asks for."""

    task: TaskInfo
    n_codes: int


def _lists(task: TaskInfo) -> ListedLabels | None:
    return TASK_KINDS[task.kind].lists


def _wrong_number(answers: Chunk, row: int, n_given: int, asked: _Row, column: str) -> str:
    """Return what is wrong with a row that has another number of labels than its text has parts."""
    name = shown(answers.ids[row].as_py())
    lists = _lists(asked.task)
    part = "part" if lists is None else lists.part
    remedy = f"give a list of {asked.n_codes:,} labels, one a {part}, in their order"
    if answers.lists is None or not answers.lists[row].is_valid:
        value = answers.answers[row].as_py()
        found = f"{column} {shown(value)} is no list" if value else f"no `{column}`"
        return f"{found} for id {name} of the {asked.task.kind} task {asked.task.name}; {remedy}"
    return f"{n_given:,} labels for id {name}, whose text has {asked.n_codes:,} {part}s; {remedy}"


def _unknown(value: str | None, place: int, task: TaskInfo) -> str:
    """Return what is wrong with a label that the task does not have."""
    where = f"label {place + 1}, {shown(value or '')},"
    names = ", ".join(task.labels[:20])
    if is_ambiguous(task):
        return f"{where} is no name of a label of task {task.name}; give one of {names}"
    guess = did_you_mean(value or "", task.labels)
    return f"{where} is no label of task {task.name};{guess} give one of {names}"
