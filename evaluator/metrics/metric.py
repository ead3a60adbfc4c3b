"""What a metric is, and the one form that most of them share: a ratio of sums over samples."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Counts = NDArray[np.int32]
Booleans = NDArray[np.bool_]


class NothingToScoreError(ValueError):
    """A metric was asked about nothing; that is a mistake of the caller, not a score of 0."""


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A metric's name, what it says in one line, and what it is computed for."""

    name: str
    summary: str
    scope: Literal["clean", "degree", "setting", "task", "release"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Terms:
    """A score as what each sample adds above and below the line; columns, if any, are degrees."""

    above: Numbers
    below: Numbers

    def value(self) -> Numbers:
        """Return the score, one for each column."""
        below = self.below.sum(axis=0)
        if not np.all(below):
            raise NothingToScoreError("no sample to score")
        value: Numbers = np.asarray(self.above.sum(axis=0) / below)
        return value

    def values(self) -> list[float | None]:
        """Return the score of each column, none where no sample counts below the line."""
        above, below = self.above.sum(axis=0), self.below.sum(axis=0)
        return [float(one / other) if other else None for one, other in zip(above, below, strict=True)]

    def resampled(self, weights: Numbers) -> Numbers:
        """Return the score on each draw (a row of weights); NaN where a draw has no sample to score."""
        above, below = weights @ self.above, weights @ self.below
        value: Numbers = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
        return value


def check_counts(n_right: Counts, n_cases: Counts) -> None:
    """Refuse counts that cannot be: both are arrays of samples by degrees, low degrees first."""
    if n_right.shape != n_cases.shape or n_right.ndim != 2:
        raise ValueError(f"counts of samples by degrees expected, got {n_right.shape} and {n_cases.shape}")
    if not n_right.size:
        raise NothingToScoreError("no sample to score")
