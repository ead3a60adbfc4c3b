"""Opposites are found in any form, directly, through what is like them, and by their prefixes."""

import pytest

from builder.language.wordnet.antonyms import are_opposed


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("hot", "cold"),
        ("cold", "hot"),
        ("winners", "loser"),
        ("accepted", "rejecting"),
        ("swift", "sluggish"),
        ("funny", "unfunny"),
        ("perfect", "imperfect"),
        ("hopeful", "hopeless"),
        ("flaw", "flawless"),
        ("like", "disliked"),
    ],
)
def test_opposites_are_found(word: str, other: str) -> None:
    """Whatever their forms and their order."""
    assert are_opposed(word, other)
    assert are_opposed(other, word)


@pytest.mark.parametrize(
    ("word", "other"),
    [("movie", "film"), ("funny", "amusing"), ("big", "large"), ("on", "iron"), ("xyzzy", "plugh"), ("", "")],
)
def test_other_words_are_not_opposed(word: str, other: str) -> None:
    """Synonyms, strangers, and words that only look as if they had a prefix."""
    assert not are_opposed(word, other)
