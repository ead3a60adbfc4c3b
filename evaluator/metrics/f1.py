"""F1 as GLUE and AdvGLUE count it: of the second label in binary tasks, the mean over labels in others."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.metric import Metric, NothingToScoreError, Numbers, Terms

F1 = Metric(
    name="f1",
    summary="harmonic mean of precision and recall; of the second label in binary tasks, macro in others",
    scope="task",
)


def f1(labels: NDArray[np.integer], predictions: NDArray[np.integer], n_labels: int) -> float:
    """Return F1 of the cases of a split."""
    if n_labels == 2:
        return _f1_of(labels == 1, predictions == 1)
    present = [label for label in range(n_labels) if (labels == label).any() or (predictions == label).any()]
    if not present:
        raise NothingToScoreError("F1 of nothing")
    return float(np.mean([_f1_of(labels == label, predictions == label) for label in present]))


def f1_terms(
    labels: NDArray[np.integer],
    predictions: NDArray[np.integer],
    samples: NDArray[np.integer],
    *,
    n_labels: int,
    n_samples: int,
) -> Terms:
    """Return twice a sample's hits over its true and predicted cases, for each label (column) that counts."""

    def summed(counted: NDArray[np.bool_]) -> Numbers:
        return np.bincount(samples[counted], minlength=n_samples).astype(np.float64)

    counted = [1] if n_labels == 2 else list(range(n_labels))
    is_true, is_predicted = ([values == label for label in counted] for values in (labels, predictions))
    pairs = list(zip(is_true, is_predicted, strict=True))
    return Terms(
        above=np.stack([2 * summed(true & predicted) for true, predicted in pairs], axis=1),
        below=np.stack([summed(true) + summed(predicted) for true, predicted in pairs], axis=1),
    )


def mean_over_labels(scores: Numbers) -> Numbers:
    """Return F1 on draws from that of each label (last axis); NaN stands for a label that a draw lacks."""
    is_present = ~np.isnan(scores)
    n_present = is_present.sum(axis=-1)
    total = np.where(is_present, scores, 0).sum(axis=-1)
    mean: Numbers = np.divide(total, n_present, out=np.full(total.shape, np.nan), where=n_present > 0)
    return mean


def _f1_of(is_true: NDArray[np.bool_], is_predicted: NDArray[np.bool_]) -> float:
    hits = int((is_true & is_predicted).sum())
    below = int(is_true.sum()) + int(is_predicted.sum())
    if not below:
        raise NothingToScoreError("F1 without a true or a predicted positive")
    return 2 * hits / below
