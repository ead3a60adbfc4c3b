"""Edits found by comparing two texts: whole words, the fewest of them, and always true."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.release.importing.word_edits import word_edits
from contract.schema.edits import Edit, apply_edits

TEXTS = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(["a", "b", "c,", " ", "  "])).map("".join))


@pytest.mark.parametrize(
    ("original", "text", "expected"),
    [
        ("all as it was", "all as it was", []),
        ("a tender , fine drama .", "a bid , fine drama .", [Edit(2, 8, "tender", "bid")]),
        ("one two three", "one 2 3", [Edit(4, 7, "two", "2"), Edit(8, 13, "three", "3")]),
        ("skip it .", "sk ip it .", [Edit(0, 4, "skip", "sk ip")]),
        ("life, and so on", " life , and so on", [Edit(0, 5, "life,", " life ,")]),
        ("did it better . ", "did it better .  @x", [Edit(15, 16, " ", "  @x")]),
        ("it did it", "it it", [Edit(3, 7, "did ", "")]),
        ("", "new", [Edit(0, 0, "", "new")]),
    ],
)
def test_edits_are_of_whole_words(original: str, text: str, expected: list[Edit]) -> None:
    """Changes that touch are one edit, those apart are several."""
    assert word_edits(original, text) == expected


@given(TEXTS, TEXTS)
def test_edits_turn_any_original_into_any_text(original: str, text: str) -> None:
    """What a release stores can be verified, and nothing is marked that did not change."""
    edits = word_edits(original, text)
    assert apply_edits(original, edits) == text
    assert all(edit.original != edit.replacement for edit in edits)
    assert all(before.end < after.start for before, after in pairwise(edits))
