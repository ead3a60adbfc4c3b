"""A file beside the predictions that keeps the answers so far, so that a killed prediction can go on."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from evaluator.metrics.metric import Numbers

_VALUE = np.dtype("<f8")


class AnswerLog:
    """The answers to the distinct texts of each task, task after task, in the order of asking."""

    def __init__(self, path: Path, key: Mapping[str, str], n_labels: Mapping[str, int]) -> None:
        self.path = path
        self._header = (json.dumps(dict(key), sort_keys=True) + "\n").encode()
        self._n_labels = n_labels
        self._known: dict[str, Numbers] = {}

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
        """Forget all answers."""
        self._known = {}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(self._header)

    def resume(self, n_texts: Mapping[str, int]) -> None:
        """Take up the answers of an earlier run, if it asked the same about the same."""
        data = self.path.read_bytes() if self.path.is_file() else b""
        if not data.startswith(self._header):
            self.restart()
            return
        values = data[len(self._header) :]
        n_kept = 0
        for task, n_labels in self._n_labels.items():
            # A row cut in the middle by the end of the earlier run is asked again.
            width = n_labels * _VALUE.itemsize
            n_rows = min((len(values) - n_kept) // width, n_texts[task])
            part = values[n_kept : n_kept + n_rows * width]
            self._known[task] = np.frombuffer(part, _VALUE).reshape(n_rows, n_labels)
            n_kept += len(part)
            if n_rows < n_texts[task]:
                break
        with self.path.open("r+b") as file:
            file.truncate(len(self._header) + n_kept)

    def known(self, task: str) -> Numbers:
        """Return the answers that a task already has, the first texts first."""
        return self._known.get(task, np.zeros((0, self._n_labels[task])))

    def append(self, answers: Numbers) -> None:
        """Keep the next answers."""
        self._file.write(np.ascontiguousarray(answers, _VALUE).tobytes())
        self._file.flush()
