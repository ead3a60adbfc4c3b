"""What a measure is, and the budgets that degrees give in its units."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from contract.edits import Edit, Word


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An original, what became of it, and the edits between them."""

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
        return math.ceil(Fraction(repr(degree)) * units)

    def realised(self, change: Change) -> float:
        """Return the degree that a change really has."""
        return self.amount(change) / self.units(change.original, change.words)
