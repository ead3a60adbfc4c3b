"""Numbers as a result holds them: rounded, so that machines that sum in another order write the same."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from contract.schema.figures import Scored
from contract.schema.results import Aggregate, ScoreSettings
from evaluator.metrics.ratio import Numbers
from evaluator.scoring.draws import Bounds, interval

_DIGITS = 9


def fraction(value: float) -> float:
    """Return a score between 0 and 1."""
    return min(max(round(float(value), _DIGITS), 0.0), 1.0)


def fractions(values: Numbers) -> tuple[float, ...]:
    """Return many scores between 0 and 1."""
    return tuple(np.clip(np.round(values, _DIGITS), 0, 1).tolist())


def fraction_interval(scores: Numbers, settings: ScoreSettings) -> Bounds | None:
    """Return the interval of a fraction; the first value is the score, the others are draws."""
    if not settings.resamples:
        return None
    low, high = interval(scores[1 : settings.resamples + 1], settings.confidence)
    return fraction(low), fraction(high)


def rounded_bounds(bounds: Bounds | None, *, is_fraction: bool) -> Bounds | None:
    """Return an interval, if there is one; that of a fraction stays between 0 and 1."""
    if bounds is None:
        return None
    low, high = bounds
    return (fraction(low), fraction(high)) if is_fraction else (rounded(low), rounded(high))


def aggregate(scores: Numbers, settings: ScoreSettings) -> Aggregate:
    """Return a final score with its interval; the first value is the score, the others are draws."""
    return Aggregate(ewma=fraction(scores[0]), ci=fraction_interval(scores, settings))


def scored(scores: Numbers, settings: ScoreSettings, *, is_fraction: bool) -> Scored:
    """Return a figure with its interval; the first value is the score, the others, if any, are draws."""
    drawn = scores[1 : settings.resamples + 1]
    bounds = interval(drawn, settings.confidence) if len(drawn) else None
    value = fraction(scores[0]) if is_fraction else rounded(scores[0])
    return Scored(value, rounded_bounds(bounds, is_fraction=is_fraction))


def as_metrics(figures: Mapping[str, Scored]) -> dict[str, Any]:
    """Return figures as the fields of a result that hold those without a field of their own."""
    return {
        "metrics": {key: figure.value for key, figure in figures.items()},
        "metrics_ci": {
            key: figure.interval for key, figure in figures.items() if figure.interval is not None
        },
    }


def rounded(value: float) -> float:
    """Return a figure that may exceed 1."""
    return round(float(value), _DIGITS)
