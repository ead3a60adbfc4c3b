"""The edit measure: Levenshtein distance over the characters of the original."""

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from builder.measures.measure import BudgetMeasure, Change
from contract.schema.edits import Word


def count_characters(text: str, _words: Sequence[Word]) -> int:
    """Return the number of code points."""
    return len(text)


def edit_distance(change: Change) -> int:
    """Return the Levenshtein distance between original and case."""
    return Levenshtein.distance(change.original, change.text)


EDIT = BudgetMeasure(
    name="edit",
    summary="Levenshtein distance ÷ characters of the original",
    units=count_characters,
    amount=edit_distance,
)
