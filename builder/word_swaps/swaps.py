"""Swaps of one word in its sentence: which keep its grammar and meaning, and how they become operations."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from builder.language.substitution import Substitution
from builder.language.tagger import Token, tag
from builder.models.embedding_cache import Embedding
from builder.operations.dimension import WordsOfText
from builder.operations.operation import Operation, Operations, operation
from builder.word_swaps.whole_words import WholeWord, in_casing_of
from builder.word_swaps.word_uses import Neighbours
from contract.schema.edits import Edit

DECIMALS = 4
# Words that begin alike to this share are forms of one word, spelled or derived in another way.
MOST_ALIKE = 0.6

_ARTICLES = frozenset({"a", "an"})
_NO_OPERATIONS = Operations((), ())


class Sentence(NamedTuple):
    """The span of a text in which a word is compared with others, and where it begins in the text."""

    text: str
    start: int


class Swap(NamedTuple):
    """A form that may take the place of a word: where it comes from, and how certain it is.

    `text_number` counts the texts that are worked on together.
    """

    text_number: int
    word: WholeWord
    sentence: Sentence
    form: str
    origin: str
    certainty: float
    # How many words of the text the form replaces, from this one on.
    n_words: int = 1
    # Whether the form has its own capitals and does not take those of its word.
    is_cased: bool = False

    @property
    def original(self) -> str:
        """The word in small letters."""
        return self.word.text.lower()

    @property
    def numbers(self) -> range:
        """The numbers of the words that the form replaces."""
        return range(self.word.number, self.word.number + self.n_words)

    @property
    def substitution(self) -> Substitution:
        """The swap as the judge knows it: without an article that only changes with its word."""
        start, form = self.word.start, self.form
        article, _, rest = self.word.text.partition(" ")
        if rest and article.lower() in _ARTICLES and form.split()[0] in _ARTICLES:
            start, form = start + len(article) + 1, form.partition(" ")[2]
        return Substitution(start, self.word.end, form)

    @property
    def cased(self) -> str:
        """The form with the capitals that it has in the text."""
        return self.form if self.is_cased else in_casing_of(self.word.text, self.form)

    @property
    def result(self) -> str:
        """The sentence with the form in it."""
        text, offset = self.sentence
        return text[: self.word.start - offset] + self.cased + text[self.word.end - offset :]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordInText:
    """A word that may be replaced, with its sentence, its neighbours, and all lemmas of its text."""

    text_number: int
    word: WholeWord
    sentence: Sentence
    neighbours: Neighbours
    label: int | None
    present: frozenset[str]

    @property
    def original(self) -> str:
        """The word in small letters."""
        return self.word.text.lower()

    def swap(self, form: str, origin: str, certainty: float) -> Swap:
        """Return the swap of this word for a form."""
        return Swap(self.text_number, self.word, self.sentence, form, origin, certainty)


def of_same_tags(swaps: Sequence[Swap]) -> list[Swap]:
    """Return the swaps after which the whole sentence is tagged as before."""
    sentences = list(dict.fromkeys(swap.sentence.text for swap in swaps))
    before = dict(zip(sentences, map(_tags, tag(sentences)), strict=True))
    after = map(_tags, tag([swap.result for swap in swaps]))
    return [swap for swap, tags in zip(swaps, after, strict=True) if tags == before[swap.sentence.text]]


def _tags(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.tag for token in tokens)


def share_a_stem(one: str, other: str) -> bool:
    """Whether two words begin so much alike that they are forms of one word, spelled or derived otherwise."""
    shorter = min(len(one), len(other))
    return one[: ceil(MOST_ALIKE * shorter)] == other[: ceil(MOST_ALIKE * shorter)]


def cosine(one: Embedding, other: Embedding) -> float:
    """Return the cosine of two unit vectors, without the digits that differ between machines."""
    return round(float(one @ other), DECIMALS)


def operations_of(texts: Sequence[WordsOfText], swaps: Sequence[Swap]) -> list[list[Operations]]:
    """Return for every word of every text its swaps as operations, each form once, drawn by certainty."""
    by_word: dict[tuple[int, int], dict[str, Swap]] = {}
    for swap in swaps:
        by_word.setdefault((swap.text_number, swap.word.number), {}).setdefault(swap.form, swap)
    return [
        [
            _operations(word.start, list(by_word.get((text_number, number), {}).values()))
            for number, word in enumerate(text.words)
        ]
        for text_number, text in enumerate(texts)
    ]


def _operations(offset: int, swaps: Sequence[Swap]) -> Operations:
    """Return swaps as operations on the word that begins at the offset."""
    items: list[Operation] = []
    for swap in swaps:
        word = swap.word
        edit = Edit(word.start - offset, word.end - offset, word.text, swap.cased)
        cost = Levenshtein.distance(word.text, swap.cased)
        items.append(operation(swap.origin, edit, cost=cost, n_words=swap.n_words))
    return Operations(items, [swap.certainty for swap in swaps]) if items else _NO_OPERATIONS
