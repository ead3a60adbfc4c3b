"""Models as people have them in Python: a spec, a function, or a fitted estimator."""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from classifiers import KINDS, Classifier, ClassifierKind, LoadRequest
from classifiers.machinery.classifier import Probabilities, TextPair
from contract.machine.errors import UserError
from contract.machine.hashes import hash_of
from flows.api.values import Place

# The name under which a value of Python is known while it is asked.
GIVEN = "given"


@runtime_checkable
class Estimator(Protocol):
    """A fitted scikit-learn classifier, or anything like one, that takes raw texts.

    `predict_proba` is used where it has one.
    """

    classes_: Any

    def predict(self, texts: Any) -> Any:
        """Return a class for each text."""


# A list of texts (pairs, in tasks about pairs) to a label, an index or a row of probabilities each.
Function = Callable[[list[Any]], Any]
Model = Place | Function | Estimator


@dataclass(frozen=True)
class _Asked:
    """A function or an estimator as a classifier of a task."""

    model: Any
    name: str
    labels: tuple[str, ...]
    is_pair: bool

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return one row a text, whatever the model answers with."""
        if not texts:
            return np.zeros((0, len(self.labels)))
        if isinstance(self.model, Estimator):
            answers = self._estimated([text if pair is None else f"{text}\n{pair}" for text, pair in texts])
        else:
            answers = self.model([pair if self.is_pair else pair[0] for pair in texts])
        rows = answers.tolist() if hasattr(answers, "tolist") else list(answers)
        if len(rows) != len(texts):
            raise UserError(f"{self.name} gave {len(rows)} answers to {len(texts)} texts; give one each")
        return np.array([self._row(row) for row in rows], np.float64)

    def _estimated(self, texts: list[str]) -> Any:
        if not hasattr(self.model, "predict_proba"):
            return self.model.predict(texts)
        columns = [self._place(_plain(name)) for name in self.model.classes_]
        probabilities = np.zeros((len(texts), len(self.labels)))
        probabilities[:, columns] = self.model.predict_proba(texts)
        return probabilities

    def _row(self, answer: Any) -> list[float]:
        if isinstance(answer, list | tuple):
            row = [float(value) for value in answer]
            if len(row) == len(self.labels) and min(row) >= 0 and abs(sum(row) - 1) < 1e-3:
                return row
            raise self._refused(answer)
        place = self._place(_plain(answer))
        return [float(index == place) for index in range(len(self.labels))]

    def _place(self, answer: Any) -> int:
        if answer in self.labels:
            return self.labels.index(answer)
        if isinstance(answer, int) and 0 <= answer < len(self.labels):
            return int(answer)
        raise self._refused(answer)

    def _refused(self, answer: Any) -> UserError:
        return UserError(
            f"{self.name} answered {str(answer)[:60]!r}; expected for each text a label"
            f" ({', '.join(self.labels)}), its index, or {len(self.labels)} probabilities that sum to 1"
        )


@contextlib.contextmanager
def asked_as(model: Model) -> Iterator[str]:
    """Yield the spec by which a model is asked; a function or estimator has one for a while."""
    if isinstance(model, str | os.PathLike):
        yield os.fspath(model)
        return
    if not callable(model) and not isinstance(model, Estimator):
        raise TypeError(
            f"model: expected a spec, a function from texts to labels or probabilities, or a fitted"
            f" scikit-learn classifier, found {type(model).__name__}"
        )
    with KINDS.lent(_kind(model)):
        yield GIVEN


def name_of(model: Model) -> str:
    """Return what a model is called where nobody named it."""
    if isinstance(model, str | os.PathLike):
        return os.fspath(model)
    return str(getattr(model, "__name__", type(model).__name__))


def _kind(model: Any) -> ClassifierKind:
    def load(request: LoadRequest) -> Classifier:
        return _Asked(model, name_of(model), request.task.labels, len(request.task.fields) == 2)

    return ClassifierKind(
        name=GIVEN,
        summary="a value of Python",
        argument=None,
        load=load,
        # Answers of another value are never taken for those of this one.
        identity=lambda _request: hash_of([name_of(model), id(model)]),
    )


def _plain(value: Any) -> Any:
    """Return a number of NumPy as one of Python."""
    return value.item() if hasattr(value, "item") else value
