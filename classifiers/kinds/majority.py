"""A baseline that gives every text the label frequencies of the training rows."""

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
from classifiers.machinery.listed_baselines import majority_of
from contract.schema.names import TRAIN
from contract.task_kinds.classification import CLASSIFICATION


@dataclass(frozen=True)
class Majority:
    """Gives every text the label frequencies of the training rows."""

    frequencies: Probabilities

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the same row for every text."""
        return np.tile(self.frequencies, (len(texts), 1))


def load(request: LoadRequest) -> Classifier | Tagger:
    """Return the baseline for a task; uniform where the release has no training rows."""
    if request.task.kind != CLASSIFICATION.name:
        return majority_of(request)
    counts = np.zeros(len(request.task.labels))
    for split in request.needed_release.splits(task=request.task.name, dimension=TRAIN):
        labels = request.needed_release.table(split, ["label"])["label"].to_numpy()
        counts += np.bincount(labels, minlength=len(counts))
    counts = counts if counts.sum() else np.ones_like(counts)
    return Majority(counts / counts.sum())


MAJORITY = ClassifierKind(
    name="majority",
    summary="the most frequent label of the training rows",
    argument=None,
    load=load,
    task_kinds=ALL_TASK_KINDS,
)
