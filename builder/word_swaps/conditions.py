"""Whether what stands beside an expression is what an entry of the thesaurus asks for."""

import re
from functools import cached_property

from builder.language.words.negations import is_negation
from builder.language.words.thesaurus import Condition
from builder.word_swaps.tagged_texts import TaggedText

# What conditions call a mark or an end of the text, and words with and without a verb of their own.
MARK, CLAUSE, PHRASE, YEAR, NOT = "^", "CLAUSE", "PHRASE", "YEAR", "not"
_YEAR = re.compile(r"1[0-9]{3}|20[0-9]{2}")
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
# Words that begin something new; "of" does not.
_BORDERS = frozenset({"IN", "CC", "TO", "WDT", "WP", "WRB"})
MOST_WORDS_OF_CLAUSE = 12


class Beside:
    """The words before and after a span of a text."""

    def __init__(self, text: TaggedText, first: int, last: int) -> None:
        self._text = text
        self._first = first
        self._last = last

    def fits(self, before: Condition, after: Condition) -> bool:
        """Whether both conditions hold."""
        return _holds(before, self._before) and _holds(after, self._after)

    @cached_property
    def _before(self) -> frozenset[str]:
        neighbours = self._text.neighbours[self._first]
        return _names(neighbours.before, neighbours.before_tag)

    @cached_property
    def _after(self) -> frozenset[str]:
        neighbours = self._text.neighbours[self._last]
        names = _names(neighbours.after, neighbours.after_tag)
        if not neighbours.after:
            return names
        return names | {CLAUSE if _has_verb(self._text, self._last + 1) else PHRASE}


def _holds(condition: Condition, names: frozenset[str]) -> bool:
    if condition.refused & names:
        return False
    return not condition.wanted or bool(condition.wanted & names)


def _names(word: str, tag: str) -> frozenset[str]:
    """Return all by which a condition may name a neighbour."""
    if not word:
        return frozenset({MARK})
    names = {word, tag, tag[:2]}
    if tag in {"PRP$", "PRP"}:
        names = {word, tag}
    if _YEAR.fullmatch(word):
        names.add(YEAR)
    if is_negation(word):
        names.add(NOT)
    return frozenset(names)


def _has_verb(text: TaggedText, start: int) -> bool:
    """Whether a verb with a subject stands before the next mark, preposition or conjunction."""
    for number in range(start, min(len(text.small), start + MOST_WORDS_OF_CLAUSE)):
        tag, word = text.tags[number], text.source.words[number].text
        if tag in _FINITE or "'" in word.strip("'\"") or "’" in word:
            return True
        is_border = tag in _BORDERS and text.small[number] != "of" and number > start
        if is_border or not text.neighbours[number].after:
            return False
    return False
