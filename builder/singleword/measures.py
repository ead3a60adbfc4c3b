"""κ and ρ of a matrix: what share of texts a word flips, and what share of texts and words stays safe.

A search that stops early finds some flips and misses others: its κ is a lower bound and its ρ an upper one.
The other bounds count everything that it did not look at as flipped.
"""

import math
from typing import NamedTuple

import numpy as np

from builder.singleword.matrix import Matrix
from classifiers.machinery.classifier import Numbers

CONFIDENCE = 0.95
# The quantile of the normal distribution for 95 %.
Z = 1.959963984540054
DRAWS = 1000


class Interval(NamedTuple):
    """The ends of a confidence interval."""

    low: float
    high: float


class Rho(NamedTuple):
    """ρ as found, with its interval over texts, and what it must at least be."""

    # Exact, or an upper bound where a search stopped early.
    value: float
    lower_bound: float
    interval: Interval


def kappa(matrix: Matrix) -> Numbers:
    """Return for each word the share of texts that it was seen to flip."""
    return np.asarray(matrix.is_flipped.mean(axis=0))


def kappa_upper(matrix: Matrix) -> Numbers:
    """Return for each word the share of texts that it may flip, as far as was looked."""
    return np.asarray(1 - matrix.is_safe.mean(axis=0))


def rho(matrix: Matrix) -> float:
    """Return the share of texts and words that were not seen to flip."""
    return float(1 - matrix.is_flipped.mean())


def rho_lower(matrix: Matrix) -> float:
    """Return the share of texts and words of which every position was tried."""
    return float(matrix.is_safe.mean())


def measured_rho(matrix: Matrix, *, seed: int, are_words_drawn: bool = False) -> Rho:
    """Return ρ with a bootstrap interval over texts and, where words were drawn, over words."""
    draw = np.random.default_rng(seed)
    n_texts, n_words = matrix.is_flipped.shape
    flipped = matrix.is_flipped.astype(np.float64)
    texts = draw.multinomial(n_texts, np.full(n_texts, 1 / n_texts), DRAWS)
    if are_words_drawn:
        words = draw.multinomial(n_words, np.full(n_words, 1 / n_words), DRAWS)
        shares = np.einsum("dw,dw->d", texts @ flipped, words) / (n_texts * n_words)
    else:
        shares = texts @ flipped.mean(axis=1) / n_texts
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(1 - shares, [tail, 1 - tail])
    return Rho(rho(matrix), rho_lower(matrix), Interval(float(low), float(high)))


def wilson(n_hits: int, n: int) -> Interval:
    """Return Wilson's interval of a share: it stays inside 0 and 1 and does not shrink to a point at them."""
    if n < 1:
        raise ValueError("a share of nothing has no interval")
    share = n_hits / n
    scale = 1 + Z**2 / n
    middle = share + Z**2 / (2 * n)
    reach = Z * math.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    return Interval(max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale))
