"""Kendall's τ of many draws at once, draws of samples and of models, and the agreement of errors."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A figure with its interval over samples, and over models."""

    value: float
    low: float
    high: float
    low_models: float
    high_models: float


def sample_weights(labels: Array, n_draws: int, seed: int = 0) -> Array:
    """Return how often each draw has each sample, label by label; the first line is the sample itself."""
    generator = np.random.default_rng(seed)
    weights = np.zeros((1 + n_draws, len(labels)))
    weights[0] = 1
    for label in np.unique(labels):
        places = np.flatnonzero(labels == label)
        weights[1:, places] = generator.multinomial(
            len(places), np.full(len(places), 1 / len(places)), size=n_draws
        )
    return weights


def signs(figures: Array) -> Array:
    """Return the sign of the difference of every two models: draws × pairs."""
    first, second = np.triu_indices(figures.shape[-1], k=1)
    # Sums in another order differ in their last bits and are the same figure.
    return np.sign(np.round(figures[..., first] - figures[..., second], 9))


def tau(one: Array, other: Array, weights: Array | None = None) -> Array:
    """Return Kendall's τ-b from signs, for each draw; `weights` leaves pairs out or counts them twice."""
    counted = np.ones(one.shape[-1]) if weights is None else weights
    agreement = (one * other * counted).sum(axis=-1)
    untied = np.sqrt((np.abs(one) * counted).sum(axis=-1) * (np.abs(other) * counted).sum(axis=-1))
    return np.asarray(np.where(untied > 0, agreement / np.maximum(untied, 1e-12), np.nan))


def pair_weights(n_models: int, n_draws: int, seed: int = 1) -> Array:
    """Return how often each pair of different models stands in each draw of models."""
    draws = np.random.default_rng(seed).multinomial(n_models, np.full(n_models, 1 / n_models), size=n_draws)
    first, second = np.triu_indices(n_models, k=1)
    return np.asarray(draws[:, first] * draws[:, second], dtype=float)


def estimate(one: Array, other: Array, weights: Array | None = None) -> Estimate:
    """Return τ between figures, draws × models, with intervals; the first draw is the sample itself."""
    left, right = signs(one), signs(other)
    over_samples = tau(left, right, weights)
    counted = pair_weights(one.shape[-1], len(one) - 1)
    own = counted if weights is None else counted * (weights if weights.ndim == 1 else weights[0])
    over_models = tau(left[0], right[0], own)
    tail = (1 - CONFIDENCE) / 2
    low, high = _quantiles(over_samples[1:], tail)
    low_models, high_models = _quantiles(over_models, tail)
    return Estimate(float(over_samples[0]), low, high, low_models, high_models)


def _quantiles(values: Array, tail: float) -> tuple[float, float]:
    known = values[~np.isnan(values)]
    if len(known) == 0:
        return float("nan"), float("nan")
    low, high = np.quantile(known, [tail, 1 - tail])
    return float(low), float(high)


def error_consistency(one: Array, other: Array) -> float:
    """Return κ of being right, beyond what both accuracies explain; NaN in `other` is left out."""
    known = ~np.isnan(other)
    left, right = one[known].astype(float), other[known]
    observed = (left == right).mean()
    expected = left.mean() * right.mean() + (1 - left.mean()) * (1 - right.mean())
    return float((observed - expected) / (1 - expected)) if expected < 1 else float("nan")
