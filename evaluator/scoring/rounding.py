"""Numbers as a result holds them: rounded, so that machines that sum in another order write the same."""

import numpy as np

from contract.schema.results import Aggregate, ScoreSettings
from evaluator.metrics.metric import Numbers
from evaluator.scoring.bootstrap import interval

_DIGITS = 9


def fraction(value: float) -> float:
    """Return a score between 0 and 1."""
    return min(max(round(float(value), _DIGITS), 0.0), 1.0)


def fractions(values: Numbers) -> tuple[float, ...]:
    """Return many scores between 0 and 1."""
    return tuple(np.clip(np.round(values, _DIGITS), 0, 1).tolist())


def fraction_interval(scores: Numbers, settings: ScoreSettings) -> tuple[float, float] | None:
    """Return the confidence interval of a score; the first value is the score, the others are draws."""
    if not settings.resamples:
        return None
    low, high = interval(scores[1 : settings.resamples + 1], settings.confidence)
    return fraction(low), fraction(high)


def fraction_bounds(bounds: tuple[float, float] | None) -> tuple[float, float] | None:
    """Return the interval of a score between 0 and 1, if there is one."""
    return None if bounds is None else (fraction(bounds[0]), fraction(bounds[1]))


def rounded_bounds(bounds: tuple[float, float] | None) -> tuple[float, float] | None:
    """Return the interval of a figure that may exceed 1, if there is one."""
    return None if bounds is None else (round(bounds[0], _DIGITS), round(bounds[1], _DIGITS))


def aggregate(scores: Numbers, settings: ScoreSettings) -> Aggregate:
    """Return a final score with its interval; the first value is the score, the others are draws."""
    return Aggregate(ewma=fraction(scores[0]), ci=fraction_interval(scores, settings))


def rounded(value: float | None) -> float | None:
    """Return a figure that may exceed 1, or nothing."""
    return None if value is None else round(value, _DIGITS)
