"""clean accuracy: the share of clean samples that are right, whatever their label."""

import numpy as np

from evaluator.metrics.inputs import CleanOutcomes
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import Booleans, Ratio


def clean_accuracy(is_right: Booleans, has_clean: Booleans | None = None) -> Ratio:
    """Return 1 for a right sample over 1 for a sample that has a clean row."""
    counted = np.ones(len(is_right)) if has_clean is None else has_clean.astype(np.float64)
    return Ratio(numerator=is_right.astype(np.float64) * counted, denominator=counted)


def _on_clean_rows(outcomes: CleanOutcomes) -> Ratio:
    if outcomes.units is not None:
        return outcomes.units.accuracy()
    return clean_accuracy(outcomes.is_right, outcomes.has_clean)


CLEAN_ACCURACY = Metric(
    name="clean-accuracy",
    summary="share of unperturbed samples that are classified right",
    heading="Clean accuracy",
    in_terminal=False,
    clean=_on_clean_rows,
)
