"""SP-Defense: training texts in which one word is exchanged, so that a classifier learns to rely on none.

Section 5 of the paper on single-word perturbations: exchanges at random, by gradients (equation 5) and for
words typical of other classes (equation 6); half of all texts by gradients. Beside them two baselines:
`random` alone, and one like A2T, which exchanges several words for near ones.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from builder.singleword.sentences import Sentence
from builder.values.randomness import Draw
from builder.values.samples import Sample
from classifiers.machinery.classifier import Numbers
from classifiers.machinery.single_words import WordScorer
from contract.machine.registry import Registry

# By so much the logarithm of a word's frequency must be higher in another class.
LEAST_DIFFERENCE = 1.0
# The baseline like A2T: of all words at most this share is exchanged, each for one of so many near ones.
A2T_SHARE, A2T_NEAR = 0.2, 20


@dataclass(frozen=True)
class Augmenter:
    """Makes one changed text of each training text; gradients are those of a classifier trained before.

    The paper takes new gradients in every iteration; here a classifier is trained, texts are changed against
    it, and another is trained on both, so that any kind of classifier can be defended.
    """

    words: Sequence[str]
    # None: only what needs no gradients.
    scorer: WordScorer | None
    special: Mapping[int, Sequence[str]]
    seed: int = 0

    def random(self, sentence: Sentence) -> str:
        """Return the text with a random word in a random place."""
        draw = self._draw(sentence, "random")
        return _changed(sentence, draw.below(len(sentence.positions)), draw.choice(self.words))

    def special_word(self, sentence: Sentence) -> str:
        """Return the text with a word of other classes in a random place; as it is where there is none."""
        words = self.special.get(sentence.label, ())
        draw = self._draw(sentence, "special")
        if not words:
            return sentence.sample.field(sentence.field)
        return _changed(sentence, draw.below(len(sentence.positions)), draw.choice(words))

    def gradient(self, sentence: Sentence) -> str:
        """Return the text with the exchange that lowers the true label's probability most, to first order."""
        place, word = divmod(int(self._estimates(sentence).argmin()), len(self.words))
        return _changed(sentence, place, self.words[word])

    def sp_defense(self, sentence: Sentence) -> str:
        """Return what SP-Defense trains on: half by gradients, else unchanged, random, or a special word."""
        draw = self._draw(sentence, "scheme")
        if draw.fraction() < 0.5:
            return self.gradient(sentence)
        others: list[Callable[[Sentence], str]] = [_as_it_is, self.random, self.special_word]
        return draw.choice(others)(sentence)

    def a2t_like(self, sentence: Sentence) -> str:
        """Return the text with a few words exchanged for near ones, those first that hurt most."""
        estimates = self._estimates(sentence)
        own = sentence.sample.field(sentence.field)
        found: list[tuple[float, int, str]] = []
        for place, (start, end) in enumerate(sentence.positions):
            near = self._near.get(own[start:end].lower(), ())
            if near:
                best = min(near, key=lambda word: (estimates[place, word], word))
                found.append((float(estimates[place, best]), place, self.words[best]))
        n_changed = math.ceil(A2T_SHARE * len(sentence.positions))
        text = own
        # From the end, so that earlier places stay where they are.
        for _, place, word in sorted(sorted(found)[:n_changed], key=lambda each: -each[1]):
            start, end = sentence.positions[place]
            text = text[:start] + word + text[end:]
        return text

    def _estimates(self, sentence: Sentence) -> Numbers:
        """Return the first-order estimates of equation 5; a word in its own place changes nothing."""
        if self.scorer is None:
            raise ValueError("this scheme needs the gradients of a classifier")
        found = np.round(
            self.scorer.unmasked(sentence.pair, sentence.positions, sentence.label, sentence.field), 5
        )
        own = sentence.sample.field(sentence.field)
        for place, (start, end) in enumerate(sentence.positions):
            number = self._numbers.get(own[start:end].lower())
            if number is not None:
                found[place, number] = np.inf
        return found

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _near(self) -> dict[str, list[int]]:
        """The nearest words of each word by the classifier's own embeddings."""
        if self.scorer is None:
            return {}
        vectors = self.scorer.inside / np.maximum(
            np.linalg.norm(self.scorer.inside, axis=1, keepdims=True), 1e-9
        )
        near = {}
        for word, number in self._numbers.items():
            order = np.argsort(-(vectors @ vectors[number]), kind="stable")[: A2T_NEAR + 1]
            near[word] = [int(other) for other in order if other != number]
        return near

    def _draw(self, sentence: Sentence, what: str) -> Draw:
        return Draw("sp-defense", what, self.seed, sentence.sample.id)


def special_words(samples: Sequence[Sample]) -> dict[int, list[str]]:
    """Return for each label the words that are e times as frequent in some other label (equation 6)."""
    counts: dict[int, Counter[str]] = {}
    for sample in samples:
        of_label = counts.setdefault(sample.label, Counter())
        text = f"{sample.text} {sample.text_pair or ''}"
        of_label.update(word for word in text.lower().split() if word.isalpha())
    totals = {label: max(1, of_label.total()) for label, of_label in counts.items()}

    def frequency(word: str, label: int) -> float:
        n = counts[label][word]
        # A word that a label does not have is more frequent in any that has it.
        return math.log(n / totals[label]) if n else -math.inf

    known = sorted({word for of_label in counts.values() for word in of_label})
    return {
        label: [
            word
            for word in known
            if max((frequency(word, other) for other in counts if other != label), default=-math.inf)
            - LEAST_DIFFERENCE
            > frequency(word, label)
        ]
        for label in sorted(counts)
    }


@dataclass(frozen=True, kw_only=True)
class Scheme:
    """One way of making training texts."""

    name: str
    summary: str
    change: Callable[[Augmenter, Sentence], str]


SCHEMES: Registry[Scheme] = Registry(
    "scheme",
    [
        Scheme(name="random", summary="a random word in a random place", change=Augmenter.random),
        Scheme(
            name="a2t-like",
            summary="a few words exchanged for near ones, by gradients",
            change=Augmenter.a2t_like,
        ),
        Scheme(
            name="sp-defense",
            summary="half by gradients, else unchanged, random, or a word of another class",
            change=Augmenter.sp_defense,
        ),
    ],
)


def _changed(sentence: Sentence, place: int, word: str) -> str:
    pair = sentence.with_word(place, word)
    return (pair[0] if sentence.field == "text" else pair[1]) or ""


def _as_it_is(sentence: Sentence) -> str:
    return sentence.sample.field(sentence.field)
