"""Edits: spans of the original text and what stands there instead, counted in code points."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(r"\S+")


class Edit(NamedTuple):
    """Original[start:end] was replaced; start equals end where text was inserted.

    A tuple, because a build makes and sorts millions of them.
    """

    start: int
    end: int
    original: str
    replacement: str

    def shifted(self, offset: int) -> "Edit":
        """Return the same edit counted from another origin."""
        return Edit(self.start + offset, self.end + offset, self.original, self.replacement)


class Word(NamedTuple):
    """A whitespace-delimited token that contains a letter or digit, with its place in the text."""

    start: int
    end: int
    text: str


def words_of(text: str) -> list[Word]:
    """Return the words of a text, which are what N counts."""
    return [
        Word(match.start(), match.end(), match.group())
        for match in _TOKEN.finditer(text)
        if any(character.isalnum() for character in match.group())
    ]


def apply_edits(original: str, edits: Iterable[Edit]) -> str:
    """Return the text that the edits make of the original; edits that overlap or lie are refused."""
    pieces = []
    position = 0
    for edit in sorted(edits):
        if edit.start < position or original[edit.start : edit.end] != edit.original:
            raise ValueError(f"{edit} does not fit the original at {position}")
        pieces += [original[position : edit.start], edit.replacement]
        position = edit.end
    pieces.append(original[position:])
    return "".join(pieces)


def touched_words(words: Sequence[Word], edits: Iterable[Edit]) -> set[int]:
    """Return the indices of the words that the edits touch; an insertion touches the words it adjoins."""
    ends = [word.end for word in words]
    return {index for edit in edits for index in _touched_by(words, ends, edit)}


def _touched_by(words: Sequence[Word], ends: Sequence[int], edit: Edit) -> range:
    """Return the indices of the words that one edit touches; `ends` are where the words end."""
    is_insertion = edit.start == edit.end
    first = bisect_left(ends, edit.start) if is_insertion else bisect_right(ends, edit.start)
    index = first
    while index < len(words) and (words[index].start < edit.end or words[index].start == edit.start):
        index += 1
    return range(first, index)


def changed_words(original: str, edits: Sequence[Edit]) -> list[tuple[str, str]]:
    """Return each word that edits inside words touch, as it was and as it is now.

    An edit that joins words is inside none of them.
    """
    words, ends = _words_and_ends(original)
    by_word: dict[int, list[Edit]] = {}
    for edit in edits:
        touched = _touched_by(words, ends, edit)
        for index in touched if len(touched) == 1 else ():
            by_word.setdefault(index, []).append(edit.shifted(-words[index].start))
    return [
        (words[index].text, apply_edits(words[index].text, own)) for index, own in sorted(by_word.items())
    ]


@lru_cache(maxsize=64)
def _words_and_ends(text: str) -> tuple[list[Word], list[int]]:
    """Return the words of a text and where they end; the cases of a text come one after the other."""
    words = words_of(text)
    return words, [word.end for word in words]
