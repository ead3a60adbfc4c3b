"""What a classifier is: texts in, class probabilities out, many at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from contract.manifest import TaskInfo
from contract.release import Release

# The text and, in pair tasks, its partner.
TextPair = tuple[str, str | None]
Probabilities = NDArray[np.float64]


class Classifier(Protocol):
    """Turns texts into class probabilities; columns stand in the order of the task's labels."""

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return one row a text that sums to 1."""


@dataclass(frozen=True, kw_only=True)
class LoadRequest:
    """Everything a classifier may need to be loaded for one task of a release."""

    argument: str
    task: TaskInfo
    release: Release
    cache_path: Path
    is_trusted: bool = False


@dataclass(frozen=True, kw_only=True)
class ClassifierKind:
    """A kind of classifier that `predict` can ask for as NAME or NAME:ARGUMENT."""

    name: str
    summary: str
    argument: str | None
    load: Callable[[LoadRequest], Classifier]


@dataclass(frozen=True, kw_only=True)
class TrainingSet:
    """Labelled texts to train on; a label is an index below `n_labels`."""

    texts: Sequence[TextPair]
    labels: Sequence[int]
    n_labels: int
    seed: int


@dataclass(frozen=True, kw_only=True)
class TrainableKind:
    """A kind of classifier that a build trains; its folder holds safetensors and JSON, never pickles."""

    name: str
    summary: str
    train: Callable[[TrainingSet, Path], None]
    load: Callable[[Path], Classifier]
    version: int = 1
