"""Gaps are filled with words that fit, the same whatever else is asked."""

import math
import random

import numpy as np
import pytest

from builder.language.masked_lm import Gap, fill_gaps, score_gaps, score_words, vocabulary_of
from builder.language.masked_lm.filling import _best
from builder.language.masked_lm.model import PACKAGED, load_model

ACTORS = "the actors give great performances , and the film is never dull ."
SENTENCES = (
    ACTORS,
    "It was a dark and stormy night.",
    "Nobody could have guessed how the story would end, least of all the man who had written it down.",
    "a [MASK] of a film",
    "film",
    "中文 👩‍👧 e\u0301te\u0301",
)


def gap_at(text: str, word: str) -> Gap:
    """Return the gap where a word stands."""
    start = text.index(word)
    return Gap(text, start, start + len(word))


def every_gap() -> list[Gap]:
    """Return a gap for each word of the sentences."""
    return [gap_at(text, word) for text in SENTENCES for word in dict.fromkeys(text.split())]


def test_what_fills_a_gap_fits_it() -> None:
    """The packaged model knows what performances actors give."""
    (candidates,) = fill_gaps([gap_at(ACTORS, "great")], 20, PACKAGED)
    words = {candidate.word for candidate in candidates}
    assert words & {"good", "great", "fine", "excellent", "strong", "wonderful", "brilliant", "amazing"}


def test_candidates_are_whole_words_in_small_letters_likeliest_first() -> None:
    """No pieces, no marks, no special tokens; log-probabilities fall and none is above 0."""
    for candidates in fill_gaps(every_gap(), 50, PACKAGED):
        assert len({candidate.word for candidate in candidates}) == 50
        assert all(candidate.word.isalpha() and candidate.word.islower() for candidate in candidates)
        scores = [candidate.log_probability for candidate in candidates]
        assert scores == sorted(scores, reverse=True)
        assert scores[0] <= 0


def test_answers_do_not_depend_on_what_else_is_asked() -> None:
    """Alone, together or in another order: to the last digit."""
    gaps = every_gap()
    words = [("film", "cinematography", gap.text[gap.start : gap.end]) for gap in gaps]
    together = score_gaps(gaps, words, 5, PACKAGED)
    order = random.Random(0).sample(range(len(gaps)), len(gaps))
    shuffled = score_gaps([gaps[place] for place in order], [words[place] for place in order], 5, PACKAGED)
    assert shuffled == [together[place] for place in order]
    for place in order[:6]:
        assert score_gaps([gaps[place]], [words[place]], 5, PACKAGED) == [together[place]]


def test_a_word_of_one_piece_scores_what_it_has_among_the_candidates() -> None:
    """Both are the same distribution."""
    (answer,) = score_gaps([gap_at(ACTORS, "great")], [("good", "fine")], 200, PACKAGED)
    best = dict(answer.best)
    assert answer.scores[0] == best["good"]


def test_a_word_of_several_pieces_is_scored_piece_by_piece() -> None:
    """Each piece is less than certain, so the longer word is no likelier than its first piece alone."""
    model = load_model(PACKAGED)
    (pieces,) = model.pieces_of(["unwatchable"])
    assert len(pieces) > 1
    fitting, odd = score_words(
        [gap_at("the film is simply awful .", "awful"), gap_at("he ate awful for dinner .", "awful")],
        [("unwatchable",), ("unwatchable",)],
        PACKAGED,
    )
    assert math.isfinite(fitting[0])
    assert odd[0] < fitting[0] < 0


def test_a_mask_written_in_the_text_is_not_the_gap() -> None:
    """The text's own letters stay what they are; the gap is where it was asked for."""
    text = "[MASK] is a great film"
    (row,) = load_model(PACKAGED).gap_rows(["[MASK] is a "], [" film"])
    mask = load_model(PACKAGED).tokenizer.mask_token_id
    assert row.tokens[row.position] == mask
    assert row.position == [place for place, token in enumerate(row.tokens) if token == mask][-1]
    (other,) = load_model(PACKAGED).gap_rows([""], [text.removeprefix("[MASK]")])
    assert other.tokens[other.position] == mask
    assert other.position == 1


@pytest.mark.parametrize("n_before", [0, 30, 300])
def test_of_a_long_text_what_is_near_the_gap_is_read(n_before: int) -> None:
    """However long the text, a row stays short and its gap is in it."""
    model = load_model(PACKAGED)
    (row,) = model.gap_rows(["good film " * n_before], [" long story" * 300])
    assert row.tokens[row.position] == model.tokenizer.mask_token_id
    assert len(row.tokens) <= 100


def test_nothing_asked_is_nothing_answered() -> None:
    """An empty list is no error."""
    assert score_gaps([], [], 5, PACKAGED) == []
    assert score_words([gap_at(ACTORS, "great")], [()], PACKAGED) == [()]


def test_the_vocabulary_holds_words() -> None:
    """What the model knows as one piece."""
    vocabulary = vocabulary_of(PACKAGED)
    assert {"film", "great", "performances", "boring"} <= vocabulary
    assert all(word.isalpha() and word.islower() for word in vocabulary)


def test_log_probabilities_are_exact_whatever_the_batch() -> None:
    """One row alone has the very numbers that it has among others of its length."""
    model = load_model(PACKAGED)
    gaps = every_gap()
    rows = model.gap_rows([gap.text[: gap.start] for gap in gaps], [gap.text[gap.end :] for gap in gaps])
    longest = max(len(row.tokens) for row in rows)
    same = [row for row in rows if len(row.tokens) == longest]
    together = model._scores(same, longest)
    for place, row in enumerate(same):
        assert (model._scores([row], longest) == together[place]).all()


def test_the_likeliest_words_are_those_of_a_full_sort() -> None:
    """Many are equally likely: these stay in the order of the vocabulary."""
    model = load_model(PACKAGED)
    tokens = model.tokens_of_words
    logs = np.random.default_rng(1).integers(-9, 0, len(model.words)).astype(float)
    logs[tokens[:3]] = 1.0
    for n in (1, 3, 50, len(tokens)):
        order = sorted(range(len(tokens)), key=lambda place: (-logs[tokens[place]], place))[:n]
        found = _best(model, logs, n)
        assert [word for word, _ in found] == [model.words[tokens[place]] for place in order]
