"""What an outsider sees of a task, and the true labels that the guesses are compared with."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from contract.machine.errors import bad_input
from contract.release.commitments import LABELS
from contract.release.release import MANIFEST, Release
from contract.schema.manifest import SplitInfo, TaskInfo
from contract.schema.names import CLEAN, TRAIN

Labels = NDArray[np.int64]
# The folder of the public form inside the owner's.
PUBLIC = "release"
# More cases of a sample in one split tell an outsider hardly more, and take longer.
MOST_CASES_A_SPLIT = 4
_COLUMNS = ["id", "sample_id", "text", "text_pair", "label"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Cases:
    """Cases of one dimension and setting: the place of each one's sample, and its text."""

    samples: NDArray[np.int64]
    texts: list[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class PublishedTask:
    """A task as it is published, sample by sample in the order of its file."""

    info: TaskInfo
    ids: list[str]
    texts: list[str]
    labels: Labels
    cells: Mapping[tuple[str, str], Cases]
    # For each split, how many cases each sample has in it.
    n_cases: NDArray[np.int64]
    # Labelled texts like those of the task that the outsider has beside.
    known_texts: list[str] = field(default_factory=list)
    known_labels: Labels = field(default_factory=lambda: np.zeros(0, np.int64))


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A release, and its labels by id where its rows do not have them."""

    release: Release
    labels: Mapping[str, str] | None


def open_published(path: Path, labels_path: Path | None) -> Opened:
    """Return the release in a folder, or the public form in an owner's folder, with its labels."""
    if not (path / MANIFEST).is_file() and (path / PUBLIC / MANIFEST).is_file():
        path, labels_path = path / PUBLIC, labels_path or path / LABELS
    release = Release.open(path)
    if release.manifest.labels != "withheld":
        return Opened(release=release, labels=None)
    places = [labels_path] if labels_path else [path / LABELS, path.parent / LABELS]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise bad_input(
            f"{path}: its labels are withheld, and without them nobody can say which guesses are right;"
            f" give the owner's folder, or the file {LABELS} with --labels"
        )
    return Opened(release=release, labels=read_labels(found))


def read_labels(path: Path) -> dict[str, str]:
    """Return the labels of a labels file by id."""
    labels = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            labels[str(row["id"])] = str(row["label"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise bad_input(f"{path}:{number}: not a line of labels; expected an id and a label") from None
    return labels


def published_tasks(
    opened: Opened, *, original: Release | None = None, without: frozenset[tuple[str, str, str]] = frozenset()
) -> list[PublishedTask]:
    """Return the tasks of a release; an outsider also has the training rows of the original, if given.

    `without` names cells that are not looked at: task, dimension and setting.
    """
    return [_published(opened, task, original, without) for task in opened.release.manifest.tasks]


def _published(
    opened: Opened, task: TaskInfo, original: Release | None, without: frozenset[tuple[str, str, str]]
) -> PublishedTask:
    release = opened.release
    ids: list[str] = []
    texts: list[str] = []
    labels: list[int] = []
    for split in release.splits(task=task.name, dimension=CLEAN):
        for row in release.table(split, _COLUMNS).to_pylist():
            ids.append(row["sample_id"])
            texts.append(_text(row))
            labels.append(_label(row, task, opened.labels))
    place_of = {name: place for place, name in enumerate(ids)}
    cells: dict[tuple[str, str], Cases] = {}
    counts = []
    for split in release.splits(task=task.name):
        if not split.is_adversarial or not split.rows or split.setting is None:
            continue
        if (task.name, split.dimension, split.setting) in without:
            continue
        cases, of_split = _cases(release, split, place_of)
        counts.append(of_split)
        before = cells.get((split.dimension, split.setting))
        cells[split.dimension, split.setting] = cases if before is None else _joined(before, cases)
    known = [] if original is None else original.splits(task=task.name, dimension=TRAIN)
    rows = [row for split in known for row in (original or release).table(split, _COLUMNS).to_pylist()]
    return PublishedTask(
        info=task,
        ids=ids,
        texts=texts,
        labels=np.array(labels, np.int64),
        cells=cells,
        n_cases=np.array(counts, np.int64).T if counts else np.zeros((len(ids), 0), np.int64),
        known_texts=[_text(row) for row in rows],
        known_labels=np.array([row["label"] for row in rows], np.int64),
    )


def _cases(
    release: Release, split: SplitInfo, place_of: Mapping[str, int]
) -> tuple[Cases, NDArray[np.int64]]:
    """Return some cases of each sample in a split, and how many each has there."""
    n_seen: Counter[int] = Counter()
    places, texts = [], []
    for row in release.table(split, ["sample_id", "text", "text_pair"]).to_pylist():
        place = place_of.get(row["sample_id"])
        if place is None:
            continue
        n_seen[place] += 1
        if n_seen[place] <= MOST_CASES_A_SPLIT:
            places.append(place)
            texts.append(_text(row))
    counts = np.array([n_seen[place] for place in range(len(place_of))], np.int64)
    return Cases(samples=np.array(places, np.int64), texts=texts), counts


def _joined(left: Cases, right: Cases) -> Cases:
    return Cases(samples=np.concatenate([left.samples, right.samples]), texts=left.texts + right.texts)


def _text(row: Mapping[str, str | None]) -> str:
    return " ".join(filter(None, [row["text"], row["text_pair"]]))


def _label(row: Mapping[str, object], task: TaskInfo, labels: Mapping[str, str] | None) -> int:
    if labels is None:
        return int(str(row["label"]))
    name = labels.get(str(row["id"]))
    if name not in task.labels:
        raise bad_input(
            f"the labels have none of task {task.name} for {row['id']!r}; are they of this release?"
        )
    return task.labels.index(name)
