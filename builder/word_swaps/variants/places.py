"""The words of a text as they are written, without the marks around them, and what stands beside them."""

import re
from functools import cached_property
from typing import NamedTuple

from builder.word_swaps.swaps import Swap
from builder.word_swaps.tagged_texts import TaggedText
from builder.word_swaps.whole_words import WholeWord

_AROUND_BEFORE = "\"'“‘([{*`"
_AROUND_AFTER = "\"'”’)]}*,;:!?…"
# A text in which marks and clitics stand alone, as treebanks have them.
_CUT_APART = re.compile(r"\s(?:n't|'s|'re|'ve|'ll|'m|[.,!?])(?:\s|$)")


class Variant(NamedTuple):
    """Words from the first to before the end, where they begin and end in the text, and another writing."""

    first: int
    end: int
    start: int
    stop: int
    form: str
    certainty: float = 1.0


class Bare(NamedTuple):
    """A word without the marks around it; a dot at its end is part of it."""

    start: int
    end: int
    text: str

    @property
    def undotted(self) -> "Bare":
        """The same without the dot at its end."""
        return Bare(self.start, self.end - 1, self.text[:-1]) if self.text.endswith(".") else self


class Places:
    """A text, asked word by word; numbers outside of it have an empty word."""

    def __init__(self, text: TaggedText) -> None:
        self._text = text
        self._words = text.source.words
        self.n_words = len(self._words)

    @cached_property
    def bare(self) -> list[Bare]:
        """All words without the marks around them."""
        bare = []
        for word in self._words:
            left = len(word.text) - len(word.text.lstrip(_AROUND_BEFORE))
            # "'s" and "'re" that stand alone begin with an apostrophe.
            left = 0 if word.text[0] in "'’" and word.text[1:2].isalpha() else left
            text = word.text[left:].rstrip(_AROUND_AFTER)
            bare.append(Bare(word.start + left, word.start + left + len(text), text))
        return bare

    @cached_property
    def is_cut_apart(self) -> bool:
        """Whether clitics stand alone in this text: do n't, it 's."""
        return bool(_CUT_APART.search(self._text.source.text))

    def raw(self, number: int) -> str:
        """Return a word as it is written, without marks around it."""
        return self.bare[number].text if 0 <= number < self.n_words else ""

    def small(self, number: int) -> str:
        """Return a word in small letters, with a straight apostrophe."""
        return self.raw(number).lower().replace("’", "'")

    def tag(self, number: int) -> str:
        """Return the tag of a word's core; empty where it has none."""
        return self._text.tags[number] if 0 <= number < self.n_words else ""

    def is_joined(self, number: int) -> bool:
        """Whether only space stands between a word and the next one; a dot of an abbreviation may."""
        if not 0 <= number < self.n_words - 1:
            return False
        between = self._text.source.text[self.bare[number].end : self.bare[number + 1].start]
        return between.isspace()

    def before(self, number: int) -> str:
        """Return the word before in small letters; empty where a mark or an edge stands there."""
        return self.small(number - 1) if self.is_joined(number - 1) else ""

    def after(self, number: int) -> str:
        """Return the word after in small letters; empty where a mark or an edge stands there."""
        return self.small(number + 1) if self.is_joined(number) else ""

    def tag_before(self, number: int) -> str:
        """Return the tag of the word before; empty where a mark or an edge stands there."""
        return self.tag(number - 1) if self.is_joined(number - 1) else ""

    def tag_after(self, number: int) -> str:
        """Return the tag of the word after; empty where a mark or an edge stands there."""
        return self.tag(number + 1) if self.is_joined(number) else ""

    def is_name_at(self, number: int) -> bool:
        """Whether a word has a capital."""
        return self.raw(number)[:1].isupper()

    def begins(self, number: int) -> bool:
        """Whether a word begins a text or a sentence."""
        start = self.bare[number].start
        before = self._text.source.text[:start].rstrip(_AROUND_BEFORE + " \n\t")
        return not before or before[-1] in ".!?:;"

    def variant(self, first: int, last: int, form: str, certainty: float = 1.0) -> Variant:
        """Return another writing of the words from the first to the last."""
        return Variant(first, last + 1, self.bare[first].start, self.bare[last].end, form, certainty)

    def undotted(self, number: int, form: str) -> Variant:
        """Return another writing of a word without the dot at its end, which ends the sentence, too."""
        return Variant(number, number + 1, self.bare[number].start, self.bare[number].undotted.end, form)

    def swap(self, variant: Variant, origin: str) -> Swap:
        """Return another writing as a swap that keeps its own capitals."""
        text = self._text
        original = text.source.text[variant.start : variant.stop]
        word = WholeWord(variant.first, variant.start, variant.stop, original, text.tags[variant.first])
        return Swap(
            text_number=text.number,
            word=word,
            sentence=text.sentence(variant.first),
            form=variant.form,
            origin=origin,
            certainty=variant.certainty,
            n_words=variant.end - variant.first,
            is_cased=True,
        )


def as_cased(model: str, form: str) -> str:
    """Return a form with the capital that its model begins with, or all in capitals as the model is."""
    if len(model) > 2 and model.isupper():
        return form.upper()
    return f"{form[:1].upper()}{form[1:]}" if model[:1].isupper() else form
