"""The audited model: loaded from its spec, watched by a clock, and named by what it answers."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from builder.live.quick_pipeline import quick_pipeline
from builder.surrogates.surrogate_ref import SurrogateRef
from builder.tasks.public_names import public_name
from classifiers import ClassifierKind, LoadRequest, parse_spec
from classifiers.machinery.classifier import (
    EXPENSIVE,
    MODERATE,
    Classifier,
    ModelOptions,
    Probabilities,
    TextPair,
    cost_of,
    mask_token_of,
)
from classifiers.machinery.inference import Inference
from contract.machine.hashes import hash_of
from contract.schema.manifest import TaskInfo

# Texts before the first look at the clock, and at most between two; else as many as take about a second.
FEWEST_BETWEEN_LOOKS, MOST_BETWEEN_LOOKS = 8, 4096
SECONDS_BETWEEN_LOOKS = 1.0
# Digits of the answers by which a model is told from another one.
DIGITS = 4


class OutOfTimeError(Exception):
    """The time of the audit is over; what is not finished is left out."""


@dataclass(frozen=True, kw_only=True)
class ModelChoice:
    """Which model is audited, and how it is loaded."""

    spec: str
    is_trusted: bool = False
    options: ModelOptions = field(default_factory=ModelOptions)
    # Tells the user what should not happen in silence.
    say: Callable[[str], None] = lambda _line: None

    @property
    def public_name(self) -> str:
        """The spec without the folders of this machine."""
        return Path(self.spec).name if Path(self.spec).exists() else public_name(self.spec)

    def request(self, task: TaskInfo, cache_path: Path) -> LoadRequest:
        """Return the request for the model; the audit has no release yet."""
        return LoadRequest(
            argument=parse_spec(self.spec).argument,
            task=task,
            release=None,
            cache_path=cache_path,
            is_trusted=self.is_trusted,
            options=self.options,
            say=self.say,
        )


class WatchedClassifier:
    """A classifier that looks at the clock between texts, so that no question outlives the audit."""

    def __init__(self, classifier: Classifier, check_time: Callable[[], None]) -> None:
        self.classifier = classifier
        self._check_time = check_time
        self.mask_token = mask_token_of(classifier)
        self.cost = cost_of(classifier)
        self.n_asked = 0
        self.seconds = 0.0

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the answers of the model, some texts at a time."""
        # Of equal length together, as encoders like it.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place][0]))
        rows: list[Probabilities] = []
        start = 0
        while start < len(texts):
            self._check_time()
            began = time.perf_counter()
            batch = [texts[place] for place in order[start : start + self._step()]]
            rows.append(self.classifier.probabilities(batch))
            self.seconds += time.perf_counter() - began
            self.n_asked += len(batch)
            start += len(batch)
        if not rows:
            return self.classifier.probabilities([])
        answers = np.empty_like(joined := np.concatenate(rows))
        answers[order] = joined
        return answers

    def _step(self) -> int:
        """Return how many texts are asked about before the next look at the clock."""
        if self.cost < EXPENSIVE:
            return MOST_BETWEEN_LOOKS
        if not self.n_asked:
            return FEWEST_BETWEEN_LOOKS
        n_in_time = int(SECONDS_BETWEEN_LOOKS / max(self.seconds_a_text, 1e-9))
        return max(FEWEST_BETWEEN_LOOKS, min(MOST_BETWEEN_LOOKS, n_in_time))

    @property
    def seconds_a_text(self) -> float:
        """How long a text has taken on average so far."""
        return self.seconds / self.n_asked if self.n_asked else 0.0


@dataclass(frozen=True, kw_only=True)
class AuditedModel:
    """A model that is ready to be attacked."""

    kind: ClassifierKind
    # As its kind loads it.
    loaded: Classifier
    watched: WatchedClassifier
    inference: Inference
    ref: SurrogateRef
    # Its label for each sample that it was asked about.
    clean_votes: dict[str, int]

    @property
    def is_expensive(self) -> bool:
        """Whether a text costs so much that a cheaper model should pick what it is shown."""
        return self.watched.cost >= EXPENSIVE


def open_model(
    choice: ModelChoice,
    task: TaskInfo,
    samples: dict[str, TextPair],
    cache_path: Path,
    check_time: Callable[[], None],
) -> AuditedModel:
    """Load the model and ask it about the samples; what it answers is part of its name.

    So a model that changes, in whatever file its answer may come from, is attacked anew.
    """
    kind = parse_spec(choice.spec).kind
    request = choice.request(task, cache_path)
    loaded = kind.load(request)
    texts = list(samples.values())
    watched = WatchedClassifier(quick_pipeline(loaded, texts) or loaded, check_time)
    answers = watched.probabilities(texts)
    identity = [choice.public_name, kind.identity(request), task.labels]
    sha256 = hash_of([*identity, np.round(answers, DIGITS).tolist()])
    has_cache = watched.cost >= MODERATE and watched.seconds_a_text * 1e6 >= MODERATE
    return AuditedModel(
        kind=kind,
        loaded=loaded,
        watched=watched,
        inference=Inference(watched, sha256, cache_path if has_cache else None),
        ref=SurrogateRef(name="model", kind=kind.name, sha256=sha256),
        clean_votes=dict(zip(samples, answers.argmax(axis=1).tolist(), strict=True)),
    )
