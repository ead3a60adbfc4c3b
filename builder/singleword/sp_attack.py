"""SP-Attack: one word of a text exchanged for one of the strongest words, as fluent and similar as can be.

Section 4 and appendix C of the paper on single-word perturbations, with the packaged encoder for the
Universal Sentence Encoder, the packaged masked language model for BERT, and a label guard, which the paper
has not: a "never" that is put in changes what a text says.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from builder.label_guard.guards import Guard
from builder.label_guard.kept_words import is_kept
from builder.language.masked_lm import Gap, score_words
from builder.models.encoder import encode
from builder.models.resources import Resources
from builder.singleword.matrix import Votes
from builder.singleword.sentences import Sentence, positions_of
from builder.values.randomness import Draw
from classifiers.machinery.classifier import Span

# Candidates that are asked about at a time.
CHUNK = 64
# Words on either side of an exchanged one whose likelihood is measured anew. The paper measures the whole
# text; what stands further away hardly changes, and costs as much.
REACH = 3
KEPT = "kept-word"
# By whom an exchange is refused, if it is: the word that goes, the one that comes, and the label.
Refusal = Callable[[str, str, int], str | None]


@dataclass(frozen=True, kw_only=True)
class SpAttackChoice:
    """How an attack goes; the paper's values."""

    # M: the strongest words; k: flips of a text that are compared.
    n_words: int = 50
    n_flips: int = 50
    alpha: float = 3.0
    beta: float = 20.0
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class SpCase:
    """The best flip of one text."""

    sentence: Sentence
    position: int
    word: str
    similarity: float
    # The perplexity of the new text over that of the old one.
    perplexity_ratio: float
    score: float

    @property
    def text(self) -> str:
        """The new text."""
        pair = self.sentence.with_word(self.position, self.word)
        return (pair[0] if self.sentence.field == "text" else pair[1]) or ""


@dataclass(kw_only=True)
class SpAttack:
    """Attacks texts one after the other and counts what it costs and what is refused."""

    # The strongest words, the strongest first.
    words: Sequence[str]
    votes: Votes
    refusal: Refusal
    resources: Resources = field(default_factory=Resources)
    choice: SpAttackChoice = field(default_factory=SpAttackChoice)
    n_candidates: int = 0
    n_questions: int = 0
    n_refused: Counter[str] = field(default_factory=Counter)

    def attack(self, sentence: Sentence) -> SpCase | None:
        """Return the best of the first k exchanges that flip the answer; None where none does."""
        pool = self._pool(sentence)
        order = Draw("sp-attack", self.choice.seed, sentence.sample.id).sample(pool, len(pool))
        flips: list[tuple[int, str]] = []
        for start in range(0, len(order), CHUNK):
            chunk = order[start : start + CHUNK]
            answers = self.votes([sentence.with_word(place, word) for place, word in chunk])
            self.n_questions += len(chunk)
            flips += [each for each, answer in zip(chunk, answers, strict=True) if answer != sentence.label]
            if len(flips) >= self.choice.n_flips:
                break
        cases = self._judged(sentence, flips[: self.choice.n_flips])
        return max(cases, key=lambda case: (case.score, case.text), default=None)

    def _pool(self, sentence: Sentence) -> list[tuple[int, str]]:
        """Return the exchanges that the label guard lets through, written as the words that they replace."""
        own = sentence.sample.field(sentence.field)
        pool = []
        for place, (start, end) in enumerate(sentence.positions):
            old = own[start:end]
            for word in self.words[: self.choice.n_words]:
                if word.lower() == old.lower():
                    continue
                self.n_candidates += 1
                reason = self.refusal(old.lower(), word.lower(), sentence.label)
                if reason is None:
                    pool.append((place, written_like(word, old)))
                else:
                    self.n_refused[reason] += 1
        return pool

    def _judged(self, sentence: Sentence, flips: Sequence[tuple[int, str]]) -> list[SpCase]:
        """Return flips with the joint criterion: α · cosine less β · ratio of perplexities (equation 4)."""
        if not flips:
            return []
        own = sentence.sample.field(sentence.field)
        texts = [_text(sentence, place, word) for place, word in flips]
        original, *changed = encode([own, *texts], self.resources.encoder)
        ratios = perplexity_ratios(own, texts, [place for place, _ in flips], self.resources.masked_lm)
        cases = []
        for (place, word), vector, ratio in zip(flips, changed, ratios, strict=True):
            # Rounded, so that the last bits of a machine choose no other case.
            similarity = round(float(np.dot(original, vector)), 5)
            score = self.choice.alpha * similarity - self.choice.beta * ratio
            cases.append(
                SpCase(
                    sentence=sentence,
                    position=place,
                    word=word,
                    similarity=similarity,
                    perplexity_ratio=ratio,
                    score=score,
                )
            )
        return cases


def guarded(guard: Guard) -> Refusal:
    """Return the label guard as an attack asks it: also for words that must not go, such as negations."""

    def refusal(old: str, new: str, label: int) -> str | None:
        return KEPT if is_kept(old) else guard.refusal(old, new, label=label, is_close=False)

    return refusal


def perplexity_ratios(
    original: str, texts: Sequence[str], places: Sequence[int], masked_lm: str
) -> list[float]:
    """Return for each text with one exchanged word its perplexity over that of the original."""
    before = positions_of(original)
    windows = [_window(len(before), place) for place in places]
    needed = sorted({place for window in windows for place in window})
    known = dict(zip(needed, _logs(original, [before[place] for place in needed], masked_lm), strict=True))
    gaps: list[Gap] = []
    words: list[str] = []
    for text, window in zip(texts, windows, strict=True):
        spans = positions_of(text)
        gaps += [Gap(text, *spans[place]) for place in window]
        words += [text[slice(*spans[place])] for place in window]
    logs = iter(score_words(gaps, [[word] for word in words], masked_lm))
    ratios = []
    for window in windows:
        change = sum(next(logs)[0] - known[place] for place in window)
        # A perplexity is the exponential of minus the mean over all words.
        ratios.append(round(math.exp(-change / len(before)), 5))
    return ratios


def _logs(text: str, spans: Sequence[Span], masked_lm: str) -> list[float]:
    found = score_words(
        [Gap(text, *span) for span in spans], [[text[slice(*span)]] for span in spans], masked_lm
    )
    return [each[0] for each in found]


def _window(n: int, place: int) -> range:
    return range(max(0, place - REACH), min(n, place + REACH + 1))


def _text(sentence: Sentence, place: int, word: str) -> str:
    pair = sentence.with_word(place, word)
    return (pair[0] if sentence.field == "text" else pair[1]) or ""


def written_like(word: str, old: str) -> str:
    """Return a word with the capitals of the one that it replaces."""
    if len(old) > 1 and old.isupper():
        return word.upper()
    return word[0].upper() + word[1:] if old[0].isupper() else word
