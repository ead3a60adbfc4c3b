"""Baselines for tasks with many labels a text: what training rows have most often, and what chance gives."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classifiers.machinery.classifier import LoadRequest, Probabilities, TextPair
from classifiers.machinery.listed_rows import listed_training_rows
from contract.task_kinds.tagging import TAGGING


@dataclass(frozen=True)
class ConstantLabels:
    """Gives every text the same probabilities."""

    shares: Probabilities

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the same row for every text."""
        return np.tile(self.shares, (len(texts), 1))


@dataclass(frozen=True)
class ConstantTag:
    """Gives every token the same label."""

    label: int

    def tags(self, texts: Sequence[Sequence[str]]) -> list[list[int]]:
        """Return the label for every token."""
        return [[self.label] * len(tokens) for tokens in texts]


@dataclass(frozen=True)
class GuessedLabels:
    """Draws whether each label holds by a checksum of the text."""

    n_labels: int

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return certainty for what was drawn."""
        rows = [[_drawn(repr((pair, label)), 2) for label in range(self.n_labels)] for pair in texts]
        return np.array(rows, np.float64).reshape(len(texts), self.n_labels)


@dataclass(frozen=True)
class GuessedTags:
    """Draws a label for each token by a checksum of the text and its place."""

    n_labels: int

    def tags(self, texts: Sequence[Sequence[str]]) -> list[list[int]]:
        """Return what was drawn."""
        return [
            [_drawn(repr((list(tokens), place)), self.n_labels) for place in range(len(tokens))]
            for tokens in texts
        ]


def _drawn(key: str, n: int) -> int:
    return zlib.crc32(key.encode("utf-8", "surrogatepass")) % n


def majority_of(request: LoadRequest) -> ConstantLabels | ConstantTag:
    """Return the baseline of what training rows have most often; without any, of nothing in particular."""
    n_labels = len(request.task.labels)
    rows = listed_training_rows(request)
    if request.task.kind == TAGGING.name:
        counts = np.bincount([code or 0 for row in rows for code in row.codes], minlength=n_labels)
        return ConstantTag(int(counts.argmax()))
    shares = np.full(n_labels, 0.5)
    for label in range(n_labels):
        judged = [code for row in rows if (code := row.codes[label]) is not None]
        if judged:
            shares[label] = np.mean(judged)
    return ConstantLabels(shares)


def guess_of(request: LoadRequest) -> GuessedLabels | GuessedTags:
    """Return the baseline that draws."""
    n_labels = len(request.task.labels)
    return GuessedTags(n_labels) if request.task.kind == TAGGING.name else GuessedLabels(n_labels)
