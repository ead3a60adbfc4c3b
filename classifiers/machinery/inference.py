"""Asks a classifier about texts: each text once, answers from the disk cache where it has them.

A text's numbers do not depend on the other texts of a call.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from classifiers.machinery.classifier import (
    MODERATE,
    Classifier,
    Probabilities,
    TextPair,
    cost_of,
    mask_token_of,
)
from classifiers.machinery.ensemble import Ensemble
from classifiers.machinery.probability_cache import MILLION, ProbabilityCache
from contract.machine.code import ANSWERS, hash_of_code
from contract.machine.errors import UserError
from contract.machine.hashes import hash_of

# How many texts are asked about and stored at a time; a killed build loses at most these.
TEXTS_AT_A_TIME = 4096


@dataclass(slots=True)
class Counts:
    """Counts the questions to a classifier; `n_queries` and `n_distinct` do not depend on the cache."""

    # Texts asked about, and those of them that differ within one call.
    n_queries: int = 0
    n_distinct: int = 0
    # Of the distinct ones: found in the cache, and computed.
    n_cached: int = 0
    n_computed: int = 0
    # Time inside the classifier itself.
    seconds: float = 0.0


class Inference:
    """A classifier with its cache and its counts; all code asks classifiers through it."""

    def __init__(self, classifier: Classifier, weights_sha256: str, cache_path: Path | None) -> None:
        self.classifier = classifier
        self.weights_sha256 = weights_sha256
        self.counts = Counts()
        # How many labels the classifier has, once it has answered.
        self._n_labels: int | None = None
        # Looking up an answer costs about what a cheap classifier takes to give it.
        self._cache: ProbabilityCache | None = None
        if cache_path is not None and cost_of(classifier) >= MODERATE:
            # Other code may turn the same weights and text into another answer.
            code = hash_of_code(_modules(classifier), ANSWERS)
            self._cache = ProbabilityCache(cache_path, hash_of([weights_sha256, code]))

    @property
    def mask_token(self) -> str | None:
        """The token that replaces a hidden word; None: the word is left out."""
        return mask_token_of(self.classifier)

    @property
    def cost(self) -> int:
        """About how many microseconds a text costs."""
        return cost_of(self.classifier)

    def ask(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return one row a text, rounded to six digits so that votes do not depend on batches."""
        places: dict[TextPair, int] = {}
        place_of_text = [places.setdefault(text, len(places)) for text in texts]
        distinct = list(places)
        self.counts.n_queries += len(texts)
        self.counts.n_distinct += len(distinct)
        rows = [
            self._ask(distinct[start : start + TEXTS_AT_A_TIME])
            for start in range(0, len(distinct), TEXTS_AT_A_TIME)
        ]
        if not rows:
            # Not every classifier can be asked about no text at all: people's own often cannot.
            return self._compute([]) if self._n_labels is None else np.empty((0, self._n_labels))
        answers = np.concatenate(rows)
        self._n_labels = answers.shape[1]
        return np.asarray(answers[place_of_text])

    def votes(self, texts: Sequence[TextPair]) -> list[int]:
        """Return the label that the classifier gives each text; of equal ones the first."""
        if not texts:
            return []
        labels: list[int] = self.ask(texts).argmax(axis=1).tolist()
        return labels

    def _ask(self, texts: Sequence[TextPair]) -> Probabilities:
        if self._cache is None:
            return self._compute(texts)
        known = self._cache.load(texts)
        self.counts.n_cached += len(known)
        unknown = [text for text in texts if text not in known]
        if unknown:
            computed = dict(zip(unknown, self._compute(unknown), strict=True))
            self._cache.store(computed)
            known.update(computed)
        return np.array([known[text] for text in texts])

    def _compute(self, texts: Sequence[TextPair]) -> Probabilities:
        start = time.perf_counter()
        rows = self.classifier.probabilities(texts)
        self.counts.seconds += time.perf_counter() - start
        self.counts.n_computed += len(texts)
        if not np.isfinite(rows).all():
            raise UserError(
                f"the classifier {self.weights_sha256[:12]} gives probabilities that are not numbers;"
                " its weights may be damaged: save or download them again"
            )
        return np.asarray(np.rint(rows * MILLION) / MILLION, dtype=np.float64)


def _modules(classifier: Classifier) -> set[str]:
    """Return the modules of a classifier's class and, for an ensemble, of its members' classes."""
    members = classifier.members if isinstance(classifier, Ensemble) else ()
    return {type(classifier).__module__}.union(*map(_modules, members))
