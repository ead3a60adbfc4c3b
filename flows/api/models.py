"""Models as people have them in Python: a spec, a function, or a fitted estimator."""

import contextlib
import hashlib
import os
import pickle
import uuid
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from classifiers import KINDS, Classifier, ClassifierKind, LoadRequest
from classifiers.kinds.sklearn import SklearnPipeline
from classifiers.machinery.classifier import Probabilities, TextPair
from contract.machine.errors import UserError
from flows.api.values import Place

# The name under which a value of Python is known while it is asked.
GIVEN = "given"
# A name for each function that was asked, as long as it is there.
_TOKENS: "weakref.WeakKeyDictionary[Any, str]" = weakref.WeakKeyDictionary()


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
    """A function as a classifier of a task."""

    model: Any
    name: str
    labels: tuple[str, ...]
    is_pair: bool

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return one row a text, whatever the model answers with."""
        if not texts:
            return np.zeros((0, len(self.labels)))
        answers = self.model([pair if self.is_pair else pair[0] for pair in texts])
        rows = answers.tolist() if hasattr(answers, "tolist") else list(answers)
        if len(rows) != len(texts):
            raise UserError(f"{self.name} gave {len(rows)} answers to {len(texts)} texts; give one each")
        return np.array([self._row(row) for row in rows], np.float64)

    def _row(self, answer: Any) -> list[float]:
        if isinstance(answer, list | tuple):
            row = [float(value) for value in answer]
            if len(row) == len(self.labels) and min(row) >= 0 and abs(sum(row) - 1) < 1e-3:
                return row
            raise self._refused(answer)
        place = self.place(answer)
        return [float(index == place) for index in range(len(self.labels))]

    def place(self, answer: Any) -> int:
        """Return the index of a label; a number is a label where the task has one of this name."""
        plain = plain_value(answer)
        if str(plain) in self.labels:
            return self.labels.index(str(plain))
        if isinstance(plain, int) and 0 <= plain < len(self.labels):
            return int(plain)
        raise self._refused(plain)

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
        yield f"{GIVEN}:{name_of(model)}"


def name_of(model: Model) -> str:
    """Return what a model is called where nobody named it."""
    if isinstance(model, str | os.PathLike):
        return os.fspath(model)
    return str(getattr(model, "__name__", type(model).__name__))


def _kind(model: Any) -> ClassifierKind:
    identity = _identity(model)

    def load(request: LoadRequest) -> Classifier:
        labels = request.task.labels
        asked = _Asked(model, name_of(model), labels, len(request.task.fields) == 2)
        if isinstance(model, Estimator):
            # As a saved one, so that attacks are as quick.
            return SklearnPipeline(model, [asked.place(name) for name in model.classes_], len(labels))
        return asked

    return ClassifierKind(
        name=GIVEN,
        summary="a value of Python",
        argument="NAME",
        load=load,
        identity=lambda _request: identity,
    )


def _identity(model: Any) -> str:
    """Return what tells a value from any other, so that no answer of one is taken for another's.

    An estimator is told by its content; what a function does cannot be told, so each value is its own.
    """
    if isinstance(model, Estimator):
        # Whatever does not let itself be written is told as functions are.
        with contextlib.suppress(Exception):
            return hashlib.sha256(pickle.dumps(model)).hexdigest()
    try:
        return _TOKENS.setdefault(model, uuid.uuid4().hex)
    except TypeError:
        return uuid.uuid4().hex


def plain_value(value: Any) -> Any:
    """Return a number of NumPy as one of Python."""
    return value.item() if hasattr(value, "item") else value
