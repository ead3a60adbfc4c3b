"""Matching the rows of a predictions file with those of a release, and wording what does not match."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from contract.errors import MOST_PROBLEMS_SHOWN
from contract.manifest import TaskInfo
from contract.prediction_formats.chunks import UNREADABLE, Chunk
from contract.problems import Problems, shown
from contract.registry import did_you_mean

UNKNOWN_ID = "unknown ids"
DUPLICATE_ID = "ids that stand twice"
UNKNOWN_LABEL = "unknown labels"
BAD_PROBABILITIES = "probabilities that are none"
MISSING = "missing ids"

_MOST_CANDIDATES = 100_000
_SHOWN_MISSING = 3
# Probabilities printed with few digits still count as summing to one.
_SUM_TOLERANCE = 0.02


class RowGroup(Protocol):
    """Rows that are answered all together or not at all."""

    @property
    def name(self) -> str:
        """The group as messages write it."""

    @property
    def start(self) -> int:
        """The first row."""

    @property
    def stop(self) -> int:
        """The row after the last."""

    @property
    def is_clean(self) -> bool:
        """Whether it must be answered."""


def match_ids(answers: Chunk, ids: pa.ChunkedArray, problems: Problems) -> NDArray[np.int64]:
    """Return the place in the release of each row of the file, -1 where its id is unknown or stood before."""
    if answers.ids.equals(ids):
        return np.arange(len(ids))
    found = pc.fill_null(pc.index_in(answers.ids, value_set=ids), -1)
    positions: NDArray[np.int64] = found.to_numpy().astype(np.int64)
    unknown = np.flatnonzero(positions < 0)
    for row in unknown[:MOST_PROBLEMS_SHOWN]:
        identifier = answers.ids[int(row)].as_py()
        guess = did_you_mean(identifier, _candidates(identifier, ids))
        message = f"unknown id {shown(identifier)};{guess} Every id must come from the release's splits."
        problems.add(UNKNOWN_ID, int(answers.lines[row]), message)
    if len(unknown):
        problems.add_unworded(UNKNOWN_ID, len(unknown) - MOST_PROBLEMS_SHOWN)
    _drop_duplicates(positions, answers, problems)
    return positions


def _drop_duplicates(positions: NDArray[np.int64], answers: Chunk, problems: Problems) -> None:
    """Note the rows whose id stood before and set their place to -1."""
    known = np.flatnonzero(positions >= 0)
    if not len(known) or np.bincount(positions[known]).max() == 1:
        return
    first_of, first = np.unique(positions[known], return_index=True)
    repeated = np.setdiff1d(known, known[first], assume_unique=True)
    for row in repeated[:MOST_PROBLEMS_SHOWN]:
        before = known[first[np.searchsorted(first_of, positions[row])]]
        problems.add(
            DUPLICATE_ID,
            int(answers.lines[row]),
            f"id {shown(answers.ids[int(row)].as_py())} stands already on {int(answers.lines[before])};"
            " give every id once",
        )
    problems.add_unworded(DUPLICATE_ID, len(repeated) - MOST_PROBLEMS_SHOWN)
    positions[repeated] = -1


def _candidates(identifier: str, ids: pa.ChunkedArray) -> list[str]:
    """Return known ids among which the one meant may be: those that begin alike, or else the first ones."""
    alike = ids.filter(pc.starts_with(ids, identifier[:6]))
    return list((alike if len(alike) else ids)[:_MOST_CANDIDATES].to_pylist())


def match_answers(
    answers: Chunk,
    positions: NDArray[np.int64],
    task_of_row: NDArray[np.int16],
    tasks: Sequence[TaskInfo],
    problems: Problems,
    *,
    column: str,
) -> NDArray[np.int32]:
    """Return the label index of every row of the release, -1 where there is no good answer."""
    vocabulary = _vocabulary(tasks)
    words = pa.array(vocabulary.words, pa.string())
    codes = pc.fill_null(pc.index_in(answers.answers, value_set=words), len(words))
    known = np.flatnonzero(positions >= 0)
    task_of_answer = task_of_row[positions[known]]
    labels = vocabulary.labels[task_of_answer, codes.to_numpy()[known]]
    is_ambiguous = np.array([_is_ambiguous(task) for task in tasks])
    labels[is_ambiguous[task_of_answer] & answers.are_indices[known]] = -1
    told = answers.answers.is_null().to_numpy()[known]
    bad = np.flatnonzero((labels < 0) & ~told)
    for place in bad[:MOST_PROBLEMS_SHOWN]:
        row = int(known[place])
        message = _unknown_label(answers, row, tasks[task_of_answer[place]], column)
        problems.add(UNKNOWN_LABEL, int(answers.lines[row]), message)
    if len(bad):
        problems.add_unworded(UNKNOWN_LABEL, len(bad) - MOST_PROBLEMS_SHOWN)
    result = np.full(len(task_of_row), -1, np.int32)
    result[positions[known]] = labels
    return result


@dataclass(frozen=True, kw_only=True, eq=False)
class _Vocabulary:
    """Every text that is an answer in some task, and its label by task and text: -1 where it is none."""

    words: list[str]
    # One column more than words, for texts that are no answer anywhere.
    labels: NDArray[np.int32]


def _vocabulary(tasks: Sequence[TaskInfo]) -> _Vocabulary:
    """Return what the tasks' labels may be called: names, and indices where they mean one thing only."""
    meanings = []
    for task in tasks:
        names = {name: label for label, name in enumerate(task.labels)}
        indices = {} if _is_ambiguous(task) else {str(label): label for label in range(len(task.labels))}
        meanings.append(indices | names)
    words = list(dict.fromkeys(word for meaning in meanings for word in meaning))
    table = np.full((len(tasks), len(words) + 1), -1, np.int32)
    for place, meaning in enumerate(meanings):
        table[place, :-1] = [meaning.get(word, -1) for word in words]
    return _Vocabulary(words=words, labels=table)


def _is_ambiguous(task: TaskInfo) -> bool:
    """Tell whether some label's name is another label's index, so that only names can be trusted."""
    indices = {str(label) for label in range(len(task.labels))}
    return any(name in indices and name != str(label) for label, name in enumerate(task.labels))


def _unknown_label(answers: Chunk, row: int, task: TaskInfo, column: str) -> str:
    value = answers.answers[row].as_py()
    names = ", ".join(task.labels[:20])
    identifier = shown(answers.ids[row].as_py())
    if not value:
        return f"no `{column}` for id {identifier}; give one of {names}"
    where = f"{column} {shown(value)} for id {identifier}"
    if _is_ambiguous(task):
        return f"{where}: numbers are ambiguous in task {task.name}; give the name as a text, one of {names}"
    guess = did_you_mean(value, task.labels)
    last = len(task.labels) - 1
    return (
        f"{where} is no label of task {task.name};{guess} give one of {names}, or its index from 0 to {last}"
    )


def match_probabilities(
    answers: Chunk,
    positions: NDArray[np.int64],
    task_of_row: NDArray[np.int16],
    tasks: Sequence[TaskInfo],
    problems: Problems,
) -> NDArray[np.float64] | None:
    """Return one row of probabilities a row of the release, or nothing when the file has none."""
    if answers.probabilities is None:
        return None
    n_labels = np.array([len(task.labels) for task in tasks])
    lists = answers.probabilities.combine_chunks()
    lists = lists if isinstance(lists, pa.Array) else pa.concat_arrays(lists.chunks)
    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy()
    values = lists.flatten().to_numpy()
    starts = np.cumsum(lengths) - lengths
    known = np.flatnonzero(positions >= 0)
    expected = n_labels[task_of_row[positions[known]]]
    is_whole = lengths[known] == expected
    result = np.full((len(task_of_row), n_labels.max()), np.nan)
    for column in range(n_labels.max()):
        has = is_whole & (column < expected)
        result[positions[known[has]], column] = values[starts[known[has]] + column]
    filled = result[positions[known]]
    inside = (np.isnan(filled) & (np.arange(n_labels.max()) >= expected[:, None])) | (
        (filled >= 0) & (filled <= 1)
    )
    total = np.where(np.isnan(filled), 0, filled).sum(axis=1)
    is_bad = ~is_whole | ~inside.all(axis=1) | (np.abs(total - 1) > _SUM_TOLERANCE)
    is_bad &= ~_told(answers, problems)[known]
    _word_probabilities(known[is_bad], lists, answers, problems)
    return result


def _told(answers: Chunk, problems: Problems) -> NDArray[np.bool_]:
    """Return the rows whose probabilities were unreadable, which was already said."""
    if UNREADABLE not in problems or answers.probabilities is None:
        return np.zeros(len(answers.lines), np.bool_)
    told: NDArray[np.bool_] = answers.probabilities.is_null().to_numpy()
    return told


def _word_probabilities(rows: NDArray[np.int64], lists: pa.Array, answers: Chunk, problems: Problems) -> None:
    for row in rows[:MOST_PROBLEMS_SHOWN]:
        value = lists[int(row)].as_py()
        found = "no probabilities, other rows have some" if value is None else f"probabilities {shown(value)}"
        problems.add(
            BAD_PROBABILITIES,
            int(answers.lines[row]),
            f"{found}, for id {shown(answers.ids[int(row)].as_py())};"
            " give one number from 0 to 1 a label that sum to 1, for all rows or for none",
        )
    if len(rows):
        problems.add_unworded(BAD_PROBABILITIES, len(rows) - MOST_PROBLEMS_SHOWN)


def check_missing(
    is_answered: NDArray[np.bool_],
    ids: pa.ChunkedArray,
    groups: Sequence[RowGroup],
    problems: Problems,
    *,
    is_complete: bool,
    has_clean: bool,
) -> list[str]:
    """Return the names of the groups left out whole; rows missing otherwise are noted.

    Clean rows may be left out only by a file whose format has no place for them (`has_clean` is false).
    """
    absent = []
    for group in groups:
        missing = np.flatnonzero(~is_answered[group.start : group.stop]) + group.start
        n_rows = group.stop - group.start
        is_mandatory = is_complete or (group.is_clean and has_clean)
        if len(missing) == n_rows and not is_mandatory:
            absent.append(group.name)
        elif len(missing) and not problems.is_cut:
            first = ", ".join(shown(ids[int(row)].as_py()) for row in missing[:_SHOWN_MISSING])
            remedy = (
                "clean rows are mandatory"
                if group.is_clean
                else "answer all rows of a group or leave it out whole"
            )
            found = f"{len(missing):,} of {n_rows:,} rows of {group.name} are missing"
            problems.add(MISSING, 0, f"{found}, among them {first}; {remedy}")
    if not is_answered.any() and not problems:
        problems.add(MISSING, 0, "no row of the release is answered")
    return absent
