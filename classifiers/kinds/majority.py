"""A baseline that gives every text the label frequencies of the training rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classifiers.machinery.classifier import Classifier, ClassifierKind, LoadRequest, Probabilities, TextPair
from contract.schema.names import TRAIN


@dataclass(frozen=True)
class Majority:
    """Gives every text the label frequencies of the training rows."""

    frequencies: Probabilities

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the same row for every text."""
        return np.tile(self.frequencies, (len(texts), 1))


def load(request: LoadRequest) -> Classifier:
    """Return the baseline for a task; uniform where the release has no training rows."""
    counts = np.zeros(len(request.task.labels))
    for split in request.needed_release.splits(task=request.task.name, dimension=TRAIN):
        labels = request.needed_release.table(split, ["label"])["label"].to_numpy()
        counts += np.bincount(labels, minlength=len(counts))
    counts = counts if counts.sum() else np.ones_like(counts)
    return Majority(counts / counts.sum())


MAJORITY = ClassifierKind(
    name="majority", summary="the most frequent label of the training rows", argument=None, load=load
)
