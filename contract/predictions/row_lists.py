"""Lists of codes, one for each row of a release: the true labels of tasks with many, or a model's."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from contract.release.release import Release
from contract.schema.manifest import SplitInfo
from contract.schema.records import LABEL_LISTS
from contract.task_kinds import TASK_KINDS

# In the place of a code that nobody gave.
NO_CODE = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class RowLists:
    """The lists of all rows, one after the other; rows of tasks with one label have empty ones."""

    codes: NDArray[np.int32]
    lengths: NDArray[np.int64]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the list of each row begins."""
        return np.asarray(np.cumsum(self.lengths) - self.lengths)

    @property
    def longest(self) -> int:
        """How many codes the longest list has."""
        return int(self.lengths.max(initial=0))

    def only(self, is_in: NDArray[np.bool_]) -> "RowLists":
        """Return the lists of some rows."""
        return RowLists(codes=self.codes[np.repeat(is_in, self.lengths)], lengths=self.lengths[is_in])

    def places(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where the codes of some rows stand, row after row."""
        lengths = self.lengths[rows]
        ends = np.cumsum(lengths)
        within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)
        return np.asarray(np.repeat(self.starts[rows], lengths) + within)


def read_lists(release: Release, splits: Sequence[SplitInfo]) -> RowLists | None:
    """Return the true labels of the rows of some splits; nothing where all tasks have one label a text."""
    if not any(TASK_KINDS[task.kind].lists for task in release.manifest.tasks):
        return None
    codes, lengths = [np.zeros(0, np.int32)], [np.zeros(0, np.int64)]
    for split in splits:
        if TASK_KINDS[release.manifest.task(split.task).kind].lists is None:
            lengths.append(np.zeros(split.rows, np.int64))
            continue
        column = release.table(split, [LABEL_LISTS])[LABEL_LISTS]
        flat = pc.fill_null(pc.list_flatten(column), NO_CODE)
        codes.append(np.asarray(flat.to_numpy(), np.int32))
        lengths.append(np.asarray(pc.list_value_length(column).to_numpy(), np.int64))
    return RowLists(codes=np.concatenate(codes), lengths=np.concatenate(lengths))


def all_right(truths: RowLists, answers: RowLists) -> NDArray[np.bool_]:
    """Return whether all codes of each row are right that somebody judged; true of rows without codes."""
    is_wrong = (truths.codes != answers.codes) & (truths.codes != NO_CODE)
    rows = np.repeat(np.arange(len(truths.lengths)), truths.lengths)
    return np.asarray(np.bincount(rows[is_wrong], minlength=len(truths.lengths)) == 0)


def codes_of(lists: RowLists, row: int) -> list[int | None]:
    """Return the codes of a row, with None for what nobody judged."""
    codes = lists.codes[lists.places(np.array([row]))].tolist()
    return [None if code == NO_CODE else code for code in codes]


def flat_texts(lists: pa.ListArray, rows: NDArray[np.int64]) -> pa.Array:
    """Return the texts of the lists of some rows, one after the other."""
    return lists.take(pa.array(rows)).flatten()
