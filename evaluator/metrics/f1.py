"""F1 as GLUE and AdvGLUE count it: of the second label in binary tasks, the mean over labels in others."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.metric import Metric, NothingToScoreError

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


def _f1_of(is_true: NDArray[np.bool_], is_predicted: NDArray[np.bool_]) -> float:
    hits = int((is_true & is_predicted).sum())
    below = int(is_true.sum()) + int(is_predicted.sum())
    if not below:
        raise NothingToScoreError("F1 without a true or a predicted positive")
    return 2 * hits / below
