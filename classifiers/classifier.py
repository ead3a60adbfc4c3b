"""What a classifier is: texts in, class probabilities out, many at a time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

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


# Takes places of texts and their rows of probabilities; a row of NaN says that no label was given.
Keep = Callable[[Sequence[int], Probabilities], None]


@runtime_checkable
class GradualClassifier(Protocol):
    """A classifier so slow that it hands over its answers as they come: none is lost when it is stopped."""

    def answer(self, texts: Sequence[TextPair], keep: Keep) -> Sequence[str]:
        """Hand over one row a text, in any order; return in words some reasons for rows without a label."""


@dataclass(frozen=True, kw_only=True)
class EndpointOptions:
    """How to ask a model that others serve."""

    base_url: str | None = None
    # The file for all tasks under "", for one task under its name.
    prompt_paths: Mapping[str, Path] = field(default_factory=dict)
    concurrency: int = 8
    timeout_seconds: float = 60.0
    # Goes into the body of every request; null takes a key out.
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class LoadRequest:
    """Everything a classifier may need to be loaded for one task of a release."""

    argument: str
    task: TaskInfo
    release: Release
    cache_path: Path
    is_trusted: bool = False
    endpoint: EndpointOptions = field(default_factory=EndpointOptions)
    # Whether an earlier run had labels from it, so that it is known to work.
    is_resumed: bool = False


@dataclass(frozen=True, kw_only=True)
class ClassifierKind:
    """A kind of classifier that `predict` can ask for as NAME or NAME:ARGUMENT."""

    name: str
    summary: str
    argument: str | None
    load: Callable[[LoadRequest], Classifier]
    # Others serve it, at an endpoint: answers cost money, may lack a label and are never thrown away.
    is_remote: bool = False
    # What decides its answers beside its spec, as a JSON value.
    identity: Callable[[LoadRequest], Any] = lambda _request: None


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
