"""Fills gaps in texts: the likeliest words, and how likely given words are, batched and deduplicated."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from builder.language.masked_lm.model import Floats, MaskedModel, Row, load_model


class Gap(NamedTuple):
    """A text and the span of it that is masked."""

    text: str
    start: int
    end: int


class ScoredWord(NamedTuple):
    """A word for a gap and the logarithm of its probability there."""

    word: str
    log_probability: float


class GapScores(NamedTuple):
    """The likeliest words for a gap, likeliest first, and the log-probabilities of the given words."""

    best: tuple[ScoredWord, ...]
    scores: tuple[float, ...]


class _Step(NamedTuple):
    """One piece of a word in a gap, given the pieces before it."""

    row: Row
    piece: int


@dataclass(slots=True)
class _Wanted:
    """What is read from a row's log-probabilities: the likeliest words, and the scores of some pieces."""

    is_gap: bool = False
    pieces: set[int] = field(default_factory=set)


def vocabulary_of(masked_lm: str) -> frozenset[str]:
    """Return the words, in small letters, that a model knows as one piece: it scores them all at once."""
    return frozenset(word for word in load_model(masked_lm).words if word)


def fill_gaps(gaps: Sequence[Gap], n: int, masked_lm: str) -> list[tuple[ScoredWord, ...]]:
    """Return the n likeliest whole words of the model's vocabulary for each gap, likeliest first."""
    return [gap.best for gap in score_gaps(gaps, [()] * len(gaps), n, masked_lm)]


def score_words(
    gaps: Sequence[Gap], words: Sequence[Sequence[str]], masked_lm: str
) -> list[tuple[float, ...]]:
    """Return the log-probability of each given word in its gap, those of several pieces included."""
    return [gap.scores for gap in score_gaps(gaps, words, 0, masked_lm)]


def score_gaps(
    gaps: Sequence[Gap], words: Sequence[Sequence[str]], n: int, masked_lm: str
) -> list[GapScores]:
    """Return for each gap the n likeliest whole words of the vocabulary and the scores of the given words.

    A gap is one mask, whatever stood there. A given word may have several pieces: the first is predicted with
    all of them masked, the next with the first in place, and so on (the within-word variant of
    pseudo-log-likelihood, Kauf and Ivanova 2023); shown to each other, rare pieces would look likely.
    """
    model = load_model(masked_lm)
    different = sorted({word for of_gap in words for word in of_gap})
    pieces = dict(zip(different, model.pieces_of([word.lower() for word in different]), strict=True))
    rows = model.gap_rows([gap.text[: gap.start] for gap in gaps], [gap.text[gap.end :] for gap in gaps])
    steps = [
        [list(_steps(model, row, pieces[word])) for word in of_gap]
        for row, of_gap in zip(rows, words, strict=True)
    ]
    wanted: dict[Row, _Wanted] = {}
    for row, of_gap in zip(rows, steps, strict=True):
        if n:
            wanted.setdefault(row, _Wanted()).is_gap = True
        for step in (step for of_word in of_gap for step in of_word):
            wanted.setdefault(step.row, _Wanted()).pieces.add(step.piece)
    order = list(wanted)

    def read(number: int, logs: Floats) -> tuple[tuple[ScoredWord, ...], dict[int, float]]:
        of_row = wanted[order[number]]
        best = _best(model, logs, n) if of_row.is_gap else ()
        return best, {piece: float(logs[piece]) for piece in of_row.pieces}

    by_row = dict(zip(order, model.log_probabilities(order, read), strict=True))
    return [
        GapScores(
            by_row[row][0] if n else (),
            tuple(sum(by_row[step.row][1][step.piece] for step in of_word) for of_word in of_gap),
        )
        for row, of_gap in zip(rows, steps, strict=True)
    ]


def _best(model: MaskedModel, logs: Floats, n: int) -> tuple[ScoredWord, ...]:
    tokens = model.tokens_of_words
    of_words = logs[tokens]
    places = np.arange(len(of_words))
    if n < len(of_words):
        # The few that can be among the likeliest are found faster than all are sorted.
        least = np.partition(of_words, len(of_words) - n)[len(of_words) - n]
        places = np.flatnonzero(of_words >= least)
    # Equally likely ones stay in the order of the vocabulary.
    order = places[np.argsort(-of_words[places], kind="stable")[:n]]
    return tuple(ScoredWord(model.words[tokens[place]], float(of_words[place])) for place in order)


def _steps(model: MaskedModel, row: Row, pieces: Sequence[int]) -> Iterator[_Step]:
    """Yield the rows in which a word's pieces are predicted one after the other."""
    mask = model.tokenizer.mask_token_id
    before, after = row.tokens[: row.position], row.tokens[row.position + 1 :]
    for number, piece in enumerate(pieces):
        gap = (*pieces[:number], *(mask for _ in pieces[number:]))
        yield _Step(Row((*before, *gap, *after), row.position + number), piece)
