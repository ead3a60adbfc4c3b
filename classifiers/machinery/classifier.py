"""The types of classifiers: texts in, class probabilities out, many at a time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from contract.machine.errors import ExitCode, UserError
from contract.release.release import Release
from contract.schema.manifest import TaskInfo, TextField
from contract.task_kinds import TASK_KINDS
from contract.task_kinds.classification import CLASSIFICATION

# The text and, in pair tasks, its partner.
TextPair = tuple[str, str | None]
Probabilities = NDArray[np.float64]
Numbers = NDArray[np.float64]
# Start and end of a part of a text, in code points.
Span = tuple[int, int]

# Of classifiers that answer tasks of every kind.
ALL_TASK_KINDS = frozenset(TASK_KINDS)

# About how many microseconds a text costs on one core; cheap classifiers are asked first.
CHEAP = 30
MODERATE = 1_000
EXPENSIVE = 10_000


class Classifier(Protocol):
    """Turns texts into class probabilities; columns stand in the order of the task's labels.

    It may also have `mask_token` (see `mask_token_of`) and `cost` (see `cost_of`). In multilabel tasks each
    label has a probability for itself, so that rows need not sum to 1.
    """

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return one row a text that sums to 1."""


@runtime_checkable
class Tagger(Protocol):
    """Gives every token of a text a label."""

    def tags(self, texts: Sequence[Sequence[str]]) -> list[list[int]]:
        """Return for each text, given as tokens, one label a token: indices in the task's order."""


class Replacement(NamedTuple):
    """Text[start:end] becomes `text`; code points, counted in the field under attack."""

    start: int
    end: int
    text: str


@runtime_checkable
class DifferentiableClassifier(Protocol):
    """A classifier with gradients of its loss, which is minus the log probability of the true label.

    Numbers do not depend on the other texts of a call, within 1e-5. `field` is the field under attack, in
    which spans are counted; the other text of a pair stays as it is.
    """

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return one row a text that sums to 1."""

    def word_gradients(
        self,
        texts: Sequence[TextPair],
        spans: Sequence[Sequence[Span]],
        labels: Sequence[int],
        field: TextField = "text",
    ) -> list[Numbers]:
        """Return for each text one number a span: how much it supports the true label.

        Integrated gradients of the true label's log probability over the input embeddings, from a text of
        masks to the text, summed over the tokens that a span touches; positive supports the label.
        A span whose tokens were cut off has 0.
        """

    def first_order(
        self,
        texts: Sequence[TextPair],
        labels: Sequence[int],
        replacements: Sequence[Sequence[Replacement]],
        field: TextField = "text",
    ) -> list[Numbers]:
        """Return for each text one number a replacement: by how much the loss would rise, to first order.

        One gradient a text serves all its replacements. A replacement inside a word counts as that of
        the whole word: mean embedding of the new pieces less that of the old, times the old pieces'
        gradient. Only for ranking; a higher number is a stronger attack.
        """


def mask_token_of(classifier: Classifier) -> str | None:
    """Return the token that replaces a hidden word, or None where the word is left out instead."""
    token: str | None = getattr(classifier, "mask_token", None)
    return token


def cost_of(classifier: Classifier) -> int:
    """Return about how many microseconds a text costs; moderate where the classifier does not say."""
    return int(getattr(classifier, "cost", MODERATE))


# Takes indices of texts and their rows of probabilities; a row of NaN says that no label was given.
Keep = Callable[[Sequence[int], Probabilities], None]


@runtime_checkable
class GradualClassifier(Protocol):
    """A slow classifier that hands over each answer as it comes, so that none is lost when it is stopped."""

    def answer(self, texts: Sequence[TextPair], keep: Keep) -> Sequence[str]:
        """Hand over one row a text, in any order; return in words some reasons for rows without a label."""


@dataclass(frozen=True, kw_only=True)
class EndpointOptions:
    """How to ask a model behind an endpoint."""

    base_url: str | None = None
    # The file for all tasks under "", for one task under its name.
    prompt_paths: Mapping[str, Path] = field(default_factory=dict)
    concurrency: int = 8
    timeout_seconds: float = 60.0
    # Goes into the body of every request; null takes a key out.
    body: Mapping[str, Any] = field(default_factory=dict)


def _say_nothing(_line: str) -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """What a user may say about a model beside its spec; a kind takes those that it names in `takes`."""

    # As torch or ONNX Runtime call it; None: the fastest there is.
    device: str | None = None
    # How many texts the model gets at a time; None: what suits the kind.
    batch_size: int | None = None
    # The interpreter, or the folder of the virtual environment, in which a function runs.
    python_path: Path | None = None
    # The task's labels in the order of the model's: for all tasks under "", for one task under its name.
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def labels_of(self, task: TaskInfo) -> Sequence[str]:
        """Return the labels that are given for a task; none if the user gives none."""
        return self.labels.get(task.name) or self.labels.get("") or ()

    @property
    def given(self) -> frozenset[str]:
        """The options that the user gave, as the command line calls them."""
        values = {
            "--device": self.device,
            "--batch-size": self.batch_size,
            "--python": self.python_path,
            "--labels": self.labels or None,
        }
        return frozenset(name for name, value in values.items() if value is not None)


@dataclass(frozen=True, kw_only=True)
class LoadRequest:
    """Everything a classifier may need to be loaded for one task of a release."""

    argument: str
    task: TaskInfo
    # None while a release is being built.
    release: Release | None
    cache_path: Path
    is_trusted: bool = False
    endpoint: EndpointOptions = field(default_factory=EndpointOptions)
    options: ModelOptions = field(default_factory=ModelOptions)
    # Tells the user what should not happen in silence.
    say: Callable[[str], None] = _say_nothing
    # Whether an earlier run already got labels from it.
    is_resumed: bool = False

    @property
    def needed_release(self) -> Release:
        """The release, or an error where there is none yet."""
        if self.release is None:
            raise UserError(f"{self.argument or 'this classifier'} needs a release; it cannot be a surrogate")
        return self.release


@dataclass(frozen=True, kw_only=True)
class ClassifierKind:
    """A kind of classifier that `predict` can ask for as NAME or NAME:ARGUMENT."""

    name: str
    summary: str
    argument: str | None
    # A Tagger for tagging tasks, a Classifier for all others.
    load: Callable[[LoadRequest], Any]
    # It runs behind an endpoint: answers cost money and may lack a label; none is thrown away.
    is_remote: bool = False
    # The options of ModelOptions that it takes, as the command line calls them.
    takes: frozenset[str] = frozenset()
    # Everything beside its spec that decides its answers, as a JSON value.
    identity: Callable[[LoadRequest], Any] = lambda _request: None
    # Everything that decides its answers, as a JSON value that is the same on every machine.
    # None: it cannot be a surrogate.
    content: Callable[[LoadRequest], Any] | None = None
    # Surrogates of a family read a text in the same way. None: each is a family of its own.
    family: str | None = None
    # The kinds of tasks that it can answer.
    task_kinds: frozenset[str] = frozenset({CLASSIFICATION.name})

    def check_task(self, task: TaskInfo, others: Iterable["ClassifierKind"]) -> None:
        """Refuse a task of a kind that it cannot answer; `others` are those that may."""
        if task.kind not in self.task_kinds:
            able = [kind.name for kind in others if task.kind in kind.task_kinds]
            raise UserError(
                f"{self.name} gives one label a text, and task {task.name} is {task.kind}; use one of"
                f" {', '.join(able)}, or write the predictions yourself (`hardfrost template`)",
                exit_code=ExitCode.WRONG_USE,
            )

    def check_options(self, options: ModelOptions) -> None:
        """Refuse options that this kind does not take."""
        needless = sorted(options.given - self.takes)
        if needless:
            takes = f"; it takes {', '.join(sorted(self.takes))}" if self.takes else ""
            raise UserError(
                f"{self.name} takes no {' and no '.join(needless)}{takes}", exit_code=ExitCode.WRONG_USE
            )


@dataclass(frozen=True, kw_only=True)
class TrainingSet:
    """Labelled texts to train on; a label is an index below `n_labels`."""

    texts: Sequence[TextPair]
    labels: Sequence[int]
    n_labels: int
    seed: int
    # The most epochs; None: the default of the kind.
    epochs: int | None = None


@dataclass(frozen=True, kw_only=True)
class TrainableKind:
    """A kind of classifier that a build trains; its folder holds safetensors and JSON, never pickles."""

    name: str
    summary: str
    train: Callable[[TrainingSet, Path], None]
    load: Callable[[Path], Classifier]
    # Surrogates of a family read a text in the same way.
    family: str
    version: int = 1
    # The packages whose version can change the weights.
    packages: tuple[str, ...] = ("scikit-learn",)
    # How many rows it trains on by default; None: all of them.
    train_rows: int | None = None
