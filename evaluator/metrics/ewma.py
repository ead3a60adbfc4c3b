"""EWMA: one number for the scores at all degrees, in which low degrees, the likeliest, weigh most."""

from collections.abc import Sequence

import numpy as np

from contract.schema.results import EwmaStart
from evaluator.metrics.inputs import DegreeScores
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import NothingToScoreError, Numbers


def ewma(scores_high_to_low: Sequence[float], *, beta: float = 0.5, start: EwmaStart = "first") -> float:
    """Return V of the last score: V1 is the first score, then V = beta V + (1 - beta) score."""
    return float(ewma_over(np.asarray(scores_high_to_low, dtype=float), beta=beta, start=start))


def ewma_over(scores_high_to_low: Numbers, *, beta: float = 0.5, start: EwmaStart = "first") -> Numbers:
    """Return the same along the first axis, for many draws or models at once."""
    if not 0 <= beta <= 1:
        raise ValueError(f"beta must lie between 0 and 1, not {beta}")
    if not len(scores_high_to_low):
        raise NothingToScoreError("EWMA of no degrees")
    # RobTest prints V1 = score1, but its tables contain what V0 = 0 gives: a perfect model gets 1 - beta^n.
    value = np.zeros_like(scores_high_to_low[0]) if start == "zero" else scores_high_to_low[0]
    for score in scores_high_to_low[0 if start == "zero" else 1 :]:
        value = beta * value + (1 - beta) * score
    return np.asarray(value)


def ewma_of_degrees(by_degree: DegreeScores) -> Numbers:
    """Return one score for all degrees; a split without degrees is its own score."""
    if by_degree.degrees == (None,):
        return np.asarray(by_degree.scores[0])
    settings = by_degree.settings
    return ewma_over(by_degree.scores[::-1], beta=settings.beta, start=settings.ewma_start)


EWMA = Metric(
    name="ewma",
    summary="exponentially weighted moving average over degrees, from high to low, clean excluded",
    heading="EWMA",
    over_degrees=ewma_of_degrees,
)
