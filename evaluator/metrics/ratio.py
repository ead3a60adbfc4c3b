"""The form that most figures share: a ratio of sums over samples, which bootstrap draws can weigh anew."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Counts = NDArray[np.int32]
Booleans = NDArray[np.bool_]


class NothingToScoreError(ValueError):
    """A metric was asked about nothing; that is a mistake of the caller, not a score of 0."""


class Figure(Protocol):
    """One or more scores, and the same scores on bootstrap draws of the samples."""

    def values(self) -> list[float | None]:
        """Return the score of each column, none where it is undefined."""

    def resampled(self, weights: Numbers) -> Numbers:
        """Return the scores (columns) on each draw (rows); weights say how often a sample is drawn."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Ratio:
    """What each sample (row) adds to a score's numerator and denominator; columns, if any, are degrees."""

    numerator: Numbers
    denominator: Numbers

    def value(self) -> Numbers:
        """Return the score, one for each column; an empty one is an error."""
        denominator = self.denominator.sum(axis=0)
        if not np.all(denominator):
            raise NothingToScoreError("no sample to score")
        value: Numbers = np.asarray(self.numerator.sum(axis=0) / denominator)
        return value

    def values(self) -> list[float | None]:
        """Return the score of each column, none where no sample counts."""
        numerator = np.atleast_1d(self.numerator.sum(axis=0))
        denominator = np.atleast_1d(self.denominator.sum(axis=0))
        pairs = zip(numerator, denominator, strict=True)
        return [float(above / below) if below else None for above, below in pairs]

    def resampled(self, weights: Numbers) -> Numbers:
        """Return the score on each draw (a row of weights); NaN where a draw has no sample to score."""
        numerator, denominator = weights @ self.numerator, weights @ self.denominator
        value: Numbers = np.divide(
            numerator, denominator, out=np.full_like(numerator, np.nan), where=denominator > 0
        )
        return value


def check_counts(n_right: Counts, n_cases: Counts) -> None:
    """Refuse counts that cannot be: both are arrays of samples by degrees, low degrees first."""
    if n_right.shape != n_cases.shape or n_right.ndim != 2:
        raise ValueError(f"counts of samples by degrees expected, got {n_right.shape} and {n_cases.shape}")
    if not n_right.size:
        raise NothingToScoreError("no sample to score")
