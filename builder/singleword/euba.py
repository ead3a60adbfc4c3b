"""EUBA: finds most of the words that flip a text with a fraction of brute force's questions.

Algorithm 1 of the paper on single-word perturbations, with both phases and its two variants. What it finds is
true, so shares of flips are lower bounds and robustness is an upper bound; with m = infinity it is exact.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from builder.singleword.matrix import Bools, Row, Votes
from builder.singleword.sentences import Sentence
from classifiers.machinery.classifier import Numbers
from classifiers.machinery.single_words import WordScorer

# `top1` tries each word only where it is likeliest to succeed; `no-mask` takes one gradient at the text.
Variant = Literal["euba", "top1", "no-mask"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
# As in the paper.
DEFAULT_M = 512
# Substitutions that are looked at together.
CHUNK = 128
# Digits of estimates by which substitutions are sorted: the last bits differ between machines.
DIGITS = 5

Integers = NDArray[np.intp]
# A text in; out, for each position and word, about the log probability of the true label after the change.
Scores = Callable[[Sentence], Numbers]


def scores_with(scorer: WordScorer, variant: Variant) -> Scores:
    """Return the estimates that a variant sorts by."""
    estimate = scorer.unmasked if variant == "no-mask" else scorer.masked
    return lambda sentence: estimate(sentence.pair, sentence.positions, sentence.label, sentence.field)


@dataclass(kw_only=True)
class Euba:
    """Goes through texts one after the other; words that flipped many of a class come early in others."""

    words: Sequence[str]
    n_labels: int
    votes: Votes
    scores: Scores
    # So many failures in a row end a phase.
    m: float = DEFAULT_M
    variant: Variant = "euba"
    has_second_phase: bool = True
    # How often each word has flipped a text of each class.
    n_flips: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        if self.m < 1:
            raise ValueError("m: expected at least one failure before a phase ends")
        self.n_flips = np.zeros((self.n_labels, len(self.words)), np.int64)

    def row(self, sentence: Sentence) -> Row:
        """Return what both phases find in one text."""
        scores = np.round(self.scores(sentence), DIGITS)
        best = scores.argmin(axis=0)
        lowest = scores[best, np.arange(len(self.words))]
        tried = _Tried(sentence, self.words, self.votes)
        tried.go(self._first(scores, best, lowest), self.m)
        if self.has_second_phase:
            # Words that have flipped as many texts: the likelier first. The paper leaves their order open.
            order = np.lexsort((lowest, -self.n_flips[sentence.label]))
            tried.go(best[order] * len(self.words) + order, self.m)
        self.n_flips[sentence.label] += tried.is_flipped
        return tried.row()

    def _first(self, scores: Numbers, best: Integers, lowest: Numbers) -> Integers:
        """Return the substitutions of the first phase, as position times words plus word."""
        if self.variant == "top1":
            order = np.argsort(lowest, kind="stable")
            return np.asarray(best[order] * len(self.words) + order)
        return np.argsort(scores, axis=None, kind="stable")


class _Tried:
    """The substitutions of one text that the classifier was asked about, and what they did."""

    def __init__(self, sentence: Sentence, words: Sequence[str], votes: Votes) -> None:
        self._sentence, self._words, self._votes = sentence, words, votes
        self._is_asked: Bools = np.zeros((len(sentence.positions), len(words)), np.bool_)
        self.is_flipped: Bools = np.zeros(len(words), np.bool_)
        self._n_questions = 0

    def go(self, order: Integers, m: float) -> None:
        """Try substitutions until m of them fail in a row; words that succeeded are passed over."""
        n_failures = 0
        start = 0
        n_words = len(self._words)
        while start < len(order) and n_failures < m:
            # No more than could fail before the end, so that nothing is asked in vain.
            size = CHUNK if math.isinf(m) else min(CHUNK, int(m) - n_failures)
            # A wide look ahead, since many words may have succeeded already.
            window = order[start : start + 8 * size]
            places = np.flatnonzero(~self.is_flipped[window % n_words])[:size]
            start += int(places[-1]) + 1 if len(places) == size else len(window)
            n_failures = self._try(window[places].tolist(), n_failures)

    def _try(self, chunk: Sequence[int], n_failures: int) -> int:
        """Ask about some substitutions and return how many have failed in a row at their end.

        As in the paper's loop, a word is not tried again once it has succeeded, so its next position waits.
        """
        flips: set[int] = set()
        waiting = list(chunk)
        while waiting:
            of_word: dict[int, int] = {}
            for code in waiting:
                of_word.setdefault(code % len(self._words), code)
            flips |= self._ask(list(of_word.values()))
            asked = set(of_word.values())
            waiting = [
                code for code in waiting if code not in asked and not self.is_flipped[code % len(self._words)]
            ]
        done: set[int] = set()
        for code in chunk:
            word = code % len(self._words)
            if code in flips:
                n_failures = 0
                done.add(word)
            elif word not in done:
                n_failures += 1
        return n_failures

    def _ask(self, codes: Sequence[int]) -> set[int]:
        """Return the substitutions that flip the answer; none is asked about a second time."""
        pairs = [divmod(code, len(self._words)) for code in codes]
        new = [(position, word) for position, word in pairs if not self._is_asked[position, word]]
        if not new:
            return set()
        answers = self._votes([self._sentence.with_word(place, self._words[word]) for place, word in new])
        self._n_questions += len(new)
        flips = set()
        for (position, word), answer in zip(new, answers, strict=True):
            self._is_asked[position, word] = True
            if answer != self._sentence.label:
                self.is_flipped[word] = True
                flips.add(position * len(self._words) + word)
        return flips

    def row(self) -> Row:
        """Return what is known: a word is safe where every position was asked about."""
        is_safe = self._is_asked.all(axis=0) & ~self.is_flipped
        return Row(is_flipped=self.is_flipped, is_safe=is_safe, n_questions=self._n_questions)
