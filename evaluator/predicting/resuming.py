"""Keeps the answers so far in a file beside the predictions, so that a killed prediction can go on."""

import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from contract.machine.errors import ExitCode, UserError
from evaluator.metrics.ratio import Numbers

_FORMAT = "hardfrost/resume/1"
_VALUE = np.dtype("<f8")
_PLACE = np.dtype("<u4")
_LONGEST_HEADER = 100_000
# The task's number and how many answers follow; after them a checksum of the whole piece.
_HEAD = struct.Struct("<II")
_TAIL = struct.Struct("<I")


@dataclass(frozen=True, kw_only=True, eq=False)
class _Piece:
    """Answers that were kept together: to the texts at some places of a task."""

    task: str
    places: NDArray[np.uint32]
    values: Numbers
    end: int


class OtherAnswersError(UserError):
    """A file holds the answers of a run that asked something else."""

    def __init__(self, path: Path) -> None:
        message = (
            f"{path}: holds answers to other questions (another release, model, prompt or endpoint);"
            " write to another file, or delete this one to ask anew"
        )
        super().__init__(message, exit_code=ExitCode.BAD_INPUT)


class AnswerLog:
    """The answers to the distinct texts of each task, in any order, each kept as soon as it is given."""

    def __init__(
        self, path: Path, key: Mapping[str, str], n_labels: Mapping[str, int], *, is_paid: bool = False
    ) -> None:
        self.path = path
        header = {"format": _FORMAT, "is_paid": is_paid, **key}
        self._header = (json.dumps(header, sort_keys=True) + "\n").encode()
        self._n_labels = n_labels
        self._tasks = list(n_labels)
        self._known: dict[str, dict[int, Numbers]] = {task: {} for task in n_labels}

    def __enter__(self) -> Self:
        self._file = self.path.open("ab")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if kind is None or self.path.stat().st_size == len(self._header):
            self.path.unlink()

    def restart(self) -> None:
        """Forget all answers; refuse to if they cost money."""
        if self.path.is_file() and _is_paid(self.path):
            raise OtherAnswersError(self.path)
        self._known = {task: {} for task in self._n_labels}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(self._header)

    def resume(self, n_texts: Mapping[str, int]) -> None:
        """Read the answers of an earlier run; refuse those to other questions."""
        data = self.path.read_bytes() if self.path.is_file() else b""
        if self._header.startswith(data):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_bytes(self._header)
            return
        if not data.startswith(self._header):
            raise OtherAnswersError(self.path)
        end = len(self._header)
        for piece in self._pieces(data):
            if (piece.places >= n_texts[piece.task]).any():
                break
            self._known[piece.task].update(zip(piece.places.tolist(), piece.values, strict=True))
            end = piece.end
        # A piece cut in the middle by the end of the earlier run is asked again.
        with self.path.open("r+b") as file:
            file.truncate(end)

    def known(self, task: str) -> Mapping[int, Numbers]:
        """Return the answers that a task already has, by the places of its texts."""
        return self._known[task]

    def append(self, task: str, places: ArrayLike, answers: Numbers) -> None:
        """Keep answers at once, all of them or, if this is cut short, none."""
        where = np.ascontiguousarray(places, _PLACE)
        head = _HEAD.pack(self._tasks.index(task), len(where))
        piece = head + where.tobytes() + np.ascontiguousarray(answers, _VALUE).tobytes()
        self._file.write(piece + _TAIL.pack(zlib.crc32(piece)))
        self._file.flush()

    def _pieces(self, data: bytes) -> Iterator[_Piece]:
        """Yield the pieces of a file up to the first that is not whole."""
        start = len(self._header)
        while start + _HEAD.size <= len(data):
            number, n_answers = _HEAD.unpack_from(data, start)
            if number >= len(self._tasks):
                return
            task = self._tasks[number]
            middle = start + _HEAD.size + n_answers * _PLACE.itemsize
            tail = middle + n_answers * self._n_labels[task] * _VALUE.itemsize
            end = tail + _TAIL.size
            if end > len(data) or _TAIL.unpack_from(data, tail)[0] != zlib.crc32(data[start:tail]):
                return
            yield _Piece(
                task=task,
                places=np.frombuffer(data[start + _HEAD.size : middle], _PLACE),
                values=np.frombuffer(data[middle:tail], _VALUE).reshape(n_answers, self._n_labels[task]),
                end=end,
            )
            start = end


def _is_paid(path: Path) -> bool:
    """Tell whether a file holds answers that cost money."""
    with path.open("rb") as file:
        line = file.readline(_LONGEST_HEADER)
    try:
        return bool(json.loads(line).get("is_paid"))
    except (ValueError, AttributeError, RecursionError):
        # Not a file of ours, whatever it is.
        return False
