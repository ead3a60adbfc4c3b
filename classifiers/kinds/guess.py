"""A baseline that draws a label for every text, whatever the text says."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classifiers.machinery.classifier import (
    ALL_TASK_KINDS,
    Classifier,
    ClassifierKind,
    LoadRequest,
    Probabilities,
    Tagger,
    TextPair,
)
from classifiers.machinery.listed_baselines import guess_of
from contract.task_kinds.classification import CLASSIFICATION


@dataclass(frozen=True)
class Guess:
    """Draws a label by a checksum of the text, so that the same text always gets the same one."""

    n_labels: int

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return certainty for the label that was drawn."""
        drawn = [zlib.crc32(repr(pair).encode("utf-8", "surrogatepass")) % self.n_labels for pair in texts]
        return np.eye(self.n_labels)[drawn]


def load(request: LoadRequest) -> Classifier | Tagger:
    """Return the baseline for a task."""
    if request.task.kind != CLASSIFICATION.name:
        return guess_of(request)
    return Guess(len(request.task.labels))


GUESS = ClassifierKind(
    name="guess",
    summary="a label drawn at random for each text",
    argument=None,
    load=load,
    task_kinds=ALL_TASK_KINDS,
)
