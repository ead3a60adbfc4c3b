"""Predictions files: one answer for every row of a release, read strictly and matched by id."""

import gzip
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from contract.machine.errors import bad_input
from contract.machine.memory import system_memory
from contract.machine.near_paths import near_path
from contract.machine.private_copy import private_copy
from contract.machine.problems import Problems
from contract.predictions.formats.chunks import FileRequest
from contract.predictions.limits import LimitedRows, limited_rows
from contract.predictions.matching import Matching, Question
from contract.predictions.missing import check_missing
from contract.predictions.opening import OpenedFile, opened
from contract.predictions.row_lists import RowLists, read_lists
from contract.predictions.row_table import Aside, table_of
from contract.release.release import Release
from contract.release.split_selector import left_out_of
from contract.schema.manifest import SplitInfo, TaskInfo
from contract.schema.names import CLEAN, TRAIN, clean_id

ABSENT = -1
# Rows may carry their texts and more; what is larger still is some other file.
_MOST_BYTES_A_ROW = 1 << 16
_FEWEST_BYTES_ALLOWED = 1 << 30


def _group_name(part: "Group | SplitInfo") -> str:
    return "/".join(filter(None, [part.task, part.dimension, part.setting]))


@dataclass(frozen=True, kw_only=True)
class Group:
    """Rows that are answered all together or not at all: a task's clean ones, or a dimension and setting."""

    task: str
    dimension: str
    setting: str | None
    start: int
    stop: int

    @property
    def name(self) -> str:
        """The group as messages and results write it."""
        return _group_name(self)

    @property
    def is_clean(self) -> bool:
        """Whether it must be answered."""
        return self.dimension == CLEAN


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleaseRows:
    """The rows of a release that a model answers, split by split; the rows of a group stand together."""

    release: Release
    splits: tuple[SplitInfo, ...]
    bounds: NDArray[np.int64]
    table: pa.Table
    # The true labels of rows that have many; nothing where every task has one label a text.
    lists: RowLists | None = None
    # Groups of which the download left some file out: absent from whatever is scored here.
    left_out: tuple[str, ...] = ()
    # How many rows they have, and what their ids look like; empty where none is left out.
    n_left_out: int = 0
    left_out_ids: str = ""

    @classmethod
    @system_memory()
    def read(
        cls,
        release: Release,
        columns: Sequence[str] = ("id",),
        aside: Aside | None = None,
        repeated: Sequence[str] = (),
    ) -> Self:
        """Return all clean and adversarial rows, with the columns asked for; `aside` takes others.

        The texts of repeated columns come once a file, with the places of each.
        """
        listed = [split for split in release.manifest.splits if split.dimension != TRAIN and split.rows]
        missing = left_out_of(release.path)
        # A group is there whole or not at all: an overall score on fewer degrees would be another score.
        left_out = dict.fromkeys(_group_name(split) for split in listed if split.path in missing)
        splits = [split for split in listed if _group_name(split) not in left_out]
        order = {task.name: place for place, task in enumerate(release.manifest.tasks)}
        for split in splits:
            if split.task not in order:
                raise bad_input(f"{release.path}: {split.path} is of no task of the manifest")
        groups: dict[tuple[str, str, str | None], int] = {}
        for split in sorted(splits, key=lambda split: (order[split.task], split.dimension != CLEAN)):
            groups.setdefault((split.task, split.dimension, split.setting), len(groups))
        splits.sort(key=lambda split: groups[split.task, split.dimension, split.setting])
        if not splits:
            raise bad_input(f"{release.path}: the release has no rows to predict")
        return cls(
            release=release,
            splits=tuple(splits),
            bounds=np.cumsum([0, *(split.rows for split in splits)]),
            table=table_of(release, splits, columns, aside, repeated),
            lists=read_lists(release, splits),
            left_out=tuple(left_out),
            n_left_out=sum(split.rows for split in listed if _group_name(split) in left_out),
            left_out_ids=_ids_of_groups(release, [s for s in listed if _group_name(s) in left_out]),
        )

    def __len__(self) -> int:
        return int(self.bounds[-1])

    def only(self, is_in: NDArray[np.bool_]) -> Self:
        """Return some of the rows; splits of which there are none are left out."""
        counts = [int(is_in[start:stop].sum()) for start, stop in pairwise(self.bounds)]
        kept = [(split, n) for split, n in zip(self.splits, counts, strict=True) if n]
        # What the manifest says of all rows of a split is not true of some.
        some = {"mean_realised_degree": None, "mean_edit_distance": None}
        return replace(
            self,
            splits=tuple(split.model_copy(update={"rows": n, **some}) for split, n in kept),
            bounds=np.cumsum([0, *(n for _, n in kept)]),
            table=self.table.filter(pa.array(is_in)),
            lists=None if self.lists is None else self.lists.only(is_in),
        )

    @property
    def tasks(self) -> tuple[TaskInfo, ...]:
        """The release's tasks."""
        return self.release.manifest.tasks

    @property
    def benchmark(self) -> str:
        """The release as a predictions file may name it."""
        return f"{self.release.manifest.name}@{self.release.manifest.version}"

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups in order; they cover all rows."""
        groups: list[Group] = []
        for split, start, stop in zip(self.splits, self.bounds[:-1], self.bounds[1:], strict=True):
            key = (split.task, split.dimension, split.setting)
            if groups and (groups[-1].task, groups[-1].dimension, groups[-1].setting) == key:
                start = groups.pop().start  # noqa: PLW2901
            groups.append(
                Group(task=key[0], dimension=key[1], setting=key[2], start=int(start), stop=int(stop))
            )
        return tuple(groups)

    @cached_property
    def task_of_row(self) -> NDArray[np.int16]:
        """The place of each row's task in the manifest."""
        place = {task.name: place for place, task in enumerate(self.tasks)}
        tasks = np.array([place[split.task] for split in self.splits], dtype=np.int16)
        return np.repeat(tasks, np.diff(self.bounds))


def _ids_of_groups(release: Release, splits: Sequence[SplitInfo]) -> str:
    """Return what matches the ids of splits whose files are not there."""
    if release.manifest.labels == "withheld":
        # Opaque ids do not show which split they belong to.
        return "^" if splits else ""
    ends = {
        (split.task, clean_id("") if split.setting is None else f".{split.dimension}.{split.setting}.")
        for split in splits
    }
    return "|".join(f"^{re.escape(task)}-[^.]*{re.escape(end)}" for task, end in sorted(ends))


@dataclass(frozen=True, kw_only=True, eq=False)
class Predictions:
    """A checked file: labels stand in the order of the release's rows; absent groups have label -1."""

    path: Path
    sha256: str
    n_rows: int
    labels: NDArray[np.int32]
    # One row a row of the release and one column a label, NaN beyond the task's labels.
    probabilities: NDArray[np.float64] | None
    # The answers to rows with many labels, as long as the true ones; nothing where there are no such rows.
    lists: RowLists | None = None
    absent: tuple[str, ...]
    # Rows of splits that the download left out, which were passed over.
    n_passed_over: int = 0
    # The part of the release that the file is about; rows outside it have label -1.
    limited: LimitedRows | None = None

    @property
    def note(self) -> str:
        """A remark on rows that were passed over, or nothing."""
        if not self.n_passed_over:
            return ""
        return (
            f"{self.path}: {self.n_passed_over:,} rows of splits that were not downloaded are passed over;"
            " download the whole release for an overall score"
        )


@system_memory()
def read_predictions(
    path: Path,
    rows: ReleaseRows,
    *,
    column: str = "prediction",
    is_complete: bool = False,
    may_be_limited: bool = False,
) -> Predictions:
    """Return the answers of a file, or one error that lists everything that is wrong with it."""
    if not path.is_file():
        what = "is a folder; give the predictions file" if path.is_dir() else "there is no such file;"
        raise bad_input(f"{path}: {what}{near_path(path)}".rstrip(";"))
    most_rows = 2 * len(rows) + rows.n_left_out + 1_000
    most_labels = max(len(task.labels) for task in rows.tasks)
    with private_copy(path, _FEWEST_BYTES_ALLOWED + most_rows * _MOST_BYTES_A_ROW) as copy:
        request = FileRequest(
            path=path,
            copy_path=copy.path,
            column=column,
            most_rows=most_rows,
            most_labels=max(most_labels, rows.lists.longest if rows.lists else 0),
            takes_lists=rows.lists is not None,
        )
        found = _read_copy(request, copy.sha256, rows, is_complete=is_complete)
    if found.limited is not None and not may_be_limited:
        raise bad_input(
            f"{path}: holds {found.limited.limit:,} samples a task (predict --limit), not the whole release;"
            " predict again without --limit"
        )
    return found


def _read_copy(request: FileRequest, sha256: str, rows: ReleaseRows, *, is_complete: bool) -> Predictions:
    """Return the answers of a file that does not change any more."""
    file = opened(request, rows.release)
    problems = file.problems
    matching = _matched(file, request, rows)
    probabilities = matching.finish(problems)
    limited = None if matching.limit is None else limited_rows(rows, matching.limit)
    absent = check_missing(
        matching.lines > 0,
        rows.table["id"],
        rows.groups,
        problems,
        is_complete=is_complete,
        has_clean=file.has_clean,
        limited=limited,
    )
    if problems:
        raise problems.error()
    return Predictions(
        path=request.path,
        sha256=sha256,
        n_rows=matching.n_rows,
        labels=matching.labels,
        probabilities=probabilities,
        lists=matching.lists(probabilities),
        absent=(*absent, *rows.left_out, *(limited.left_out if limited else ())),
        n_passed_over=matching.n_passed_over,
        limited=None if limited is None or limited.is_whole else limited,
    )


def _matched(file: OpenedFile, request: FileRequest, rows: ReleaseRows) -> Matching:
    """Return what the chunks answer until the file ends, breaks, or has far more rows than the release."""
    problems = file.problems
    question = Question(
        benchmark=rows.benchmark,
        tasks=rows.tasks,
        column=request.column,
        passed_over=rows.left_out_ids,
        truths=rows.lists,
    )

    def nothing_yet() -> Matching:
        own = Problems(request.path, problems.place_of)
        return Matching(rows.table["id"], rows.task_of_row, question, own)

    matching = nothing_yet()
    try:
        for chunk in file.chunks:
            if chunk.is_first_again:
                matching = nothing_yet()
            matching.add(chunk)
            if matching.n_rows > request.most_rows:
                found = f"more than {request.most_rows:,} rows, far more than the release"
                problems.stop(0, f"{found}; is it for this one?")
                break
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        problems.stop(0, f"the gzip data is broken ({error}); was the file cut?")
    except OSError as error:
        problems.stop(0, f"cannot be read: {error}")
    return matching
