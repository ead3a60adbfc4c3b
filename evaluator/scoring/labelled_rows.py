"""The rows of a release as scores need them: labels, samples in order of their label, degrees that count."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from contract.machine.errors import bad_input
from contract.machine.memory import system_memory
from contract.predictions.reading import ReleaseRows, read_predictions
from contract.release.commitments import check_labels
from contract.release.release import Release
from contract.schema.manifest import TaskInfo
from contract.task_kinds import TASK_KINDS
from evaluator.scoring.degrees_used import UsedDegrees, used_degrees
from evaluator.scoring.repeated_texts import NOWHERE, different_texts, places_among
from evaluator.scoring.votes import SOURCE, Votes, VotesReader

_WITHHELD = -1
# What stands for the labels of a row that has many; an answer that is not all right is another one.
ALL_RIGHT = 1


class Stratum(NamedTuple):
    """Samples of one label that stand together; those without a clean row are apart."""

    label: int
    has_clean: bool
    start: int
    stop: int


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledRows:
    """The rows of a release with their true labels and the place of their sample among the task's."""

    rows: ReleaseRows
    labels: NDArray[np.int32]
    samples: NDArray[np.int32]
    # By task; they cover its samples, those with a clean row first.
    strata: Mapping[str, tuple[Stratum, ...]]
    # What the surrogates said, where the release tells it.
    votes: Votes | None
    # The rows of the whole release, where these are some of them.
    whole: "LabelledRows | None" = None
    # Which rows count; the others are decoys, answered like all others, since nobody can tell them apart.
    is_counted: NDArray[np.bool_] | None = None

    @cached_property
    def n_samples(self) -> dict[str, int]:
        """How many samples each task has."""
        return {task: strata[-1].stop if strata else 0 for task, strata in self.strata.items()}

    @cached_property
    def degrees_used(self) -> UsedDegrees:
        """The degrees that count, by task and dimension; the whole release decides it."""
        if self.whole is not None:
            return self.whole.degrees_used
        return used_degrees(self.rows, self.samples)


@system_memory()
def read_labelled_rows(release: Release, labels_path: Path | None = None) -> LabelledRows:
    """Return the rows to be scored; withheld labels come from the file that holds them."""
    votes = VotesReader.of(release.manifest)
    rows = ReleaseRows.read(release, ("id", "sample_id", "label"), votes, repeated=("sample_id", SOURCE))
    labels = _labels_of(rows, labels_path)
    samples = np.zeros(len(rows), np.int32)
    strata: dict[str, tuple[Stratum, ...]] = {}
    for task in rows.tasks:
        start, stop = _bounds_of(rows, task)
        of_task = _samples_of(rows, task)
        places = places_among(of_task, rows.table["sample_id"][start:stop])
        if (places == NOWHERE).any():
            raise bad_input(
                f"{release.path}: cases and clean rows of {task.name} differ; run `hardfrost verify`"
            )
        n_clean = _n_clean(rows, task)
        order, strata[task.name] = _by_label(places, labels[start:stop], len(of_task), n_clean)
        samples[start:stop] = order[places]
    # The table's texts are not needed any more, its ids are.
    slim = replace(rows, table=rows.table.select(["id"]))
    return LabelledRows(
        rows=slim,
        labels=labels,
        samples=samples,
        strata=strata,
        votes=None if votes is None else votes.votes(),
        is_counted=_counted(rows, labels_path),
    )


def _labels_of(rows: ReleaseRows, labels_path: Path | None) -> NDArray[np.int32]:
    """Return the true label of each row."""
    release = rows.release
    if labels_path is not None:
        check_labels(labels_path, release.manifest)
        labels = read_predictions(labels_path, rows, column="label", is_complete=True).labels
    else:
        labels = _with_listed(rows, rows.table["label"].cast(pa.int32()).to_numpy())
        if (labels == _WITHHELD).any():
            raise bad_input(
                f"{release.path}: the labels are withheld; give the file that holds them with --labels"
            )
    n_labels = np.array([len(task.labels) for task in rows.tasks], np.int32)
    if (labels < 0).any() or (labels >= n_labels[rows.task_of_row]).any():
        raise bad_input(f"{release.path}: some label is none of its task's; run `hardfrost verify`")
    return labels


def _with_listed(rows: ReleaseRows, labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the labels with ALL_RIGHT for rows that have many, which an answer has when it is all right."""
    if rows.lists is None:
        return labels
    is_listed = np.array([TASK_KINDS[task.kind].lists is not None for task in rows.tasks])[rows.task_of_row]
    return np.where(is_listed, np.int32(ALL_RIGHT), labels)


def _counted(rows: ReleaseRows, labels_path: Path | None) -> NDArray[np.bool_] | None:
    """Return which rows count, where the labels file says that some are decoys."""
    if labels_path is None or not rows.release.manifest.recipe.get("decoys"):
        return None
    try:
        with labels_path.open(encoding="utf-8") as lines:
            decoys = {row["id"] for row in map(json.loads, lines) if row.get("decoy")}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise bad_input(
            f"{labels_path}: some cases are decoys, which only the labels file itself tells; give it as it"
            " was written, in JSON Lines"
        ) from None
    return np.array([name not in decoys for name in rows.table["id"].to_pylist()], np.bool_)


def _by_label(
    places: NDArray[np.int32], labels: NDArray[np.int32], n_samples: int, n_clean: int
) -> tuple[NDArray[np.int32], tuple[Stratum, ...]]:
    """Return where each sample goes when those of a label stand together, and the strata they form.

    The label of a sample is that of its clean row, which comes before its cases; without one, of its first
    case.
    """
    of_sample = np.zeros(n_samples, np.int32)
    # The first row of a sample is written last.
    of_sample[places[::-1]] = labels[::-1]
    lacks_clean = np.arange(n_samples) >= n_clean
    sorted_places = np.lexsort((of_sample, lacks_clean))
    order = np.empty(n_samples, np.int32)
    order[sorted_places] = np.arange(n_samples, dtype=np.int32)
    keys = list(zip(lacks_clean[sorted_places].tolist(), of_sample[sorted_places].tolist(), strict=True))
    starts = [place for place in range(n_samples) if not place or keys[place] != keys[place - 1]]
    return order, tuple(
        Stratum(label=keys[start][1], has_clean=not keys[start][0], start=start, stop=stop)
        for start, stop in pairwise([*starts, n_samples])
    )


def _bounds_of(rows: ReleaseRows, task: TaskInfo) -> tuple[int, int]:
    """Return where the rows of a task begin and end."""
    groups = [group for group in rows.groups if group.task == task.name]
    return (groups[0].start, groups[-1].stop) if groups else (0, 0)


def _n_clean(rows: ReleaseRows, task: TaskInfo) -> int:
    """Return how many samples of a task have a clean row."""
    return sum(g.stop - g.start for g in rows.groups if g.task == task.name and g.is_clean)


def _samples_of(rows: ReleaseRows, task: TaskInfo) -> pa.Array:
    """Return a task's samples: those of its clean rows, then, where originals may be missing, all others."""
    column = rows.table["sample_id"]
    clean = next((group for group in rows.groups if group.task == task.name and group.is_clean), None)
    if not any(group.task == task.name for group in rows.groups):
        # Left out by the download.
        return different_texts(column[:0])
    if clean is None and task.has_all_originals:
        raise bad_input(f"{rows.release.path}: task {task.name} has no clean split; run `hardfrost verify`")
    with_clean = different_texts(column[clean.start : clean.stop] if clean else column[:0])
    if clean is not None and len(with_clean) < clean.stop - clean.start:
        raise bad_input(
            f"{rows.release.path}: a sample of {task.name} has two clean rows; run `hardfrost verify`"
        )
    if task.has_all_originals:
        return with_clean
    start, stop = _bounds_of(rows, task)
    # Clean rows stand first, so their samples come first.
    return different_texts(column[start:stop])
