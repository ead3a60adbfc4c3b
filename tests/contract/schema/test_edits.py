"""Edits turn originals into cases, and words are counted on the original."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.schema.edits import Edit, apply_edits, changed_words, touched_words, words_of


def test_a_word_is_a_token_with_a_letter_or_digit() -> None:
    """Punctuation that stands alone is no word."""
    assert [word.text for word in words_of(" it 's a -- good, 2nd film . ")] == [
        "it",
        "'s",
        "a",
        "good,",
        "2nd",
        "film",
    ]


@given(st.text())
def test_words_stand_where_they_say(text: str) -> None:
    """Offsets are code points."""
    for word in words_of(text):
        assert text[word.start : word.end] == word.text


def test_edits_are_applied_in_the_order_of_the_text() -> None:
    """Insertions, deletions and replacements may adjoin."""
    edits = [Edit(4, 4, "", "!"), Edit(0, 1, "g", "f"), Edit(3, 4, "d", "")]
    assert apply_edits("good film", edits) == "foo! film"


@pytest.mark.parametrize("edits", [[Edit(0, 2, "go", "x"), Edit(1, 2, "o", "y")], [Edit(0, 1, "x", "y")]])
def test_edits_that_overlap_or_lie_are_refused(edits: list[Edit]) -> None:
    """A span must hold what the edit says it holds."""
    with pytest.raises(ValueError, match="does not fit"):
        apply_edits("good", edits)


@pytest.mark.parametrize(
    ("edit", "touched"),
    [
        (Edit(0, 1, "a", "x"), {0}),
        (Edit(1, 1, "", "x"), {0}),
        (Edit(2, 2, "", "x"), {1}),
        (Edit(1, 2, " ", ""), set()),
        (Edit(0, 3, "a b", "x"), {0, 1}),
        (Edit(6, 6, "", "x"), {2}),
    ],
)
def test_an_edit_touches_the_words_it_overlaps_or_adjoins(edit: Edit, touched: set[int]) -> None:
    """Counted on the original, never by tokenising the case."""
    assert touched_words(words_of("a bb c"), [edit]) == touched


def test_changed_words_are_shown_before_and_after() -> None:
    """Each touched word once, with all its edits."""
    assert changed_words(
        "a good film", [Edit(3, 4, "o", "0"), Edit(6, 6, "", "d"), Edit(7, 8, "f", "ph")]
    ) == [
        ("good", "g0odd"),
        ("film", "philm"),
    ]
