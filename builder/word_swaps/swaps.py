"""Swaps of one word in its sentence, and which of them keep its grammar and its meaning, says the encoder."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from builder.language.tagger import Token, tag
from builder.models.embedding_cache import Embedding
from builder.models.encoder import encode
from builder.word_swaps.whole_words import Slot, in_casing_of

DECIMALS = 4


class Sentence(NamedTuple):
    """The part of a text in which a word is judged, and where it begins there."""

    text: str
    start: int


class Swap(NamedTuple):
    """A form that may take the place of a word: where from, and how surely it is meant."""

    number: int
    slot: Slot
    sentence: Sentence
    form: str
    source: str
    certainty: float

    @property
    def original(self) -> str:
        """The word in small letters."""
        return self.slot.text.lower()

    @property
    def result(self) -> str:
        """The sentence with the form in it."""
        text, offset = self.sentence
        cased = in_casing_of(self.slot.text, self.form)
        return text[: self.slot.start - offset] + cased + text[self.slot.end - offset :]


# How far a sentence may go, as 1 − cosine: one word of few weighs more than one of many.
MOST_FAR_TIMES_WORDS = 1.1
LEAST_FAR, MOST_FAR = 0.04, 0.3
# The least cosine of the two words alone.
LEAST_OF_WORDS = 0.55
# Words that begin alike to this share are forms of one word, spelled or derived in another way.
MOST_ALIKE = 0.6


def judge(swaps: Sequence[Swap]) -> list[Swap]:
    """Return the swaps after which the sentence is tagged as before and is about the same."""
    found = of_same_tags([swap for swap in swaps if not are_kin(swap.original, swap.form)])
    words = sorted({word for swap in found for word in (swap.original, swap.form)})
    vectors = dict(zip(words, encode(words), strict=True))
    found = [swap for swap in found if cosine(vectors[swap.original], vectors[swap.form]) >= LEAST_OF_WORDS]
    before = encode([swap.sentence.text for swap in found])
    after = encode([swap.result for swap in found])
    return [
        swap
        for swap, one, two in zip(found, before, after, strict=True)
        if cosine(one, two) >= 1 - most_far(len(swap.sentence.text.split()))
    ]


def most_far(n_words: int) -> float:
    """Return how far a sentence of so many words may go when one of them is swapped."""
    return min(MOST_FAR, max(LEAST_FAR, MOST_FAR_TIMES_WORDS / n_words))


def are_kin(one: str, other: str) -> bool:
    """Whether two words share so much of their beginning that they are one word in two guises."""
    shorter = min(len(one), len(other))
    return one[: ceil(MOST_ALIKE * shorter)] == other[: ceil(MOST_ALIKE * shorter)]


def cosine(one: Embedding, two: Embedding) -> float:
    """Return the cosine of two unit vectors, without the digits that differ between machines."""
    return round(float(one @ two), DECIMALS)


def of_same_tags(swaps: Sequence[Swap]) -> list[Swap]:
    """Return the swaps after which the whole sentence is tagged as before."""
    sentences = list(dict.fromkeys(swap.sentence.text for swap in swaps))
    before = dict(zip(sentences, map(_tags, tag(sentences)), strict=True))
    after = map(_tags, tag([swap.result for swap in swaps]))
    return [swap for swap, tags in zip(swaps, after, strict=True) if tags == before[swap.sentence.text]]


def _tags(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.tag for token in tokens)
