"""Texts with all that a swap looks at: tags, neighbours, lemmas, fixed phrases, sentences."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from builder.language.sentences.contexts import Context, contexts_of
from builder.language.tagger import tag_words
from builder.language.wordnet.phrases import words_in_phrases
from builder.language.words.word_families import lemmas_or_itself
from builder.operations.dimension import WordsOfText
from builder.word_swaps.swaps import Sentence
from builder.word_swaps.whole_words import WholeWord, whole_words_of
from builder.word_swaps.word_uses import Neighbours, neighbours_of, words_in

# So many words on either side are near; of grammatical words, which stand everywhere, only the next ones.
NEAR = 6
GRAMMAR = words_in(
    """
    a about after again all am an and any are as at away back be been before being but by can could did do
    does down even for from get had has have he her here him his how i if in into is it its just let like
    make me more most much my no not now of off on one only or other our out over own she should so some such
    take than that the their them then there these they this through to too up us very was we well were what
    when where which who why will with would you your
    """
)
# A title has at most so many words.
LONGEST_TITLE = 6
_QUOTED = re.compile(r"[\"“]([^\"“”]{1,60})[\"”]|``([^`']{1,60})''")


@dataclass(frozen=True, kw_only=True)
class TaggedText:
    """A text, and for each of its words what is known of it."""

    number: int
    source: WordsOfText
    # Small letters, without marks around.
    small: Sequence[str]
    tags: Sequence[str]
    whole_words: Mapping[int, WholeWord]
    neighbours: Sequence[Neighbours]
    contexts: Sequence[Context]

    @cached_property
    def lemmas(self) -> list[frozenset[str]]:
        """All that each word may be a form of, and the word."""
        return [lemmas_or_itself(word) for word in self.small]

    @cached_property
    def present(self) -> frozenset[str]:
        """All lemmas of the text."""
        return frozenset[str]().union(*self.lemmas)

    @cached_property
    def in_phrases(self) -> set[int]:
        """The numbers of the words that mean something only together with others."""
        return words_in_phrases(self.small)

    @cached_property
    def in_titles(self) -> set[int]:
        """The numbers of the words in short quotations that have a capital."""
        numbers: set[int] = set()
        for match in _QUOTED.finditer(self.source.text):
            inside = [
                number
                for number, word in enumerate(self.source.words)
                if word.start >= match.start() and word.end <= match.end()
            ]
            if len(inside) <= LONGEST_TITLE and not match.group().islower():
                numbers.update(inside)
        return numbers

    def sentence(self, number: int) -> Sentence:
        """Return the sentence of a word."""
        start, end = self.contexts[number]
        return Sentence(self.source.text[start:end], start)

    def near(self, first: int, last: int) -> frozenset[str]:
        """Return the lemmas that stand near the words from the first to the last."""
        before, after = self.lemmas[max(0, first - NEAR) : first], self.lemmas[last + 1 : last + 1 + NEAR]
        content = frozenset[str]().union(*before, *after) - GRAMMAR
        return content.union(*before[-1:], *after[:1])


def tagged_texts(texts: Sequence[WordsOfText]) -> Iterator[TaggedText]:
    """Yield the texts with what is known of their words."""
    tagged = tag_words([text.text for text in texts])
    for number, (text, cores) in enumerate(zip(texts, tagged, strict=True)):
        yield TaggedText(
            number=number,
            source=text,
            small=[
                (word.text if core is None else core.text).lower()
                for word, core in zip(text.words, cores, strict=True)
            ],
            tags=["" if core is None else core.tag for core in cores],
            whole_words={word.number: word for word in whole_words_of(text, cores)},
            neighbours=neighbours_of(text, cores),
            contexts=contexts_of(text.text, text.words),
        )
