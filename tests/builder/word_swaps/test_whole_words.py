"""Words that can be replaced whole."""

import pytest

from builder.language.tagger import tag_words
from builder.operations.dimension import WordsOfText
from builder.word_swaps.whole_words import fits_article, in_casing_of, whole_words_of
from contract.schema.edits import words_of


def replaceable(text: str) -> list[str]:
    """Return the words of a text that can be replaced whole."""
    (cores,) = tag_words([text])
    slots = list(whole_words_of(WordsOfText(text, words_of(text)), cores))
    assert all(text[slot.start : slot.end] == slot.text for slot in slots)
    return [slot.text for slot in slots]


def test_names_numbers_and_words_with_something_hanging_on_stay() -> None:
    """A capital inside a sentence makes a name; film's and isn't are two words in one."""
    found = replaceable(
        "Great (dull) jokes, and Wasabi isn't the film's 3rd joke -- \"well-made\", says NASA."
    )
    assert found == ["Great", "dull", "jokes", "and", "the", "joke", "says"]


def test_a_text_in_capitals_has_words_like_any_other() -> None:
    """Capitals mean nothing where there is nothing else."""
    assert replaceable("THE DULL FILM") == ["THE", "DULL", "FILM"]


@pytest.mark.parametrize(
    ("model", "form", "cased"),
    [("film", "movie", "movie"), ("Film", "movie", "Movie"), ("FILM", "movie", "MOVIE"), ("I", "we", "We")],
)
def test_a_replacement_is_cased_as_the_original(model: str, form: str, cased: str) -> None:
    """In capitals, with a capital, or in small letters."""
    assert in_casing_of(model, form) == cased


@pytest.mark.parametrize(
    ("before", "original", "candidate", "is_fit"),
    [
        ("a", "dull", "boring", True),
        ("a", "dull", "uneven", False),
        ("an", "awful", "terrible", False),
        ("An", "awful", "odd", True),
        ("a", "long", "honest", False),
        ("a", "long", "useful", False),
        ("the", "long", "honest", True),
    ],
)
def test_an_article_is_never_left_wrong(before: str, original: str, candidate: str, is_fit: bool) -> None:  # noqa: FBT001
    """After "a" or "an" comes what begins like the original; words that sound otherwise than spelt do not."""
    assert fits_article(before, original, candidate) is is_fit
