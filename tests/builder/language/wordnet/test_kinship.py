"""What names things of one kind, and what is mostly another part of speech."""

import pytest

from builder.language.wordnet.kinship import are_of_one_kind, is_mainly, is_narrower


@pytest.mark.parametrize(
    ("one", "other"), [("war", "battle"), ("year", "season"), ("career", "job"), ("film", "movie")]
)
def test_near_things_are_of_one_kind(one: str, other: str) -> None:
    """Either way round."""
    assert are_of_one_kind(one, other, "n")
    assert are_of_one_kind(other, one, "n")


@pytest.mark.parametrize(
    ("one", "other"), [("actor", "film"), ("fish", "sea"), ("film", "camera"), ("actor", "zyzzyva")]
)
def test_a_topic_is_no_kind(one: str, other: str) -> None:
    """What is met together is not the same, and an unknown word is of no kind."""
    assert not are_of_one_kind(one, other, "n")


def test_what_stands_below_says_more() -> None:
    """A documentary is a film, a film need not be one."""
    assert is_narrower("documentary", "film", "n")
    assert not is_narrower("film", "documentary", "n")
    assert not is_narrower("film", "movie", "n")


@pytest.mark.parametrize(
    ("lemma", "part_of_speech"),
    [("house", "n"), ("good", "a"), ("quickly", "r"), ("write", "v"), ("dead", "a")],
)
def test_a_word_is_mainly_one_part_of_speech(lemma: str, part_of_speech: str) -> None:
    """Whatever else it can be."""
    assert is_mainly(lemma, part_of_speech)
    assert not any(is_mainly(lemma, other) for other in "nvar" if other != part_of_speech)
    assert not is_mainly("zyzzyva-like", part_of_speech)
