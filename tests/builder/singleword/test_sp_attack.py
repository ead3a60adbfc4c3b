"""SP-Attack: few words, one exchange, and the label guard."""

from collections.abc import Sequence

import pytest

from builder.label_guard.guards import Guard
from builder.singleword.matrix import Votes
from builder.singleword.sentences import Sentence, sentences_of
from builder.singleword.sp_attack import (
    KEPT,
    SpAttack,
    SpAttackChoice,
    guarded,
    perplexity_ratios,
    written_like,
)
from builder.values.samples import Sample

TEXT = "The film is a quiet story, told with care."
WORDS = ["movie", "never", "xylophone", "picture"]


def sentence(text: str = TEXT) -> Sentence:
    """Return a text of label 1."""
    (found,) = sentences_of([Sample(id="s", text=text, text_pair=None, label=1)], "text")
    return found


def flipped_by(*words: str) -> tuple[list[str], Votes]:
    """Return a classifier that says 0 where one of some words stands, and the texts it was asked about."""
    asked: list[str] = []

    def votes(texts: Sequence[tuple[str, str | None]]) -> list[int]:
        asked.extend(text for text, _ in texts)
        return [int(not any(word in text.lower() for word in words)) for text, _ in texts]

    return asked, votes


def test_the_flip_with_the_best_joint_criterion_is_taken() -> None:
    """A word that fits somewhere is taken, one that fits nowhere is not; the score is that of equation 4."""
    _, votes = flipped_by("movie", "xylophone")
    attack = SpAttack(words=WORDS, votes=votes, refusal=lambda *_: None)
    case = attack.attack(sentence())
    assert case is not None
    assert case.word.lower() == "movie"
    assert case.score == pytest.approx(3 * case.similarity - 20 * case.perplexity_ratio)
    # With no weight on fluency, the most similar text wins: the same word for a synonym.
    choice = SpAttackChoice(beta=0.0)
    attack = SpAttack(words=WORDS, votes=votes, refusal=lambda *_: None, choice=choice)
    case = attack.attack(sentence())
    assert case is not None
    assert case.text == "The movie is a quiet story, told with care."


def test_no_more_is_asked_than_the_pool_holds_and_the_search_ends_at_k_flips() -> None:
    """The pool is each of M words at each position."""
    asked, votes = flipped_by("nothing of the kind")
    attack = SpAttack(words=WORDS, votes=votes, refusal=lambda *_: None, choice=SpAttackChoice(n_words=2))
    assert attack.attack(sentence()) is None
    assert len(set(asked)) == len(asked) == attack.n_questions == 2 * 9
    assert not any("xylophone" in text for text in asked)
    asked, votes = flipped_by("movie", "never", "xylophone", "picture")
    long = sentence(" ".join(f"{TEXT} {number}" for number in range(6)))
    attack = SpAttack(words=WORDS, votes=votes, refusal=lambda *_: None, choice=SpAttackChoice(n_flips=3))
    assert attack.attack(long) is not None
    assert len(asked) == 64


def test_the_label_guard_refuses_and_its_refusals_are_counted() -> None:
    """A negation may neither come nor go."""
    asked, votes = flipped_by("never", "movie")
    attack = SpAttack(words=WORDS, votes=votes, refusal=guarded(Guard({"care": 1})))
    case = attack.attack(sentence("The film is not a story told with care."))
    assert case is not None
    assert not any("never" in text for text in asked)
    assert all(" not " in text for text in asked)
    assert attack.n_refused["grammar"] > 0
    assert attack.n_refused[KEPT] > 0
    assert attack.n_refused["class-lost"] > 0
    assert attack.n_candidates == attack.n_refused.total() + len(asked)


def test_a_text_is_its_own_measure_of_fluency() -> None:
    """Nothing exchanged gives a ratio of 1; a word that does not belong there gives more."""
    same, odd = perplexity_ratios(TEXT, [TEXT, TEXT.replace("film", "xylophone")], [1, 1], "packaged")
    assert same == 1
    assert odd > same


def test_capitals_are_those_of_the_word_that_goes() -> None:
    """At the start of a sentence and in headlines."""
    assert written_like("movie", "Film") == "Movie"
    assert written_like("movie", "FILM") == "MOVIE"
    assert written_like("movie", "film") == "movie"
    assert written_like("movie", "A") == "Movie"
