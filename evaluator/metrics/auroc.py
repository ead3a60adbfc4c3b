"""AUROC: how well the probabilities order the cases, whatever threshold is chosen."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.metric import Metric, NothingToScoreError, Numbers

AUROC = Metric(
    name="auroc",
    summary="area under the ROC curve of the probabilities; beyond two labels, mean of each against the rest",
    scope="task",
)


def auroc(labels: NDArray[np.integer], probabilities: Numbers) -> float:
    """Return the chance that a case of a label gets a higher probability of it than one of another label."""
    n_labels = probabilities.shape[1]
    if n_labels == 2:
        return _auroc_of(labels == 1, probabilities[:, 1])
    present = [label for label in range(n_labels) if 0 < (labels == label).sum() < len(labels)]
    if not present:
        raise NothingToScoreError("AUROC of a single label")
    return float(np.mean([_auroc_of(labels == label, probabilities[:, label]) for label in present]))


def _auroc_of(is_positive: NDArray[np.bool_], scores: Numbers) -> float:
    """Return the Mann-Whitney statistic; ties count half."""
    n_positive = int(is_positive.sum())
    n_negative = len(is_positive) - n_positive
    if not n_positive or not n_negative:
        raise NothingToScoreError("AUROC of a single label")
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    rank_sum = float(ranks[inverse][is_positive].sum())
    return (rank_sum - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative)
