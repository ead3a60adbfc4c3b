"""Tests of whether two models differ: paired bootstrap, exact McNemar, Holm's correction for many."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluator.metrics.ratio import Booleans, NothingToScoreError, Numbers


@dataclass(frozen=True, kw_only=True)
class McNemar:
    """How often only one of two models is right on a sample, and how likely that is by chance."""

    n_both: int
    n_only_first: int
    n_only_second: int
    n_neither: int
    p: float


def mcnemar(first: Booleans, second: Booleans) -> McNemar:
    """Return the exact test on one outcome a sample."""
    if not len(first):
        raise NothingToScoreError("McNemar's test of no samples")
    only_first, only_second = int((first & ~second).sum()), int((~first & second).sum())
    return McNemar(
        n_both=int((first & second).sum()),
        n_only_first=only_first,
        n_only_second=only_second,
        n_neither=int((~first & ~second).sum()),
        p=_two_sided_binomial(min(only_first, only_second), only_first + only_second),
    )


def _two_sided_binomial(n_fewer: int, n_all: int) -> float:
    """Return the chance that a fair coin shows so few of one side, or of the other, in so many throws."""
    log_half = n_all * math.log(0.5)
    logs = [
        math.lgamma(n_all + 1) - math.lgamma(hits + 1) - math.lgamma(n_all - hits + 1) + log_half
        for hits in range(n_fewer + 1)
    ]
    return min(1.0, 2 * math.fsum(math.exp(log) for log in logs))


def paired_bootstrap(first: Numbers, second: Numbers) -> float:
    """Return the two-sided p of no difference, from scores of two models on the same draws."""
    if not len(first):
        raise NothingToScoreError("a paired bootstrap without draws")
    difference = first - second
    # One is added because the sample itself is a draw too: p is never 0.
    tail = min(int((difference <= 0).sum()), int((difference >= 0).sum())) + 1
    return min(1.0, 2 * tail / (len(difference) + 1))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p values corrected for being many, in their order."""
    order = np.argsort(p_values, kind="stable")
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = highest
    return corrected
