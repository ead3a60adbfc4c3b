"""The word measure: words of the original touched by an edit, over all its words."""

from collections.abc import Sequence

from builder.measures.measure import BudgetMeasure, Change
from contract.schema.edits import Word, touched_words


def count_words(_text: str, words: Sequence[Word]) -> int:
    """Return N, the number of words."""
    return len(words)


def words_changed(change: Change) -> int:
    """Return how many words of the original the edits touch."""
    return len(touched_words(change.words, change.edits))


WORDS = BudgetMeasure(
    name="words",
    summary="words of the original touched by an edit ÷ its words",
    units=count_words,
    amount=words_changed,
)
