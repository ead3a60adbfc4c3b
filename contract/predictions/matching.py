"""Matches the rows of a predictions file with those of a release and words every mismatch."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from contract.machine.problems import Problems, shown
from contract.machine.registry import did_you_mean
from contract.predictions.formats.chunks import Chunk
from contract.predictions.id_index import IdIndex
from contract.predictions.limits import limit_in
from contract.predictions.listed_answers import BAD_LIST, ListedAnswers, ListedRows
from contract.predictions.probabilities import Probabilities
from contract.predictions.row_lists import RowLists
from contract.predictions.vocabulary import is_ambiguous, vocabulary_of
from contract.schema.manifest import TaskInfo

OTHER_BENCHMARK = "predictions for another benchmark"
UNKNOWN_ID = "unknown ids"
DUPLICATE_ID = "ids that stand twice"
UNKNOWN_LABEL = "unknown labels"

_MOST_CANDIDATES = 100_000


@dataclass(frozen=True, kw_only=True)
class Question:
    """What a file is to answer: the labels of a release's tasks, in a column."""

    benchmark: str
    tasks: Sequence[TaskInfo]
    column: str
    # What matches the ids of rows that the release has elsewhere, but not here.
    passed_over: str = ""
    # The true labels of rows that have many; nothing where all tasks have one a text.
    truths: RowLists | None = None


class Matching:
    """What a file answers to the rows of a release, gathered chunk after chunk of the file."""

    def __init__(
        self, ids: pa.ChunkedArray, task_of_row: NDArray[np.int16], question: Question, problems: Problems
    ) -> None:
        self.n_rows = 0
        self.n_passed_over = 0
        # Where each row of the release was answered, 0 where it was not, and its label's index.
        self.lines = np.zeros(len(ids), np.int64)
        self.labels = np.full(len(ids), -1, np.int32)
        self.probabilities = Probabilities(question.tasks, task_of_row)
        self._problems = problems
        self._ids = ids
        self._index = IdIndex(ids)
        self._task_of_row = task_of_row
        self._question = question
        self._benchmarks = {question.benchmark}
        # What its rows say they are part of: None is the whole release.
        self._limits: set[int | None] = set()
        self._vocabulary = vocabulary_of(question.tasks)
        listed = ListedRows(tasks=question.tasks, task_of_row=task_of_row, truths=question.truths)
        self._lists = (
            None if question.truths is None else ListedAnswers(listed, self._vocabulary, question.column)
        )

    def add(self, answers: Chunk) -> None:
        """Match the next rows of the file."""
        self.n_rows += len(answers.ids)
        self._check_benchmarks(answers)
        positions = self._positions(answers)
        self._match_answers(answers, positions)
        self.probabilities.add(answers, positions)

    def finish(self, problems: Problems) -> NDArray[np.float64] | None:
        """Note all problems found beside those of reading; return the probabilities, if there are any."""
        if len(self._limits) > 1:
            self._problems.add(
                OTHER_BENCHMARK,
                0,
                "mixes rows of parts of different sizes (--limit); predict again into one file",
            )
        problems.take(self._problems, (OTHER_BENCHMARK, UNKNOWN_ID, DUPLICATE_ID, UNKNOWN_LABEL, BAD_LIST))
        return self.probabilities.finish(self.lines, self._ids, problems)

    def lists(self, probabilities: NDArray[np.float64] | None) -> RowLists | None:
        """Return the answers to rows with many labels, given the probabilities; nothing without such rows."""
        return None if self._lists is None else self._lists.finish(self.lines, probabilities)

    @property
    def limit(self) -> int | None:
        """How many samples of each task the file says it is about; nothing where it is about all."""
        return next(iter(self._limits)) if len(self._limits) == 1 else None

    def _check_benchmarks(self, answers: Chunk) -> None:
        """Note every other benchmark that the file says it is for, once."""
        if answers.benchmarks is None or answers.benchmarks.null_count:
            self._limits.add(None)
        if answers.benchmarks is None:
            return
        for value in pc.unique(answers.benchmarks.drop_null()).to_pylist():
            limit = limit_in(value, self._question.benchmark)
            self._limits.add(limit)
            if value in self._benchmarks or limit is not None:
                continue
            self._benchmarks.add(value)
            row = (
                pc.index(answers.benchmarks, value).as_py() if self._problems.room_for(OTHER_BENCHMARK) else 0
            )
            self._problems.add(
                OTHER_BENCHMARK,
                int(answers.lines[row]),
                f"made for benchmark {value!r}, this release is {self._question.benchmark!r};"
                " predict this release's rows, or score on the other release",
            )

    def _positions(self, answers: Chunk) -> NDArray[np.int64]:
        """Return the place in the release of each row, -1 where its id is unknown or stood before."""
        positions = self._index.places_of(answers.ids)
        unknown = self._without_passed_over(np.flatnonzero(positions < 0), answers)
        n_worded = self._problems.room_for(UNKNOWN_ID)
        for row in unknown[:n_worded]:
            identifier = answers.ids[int(row)].as_py()
            guess = did_you_mean(identifier, _candidates(identifier, self._ids))
            message = f"unknown id {shown(identifier)};{guess} Every id must come from the release's splits."
            self._problems.add(UNKNOWN_ID, int(answers.lines[row]), message)
        self._problems.add_unworded(UNKNOWN_ID, len(unknown) - n_worded)
        self._drop_duplicates(positions, answers)
        return positions

    def _without_passed_over(self, unknown: NDArray[np.int64], answers: Chunk) -> NDArray[np.int64]:
        """Return the rows of unknown ids but for those that belong to what is not here; these are counted."""
        if not self._question.passed_over or not len(unknown):
            return unknown
        ids = answers.ids.take(pa.array(unknown))
        is_elsewhere = pc.match_substring_regex(ids, self._question.passed_over)
        is_unknown = ~np.asarray(is_elsewhere.to_numpy(zero_copy_only=False), np.bool_)
        self.n_passed_over += int((~is_unknown).sum())
        return np.asarray(unknown[is_unknown])

    def _drop_duplicates(self, positions: NDArray[np.int64], answers: Chunk) -> None:
        """Note the rows whose id stood before and set their place to -1."""
        known = np.flatnonzero(positions >= 0)
        fresh = known[self.lines[positions[known]] == 0]
        # Of several rows of one id the last one written stays: written backwards, the first.
        self.lines[positions[fresh[::-1]]] = answers.lines[fresh[::-1]]
        repeated = known[self.lines[positions[known]] != answers.lines[known]]
        n_worded = self._problems.room_for(DUPLICATE_ID)
        for row in repeated[:n_worded]:
            before = self._problems.name_of(int(self.lines[positions[row]]))
            message = (
                f"id {shown(answers.ids[int(row)].as_py())} stands already on {before}; give every id once"
            )
            self._problems.add(DUPLICATE_ID, int(answers.lines[row]), message)
        self._problems.add_unworded(DUPLICATE_ID, len(repeated) - n_worded)
        positions[repeated] = -1

    def _match_answers(self, answers: Chunk, positions: NDArray[np.int64]) -> None:
        """Keep the label index of every row that has a good answer."""
        tasks = self._question.tasks
        known = np.flatnonzero(positions >= 0)
        if self._lists is not None:
            self._lists.add(answers, known, positions[known], self._problems)
            is_listed = self._lists.is_listed[positions[known]]
            # Whatever was said of them, they are answered.
            self.labels[positions[known[is_listed]]] = 0
            known = known[~is_listed]
        task_of_answer = self._task_of_row[positions[known]]
        is_ambiguous = self._vocabulary.is_ambiguous[task_of_answer]
        labels = self._vocabulary.labels_of(answers.answers, known, task_of_answer)
        labels[is_ambiguous & answers.are_indices[known]] = -1
        if labels.min(initial=0) >= 0:
            self.labels[positions[known]] = labels
            return
        if answers.is_untyped:
            # Whole numbers beside gaps are written 1.0 by many a program.
            texts = pc.replace_substring_regex(answers.answers, r"^([0-9]+)\.0+$", r"\1")
            again = self._vocabulary.labels_of(texts, known, task_of_answer)
            labels = np.where((labels < 0) & ~is_ambiguous, again, labels)
        self.labels[positions[known]] = labels
        told = answers.answers.is_null().to_numpy(zero_copy_only=False)[known]
        bad = np.flatnonzero((labels < 0) & ~told)
        n_worded = self._problems.room_for(UNKNOWN_LABEL)
        for place in bad[:n_worded]:
            row = int(known[place])
            message = _unknown_label(answers, row, tasks[task_of_answer[place]], self._question.column)
            self._problems.add(UNKNOWN_LABEL, int(answers.lines[row]), message)
        self._problems.add_unworded(UNKNOWN_LABEL, len(bad) - n_worded)


def _candidates(identifier: str, ids: pa.ChunkedArray) -> list[str]:
    """Return known ids among which the one meant may be: those that begin alike, or else the first ones."""
    alike = ids.filter(pc.starts_with(ids, identifier[:6]))
    return list((alike if len(alike) else ids)[:_MOST_CANDIDATES].to_pylist())


def _unknown_label(answers: Chunk, row: int, task: TaskInfo, column: str) -> str:
    value = answers.answers[row].as_py()
    names = ", ".join(task.labels[:20])
    identifier = shown(answers.ids[row].as_py())
    if not value:
        return f"no `{column}` for id {identifier}; give one of {names}"
    where = f"{column} {shown(value)} for id {identifier}"
    if is_ambiguous(task):
        return f"{where}: numbers are ambiguous in task {task.name}; give the name as a text, one of {names}"
    guess = did_you_mean(value, task.labels)
    last = len(task.labels) - 1
    return (
        f"{where} is no label of task {task.name};{guess} give one of {names}, or its index from 0 to {last}"
    )
