"""What a measure is: budgets in whole units that are met exactly, or distances that are sorted into bins."""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from contract.schema.edits import Edit, Word

# Distances are rounded before they are compared with degrees, so that no last bit decides about a bin.
DECIMALS = 6

# The text of an original and that of a case.
OriginalAndCase = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An original, the changed text, and the edits between them."""

    original: str
    words: Sequence[Word]
    text: str
    edits: Sequence[Edit]


@dataclass(frozen=True, kw_only=True)
class BudgetMeasure:
    """A measure in whole units, so that a degree is a budget that can be met exactly."""

    name: str
    summary: str
    units: Callable[[str, Sequence[Word]], int]
    amount: Callable[[Change], int]

    def budget(self, degree: float, units: int) -> int:
        """Return ceil(degree × units), computed exactly: 0.1 of 30 is 3, not 4."""
        return _budget(degree, units)

    def most(self, degree: float, units: int) -> int:
        """Return the most units whose share is not above the degree, computed exactly."""
        return math.floor(Fraction(repr(degree)) * units)

    def realised(self, change: Change) -> float:
        """Return the degree that a change really has."""
        return self.amount(change) / self.units(change.original, change.words)


@dataclass(frozen=True, kw_only=True)
class BinMeasure:
    """A distance that can only be measured, many texts at a time; a degree is a bin of it."""

    name: str
    summary: str
    distances: Callable[[Sequence[OriginalAndCase], str], list[float]]

    def realised(self, pairs: Sequence[OriginalAndCase], encoder: str) -> list[float]:
        """Return the degree that each original and case really have."""
        return [max(0.0, round(distance, DECIMALS)) for distance in self.distances(pairs, encoder)]


@lru_cache(maxsize=4096)
def _budget(degree: float, units: int) -> int:
    return math.ceil(Fraction(repr(degree)) * units)


def bin_of(realised: float, degrees: Sequence[float]) -> float | None:
    """Return the degree d for which `realised` is in (degree before d, d], if there is one."""
    index = bisect_left(degrees, realised)
    return degrees[index] if realised > 0 and index < len(degrees) else None
