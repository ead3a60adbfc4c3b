"""What trains classifiers for tasks with many labels a text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifiers.machinery.classifier import Classifier, Tagger, TextPair
from contract.schema.manifest import TaskKindName
from contract.task_kinds.kind import Codes


@dataclass(frozen=True, kw_only=True)
class ListedTrainingSet:
    """Texts to train on, and their codes as the kind of task has them."""

    texts: Sequence[TextPair]
    codes: Sequence[Codes]
    n_labels: int
    seed: int


@dataclass(frozen=True, kw_only=True)
class ListedTrainable:
    """A kind of classifier that is trained for one kind of task with many labels a text."""

    name: str
    summary: str
    task_kind: TaskKindName
    train: Callable[[ListedTrainingSet, Path], None]
    load: Callable[[Path], Classifier | Tagger]
    version: int = 1
    # How many rows it trains on; None: all of them.
    train_rows: int | None = None
