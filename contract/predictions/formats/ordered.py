"""Predictions as AdvGLUE takes them: a JSON object, for each task the labels in the order of its source."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from contract.machine.errors import bad_input
from contract.machine.problems import Problems, shown
from contract.machine.registry import did_you_mean
from contract.predictions.formats.chunks import UNREADABLE, BoundedFile, Chunk, FileRequest, RowCollector
from contract.release.release import Release
from contract.schema.names import CLEAN, TRAIN

SUFFIX = ".json"

# A label, its name at most, with the indentation of any printer.
_MOST_BYTES_A_ROW = 256
_FEWEST_BYTES_ALLOWED = 1 << 20


@dataclass(frozen=True, kw_only=True)
class SourceOrder:
    """The ids of each task's cases in the order of the list they were imported from."""

    ids: Mapping[str, tuple[str, ...]]

    @classmethod
    def read(cls, release: Release) -> Self:
        """Return the order of a release's cases, which only an imported release has."""
        ids = {}
        for task in release.manifest.tasks:
            splits = [
                split for split in release.splits(task=task.name) if split.dimension not in {CLEAN, TRAIN}
            ]
            rows = [row for split in splits for row in release.table(split, ("case", "id")).to_pylist()]
            rows.sort(key=lambda row: row["case"])
            if [row["case"] for row in rows] != list(range(len(rows))):
                raise bad_input(
                    f"{release.path}: the cases of {task.name} are not numbered as they were imported;"
                    " run `hardfrost verify`"
                )
            ids[task.name] = tuple(row["id"] for row in rows)
        return cls(ids=ids)

    def place_of(self, line: int) -> str:
        """Return the key and index of an answer; lines count on through the tasks, from 1."""
        index = line - 1
        for task, ids in self.ids.items():
            if index < len(ids):
                return f": {task}[{index}]"
            index -= len(ids)
        return ""


def read(request: FileRequest, order: SourceOrder, problems: Problems) -> Iterator[Chunk]:
    """Yield the answers of a file, each with the id of the row it stands for."""
    answers = _object_of(request, problems)
    if answers is None:
        return
    for task in answers:
        if task not in order.ids:
            guess = did_you_mean(task, order.ids)
            known = ", ".join(order.ids)
            problems.add(UNREADABLE, 0, f"unknown task {shown(task)};{guess} the release has {known}")
    rows = RowCollector(request, problems)
    first_line = 1
    for task, ids in order.ids.items():
        labels = _labels_of(task, len(ids), answers, problems)
        for index, label in enumerate(labels):
            rows.add({"id": ids[index], request.column: label}, first_line + index)
        first_line += len(ids)
    yield rows.chunk()


def _labels_of(task: str, n_rows: int, answers: Mapping[str, Any], problems: Problems) -> list[Any]:
    """Return a task's labels; nothing where the task is left out or its list cannot be the right one."""
    if task not in answers:
        return []
    labels = answers[task]
    # An object is read as a list of pairs, which is a list of its own kind.
    if type(labels) is not list:
        problems.add(UNREADABLE, 0, f"{task}: expected a list of labels, found {shown(labels)}")
        return []
    if len(labels) != n_rows:
        message = f"{task}: {len(labels):,} labels, the release has {n_rows:,} rows"
        problems.add(UNREADABLE, 0, f"{message}; give one label a row, in the order of the imported file")
        return []
    return labels


def _object_of(request: FileRequest, problems: Problems) -> dict[str, Any] | None:
    """Return the JSON object that a file holds, or note why there is none."""
    most_bytes = max(_FEWEST_BYTES_ALLOWED, request.most_rows * _MOST_BYTES_A_ROW)
    with BoundedFile(request) as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        problems.stop(0, f"longer than {most_bytes:,} bytes, far more than labels for the release need")
        return None
    try:
        pairs = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_Pairs)
    except UnicodeDecodeError as error:
        problems.stop(0, f"not UTF-8 at byte {error.start}; save the file as UTF-8")
    except RecursionError:
        problems.stop(0, "nested too deeply; write one list of labels a task")
    except ValueError as error:
        problems.stop(0, f"not JSON ({str(error)[:80]}); was the file cut?")
    else:
        if not isinstance(pairs, _Pairs):
            problems.stop(0, f"expected an object with a list of labels a task, found {shown(pairs)}")
        elif len(dict(pairs)) < len(pairs):
            problems.stop(0, "a task stands twice in the object; keep one")
        else:
            return dict(pairs)
    return None


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of an object as written, so that a key given twice is seen."""
