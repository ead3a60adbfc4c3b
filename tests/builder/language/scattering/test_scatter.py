"""Tokens that say nothing stand at the edges of nodes, and nowhere inside of names, numbers and negations."""

from itertools import pairwise

import pytest

from builder.language.scattering.scatter import Insertion, insertions, most_insertions, together
from builder.models.resources import PACKAGED
from contract.schema.edits import Edit, apply_edits

TEXT = "The old museum in the harbour was opened by a singer because the town had money."


def written(text: str, insertion: Insertion) -> str:
    """Return a text with one token."""
    end = insertion.place + len(insertion.original)
    return apply_edits(text, [Edit(insertion.place, end, insertion.original, insertion.text)])


def all_of(text: str, avoid: frozenset[str] = frozenset()) -> dict[str, str]:
    """Return each text with one token, and the kind of token."""
    return {written(text, each): each.kind for each in insertions(text, PACKAGED, avoid)}


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        (
            TEXT.replace("the harbour", "the the harbour"),
            "word-repeated",
        ),
        (
            TEXT.replace("museum", "museum, um,"),
            "phrase-filler",
        ),
        (
            TEXT.replace("opened", "opened ..."),
            "phrase-pause",
        ),
        (
            "The old museum in the harbour was opened by a singer, you know, because the town had money.",
            "clause-filler",
        ),
        (
            "Well, the old museum in the harbour was opened by a singer because the town had money.",
            "sentence-first",
        ),
        (
            "The old museum in the harbour was opened by a singer because the town had money, you see.",
            "sentence-last",
        ),
    ],
)
def test_a_token_stands_at_a_node_of_each_level(changed: str, kind: str) -> None:
    """Words, phrases, clauses and the sentence: every level of the tree has its tokens."""
    assert all_of(TEXT).get(changed) == kind


def test_a_text_with_spaces_before_its_marks_gets_tokens_with_such_spaces() -> None:
    """As SST-2 is written."""
    changed = all_of("the film , though long , is a journey through the night .")
    assert any(" , um , through the night ." in text for text in changed)


def test_names_numbers_and_negations_are_not_cut() -> None:
    """What stands inside of them would be read as another name, number or claim."""
    for text in all_of("Anna Berg did not sell 20 million copies of the book in New York."):
        for unit in ("Anna Berg", "did not sell", "20 million", "New York"):
            assert unit in text


def test_a_first_word_that_may_be_a_name_keeps_its_capital() -> None:
    """And another one loses it."""
    assert any(text.startswith("Well, Anna") for text in all_of("Anna Berg opened the museum in May."))
    assert any(text.startswith("Well, the") for text in all_of("The singer opened the museum in May."))


def test_words_typical_of_a_class_are_not_scattered() -> None:
    """Unless they are there already."""
    assert not any("well" in text.lower() for text in all_of(TEXT, frozenset({"well"})))


def test_a_text_gets_few_tokens_and_none_side_by_side() -> None:
    """So that it stays easy to read."""
    every = insertions(TEXT, PACKAGED, frozenset())
    chosen = together(every, most_insertions(TEXT))
    assert 1 <= len(chosen) <= most_insertions(TEXT) == 3
    places = [insertion.place for insertion in chosen]
    assert all(later - earlier >= 8 for earlier, later in pairwise(places))


def test_a_text_without_words_gets_nothing() -> None:
    """There is no node."""
    assert insertions("...", PACKAGED, frozenset()) == ()
