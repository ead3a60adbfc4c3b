"""Budgets are exact, and amounts are what they say."""

import pytest

from builder.measures import MEASURES
from builder.measures.measure import Change
from contract.schema.edits import Edit, apply_edits, words_of


@pytest.mark.parametrize(
    ("degree", "units", "budget"),
    [(0.1, 30, 3), (0.1, 31, 4), (0.3, 10, 3), (0.05, 1, 1), (0.6, 5, 3), (0.29, 100, 29)],
)
def test_a_budget_is_the_ceiling_computed_exactly(degree: float, units: int, budget: int) -> None:
    """0.1 of 30 is 3, although 0.1 * 30 is more in floats."""
    assert MEASURES["edit"].budget(degree, units) == budget


def test_amounts_of_a_change_by_hand() -> None:
    """Two characters and one word of nine and two."""
    original = "good film"
    edits = [Edit(0, 2, "go", "og")]
    change = Change(
        original=original, words=words_of(original), text=apply_edits(original, edits), edits=edits
    )
    assert MEASURES["edit"].realised(change) == 2 / 9
    assert MEASURES["words"].realised(change) == 1 / 2
