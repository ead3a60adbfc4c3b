"""Reads what a user's function or server says about texts: labels, their numbers, or probabilities."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from classifiers.machinery.classifier import LoadRequest, Probabilities
from classifiers.machinery.label_names import (
    AssumedLabels,
    listed_pairs,
    named_place,
    numbered_place,
    places_given,
    say_assumed,
)
from contract.machine.errors import UserError

_TOLERANCE = 1e-3


class AnswerReader:
    """Turns answers into probabilities; which label a number is taken for is said once."""

    def __init__(self, spec: str, request: LoadRequest) -> None:
        self._spec = spec
        self._request = request
        self._task = request.task
        self._n_labels = len(request.task.labels)
        given = request.options.labels_of(request.task)
        # The task's label that each number means.
        self._places = tuple(range(self._n_labels))
        if given:
            self._places = places_given(spec, given, request.task, self._n_labels)
        self._is_given = bool(given)
        self.assumed_labels: AssumedLabels | None = None
        self._is_said = False

    def rows(self, answers: Sequence[Any]) -> Probabilities:
        """Return one row an answer; refuse an answer that is none."""
        rows = [self._row(answer) for answer in answers]
        return np.array(rows, dtype=np.float64).reshape(len(answers), self._n_labels)

    def _row(self, answer: Any) -> list[float]:
        row = [0.0] * self._n_labels
        if isinstance(answer, str | int):
            place = self._place(answer)
            if place is not None:
                row[place] = 1.0
                return row
        elif isinstance(answer, dict) and answer:
            places = [self._place(name) for name in answer]
            values = _numbers(list(answer.values()))
            if values is not None and None not in places and len(set(places)) == len(places):
                for place, value in zip(places, values, strict=True):
                    row[place or 0] = value
                return row
        elif isinstance(answer, list) and len(answer) == self._n_labels:
            values = _numbers(answer)
            if values is not None:
                self._say_numbers()
                for place, value in zip(self._places, values, strict=True):
                    row[place] = value
                return row
        labels = ", ".join(self._task.labels)
        raise UserError(
            f"{self._spec} returned {str(answer)[:60]!r}; return for each text a label ({labels}), its index,"
            f" {self._n_labels} probabilities that sum to 1, or the probability of each label by its name"
        )

    def _place(self, name: Any) -> int | None:
        """Return the index of the task's label that a name or a number means."""
        if isinstance(name, str):
            place = named_place(name, self._task)
            if place is not None:
                return place
            place = numbered_place(name, self._task)
        else:
            place = int(name) if 0 <= name < self._n_labels else None
        if place is None:
            return None
        self._say_numbers()
        return self._places[place]

    def _say_numbers(self) -> None:
        """Say once which label each number is taken for."""
        if self._is_said:
            return
        self._is_said = True
        names = tuple(map(str, range(self._n_labels)))
        labels = tuple(self._task.labels[place] for place in self._places)
        if self._is_given:
            self._request.say(f"{self._spec}: {listed_pairs(names, labels)}, as --labels says")
        elif names != labels:
            self.assumed_labels = AssumedLabels(spec=self._spec, names=names, labels=labels)
            say_assumed(self.assumed_labels, self._request)


def _numbers(values: Sequence[Any]) -> list[float] | None:
    """Return probabilities that sum to 1, or nothing if they are not such."""
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return None
    try:
        numbers = [float(value) for value in values]
    except OverflowError:
        return None
    is_good = np.isfinite(numbers).all() and min(numbers) >= 0 and abs(sum(numbers) - 1) < _TOLERANCE
    return numbers if is_good else None
