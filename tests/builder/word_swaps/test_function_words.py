"""Small words change only between neighbours that allow it."""

import pytest

from builder.label_guard.kept_words import NUMBERS
from builder.language.words.negations import is_negation
from builder.word_swaps.function_words import alternatives_to, load_alternatives
from builder.word_swaps.word_uses import Neighbours


@pytest.mark.parametrize(
    ("word", "tag", "neighbours", "expected"),
    [
        ("about", "IN", Neighbours("for", "IN", "ten", "CD"), "around"),
        ("that", "WDT", Neighbours("film", "NN", "makes", "VBZ"), "which"),
        ("until", "IN", Neighbours("open", "JJ", "monday", "NNP"), "till"),
    ],
)
def test_a_small_word_has_alternatives(word: str, tag: str, neighbours: Neighbours, expected: str) -> None:
    """Where its neighbours are as they must be."""
    assert expected in alternatives_to(word, tag, neighbours)


@pytest.mark.parametrize(
    ("word", "tag", "neighbours"),
    [
        ("because", "IN", Neighbours("late", "JJ", "of", "IN")),
        ("until", "IN", Neighbours("not", "RB", "monday", "NNP")),
        ("that", "IN", Neighbours("said", "VBD", "he", "PRP")),
        ("nearly", "RB", Neighbours("is", "VBZ", "", "")),
    ],
    ids=["because of", "not until", "said that", "at an edge"],
)
def test_a_small_word_stays_between_other_neighbours(word: str, tag: str, neighbours: Neighbours) -> None:
    """One word or tag beside it, or an edge, is enough."""
    assert not alternatives_to(word, tag, neighbours)


def test_no_alternative_is_a_negation_or_a_number() -> None:
    """Nor is any word that has one."""
    for word, alternatives in load_alternatives().items():
        forms = {word, *(form for alternative in alternatives for form in alternative.substitutes)}
        assert not any(is_negation(form) or form in NUMBERS for form in forms)
        assert all(word not in alternative.substitutes for alternative in alternatives)
