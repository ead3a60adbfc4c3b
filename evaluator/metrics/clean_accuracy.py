"""clean accuracy: the score at degree 0."""

import numpy as np

from evaluator.metrics.metric import Booleans, Metric, Terms

CLEAN_ACCURACY = Metric(
    name="clean-accuracy", summary="share of unperturbed samples that are classified right", scope="clean"
)


def clean_accuracy(is_right: Booleans) -> float:
    """Return the share of samples that are right."""
    return float(clean_accuracy_terms(is_right).value())


def clean_accuracy_terms(is_right: Booleans, has_clean: Booleans | None = None) -> Terms:
    """Return 1 for a right sample over 1 for a sample that has a clean row."""
    below = np.ones(len(is_right)) if has_clean is None else has_clean.astype(np.float64)
    return Terms(above=is_right.astype(np.float64) * below, below=below)
