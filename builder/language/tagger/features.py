"""The features of the tagger: attributes of a piece and its neighbours, hashed to numbers."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

UnsignedArray = npt.NDArray[np.uint64]
IntArray = npt.NDArray[np.int64]

# How many bits of a feature's hash are used at most: by the record of the features that training kept.
KEY_BITS = 22
# How far a feature looks to either side.
REACH = 2
# Longer sentences, which are mostly lists, are cut.
LONGEST_SENTENCE = 128
# Stands before the first and after the last piece of a sentence.
PAD = "\0"

_DIGIT = re.compile(r"\d")
_SENTENCE_END = re.compile(r"[.?!]+")
_LONGEST_SHAPE = 6


class LexiconEntry(NamedTuple):
    """What the lexicon lists for a word: the tags it can have, and its cluster of similar words."""

    tags: str
    cluster: str


UNKNOWN = LexiconEntry("?", "?")


ATTRIBUTES = ("word", "last 1", "last 2", "last 3", "last 4", "first 3", "shape", "tags", "cluster")


def attributes_of(piece: str, lexicon: Mapping[str, LexiconEntry]) -> tuple[str, ...]:
    """Return the attributes of a piece by itself, in the order of ATTRIBUTES."""
    word = _DIGIT.sub("0", piece.lower())
    entry = lexicon.get(word, UNKNOWN)
    endings = (word[-length:] for length in range(1, 5))
    return (word, *endings, word[:3], _shape(piece), entry.tags, entry.cluster)


class AttributeAt(NamedTuple):
    """An attribute of the piece at an offset from the one to be tagged."""

    attribute: str
    offset: int


# Each feature joins some attributes at some offsets; chosen on the treebank's development portion.
TEMPLATES: tuple[tuple[AttributeAt, ...], ...] = (
    *((AttributeAt("word", offset),) for offset in range(-REACH, REACH + 1)),
    *((AttributeAt(name, 0),) for name in ("last 1", "last 2", "last 3", "last 4", "first 3")),
    *((AttributeAt("shape", offset),) for offset in (-1, 0, 1)),
    (AttributeAt("shape", 0), AttributeAt("word", -1)),
    (AttributeAt("shape", 0), AttributeAt("shape", 1)),
    (AttributeAt("word", -1), AttributeAt("word", 0)),
    (AttributeAt("word", 0), AttributeAt("word", 1)),
    *((AttributeAt("cluster", offset),) for offset in (-1, 0, 1)),
    *((AttributeAt("tags", offset),) for offset in (-1, 0, 1)),
    (AttributeAt("tags", -1), AttributeAt("tags", 0)),
    (AttributeAt("tags", 0), AttributeAt("tags", 1)),
    (AttributeAt("tags", -1), AttributeAt("tags", 0), AttributeAt("tags", 1)),
    (AttributeAt("tags", 0), AttributeAt("word", -1)),
    (AttributeAt("tags", 0), AttributeAt("word", 1)),
)


class Vocabulary:
    """Every different piece seen so far, by number, with the hashes of its attributes."""

    def __init__(self, lexicon: Mapping[str, LexiconEntry]) -> None:
        self._lexicon = lexicon
        self._numbers: dict[str, int] = {}
        self._rows: list[list[int]] = []
        self._table = np.zeros((len(ATTRIBUTES), 0), dtype=np.uint64)
        self.pad = self.number(PAD)

    def __len__(self) -> int:
        return len(self._rows)

    def number(self, piece: str) -> int:
        """Return the number of a piece."""
        number = self._numbers.get(piece)
        if number is not None:
            return number
        attributes = attributes_of(piece, self._lexicon)
        self._rows.append(
            [stable_hash(name, value) for name, value in zip(ATTRIBUTES, attributes, strict=True)]
        )
        return self._numbers.setdefault(piece, len(self._rows) - 1)

    def hashes(self, attribute: str) -> UnsignedArray:
        """Return an attribute's hash for every piece, by number."""
        n_known = self._table.shape[1]
        if n_known < len(self._rows):
            fresh = np.array(self._rows[n_known:], dtype=np.uint64)
            self._table = np.concatenate([self._table, fresh.T], axis=1)
        hashes: UnsignedArray = self._table[ATTRIBUTES.index(attribute)]
        return hashes


def split_sentences(pieces: Sequence[str]) -> list[Sequence[str]]:
    """Return the pieces of a text, cut after every full stop, question or exclamation mark."""
    sentences: list[Sequence[str]] = []
    start = 0
    for end, piece in enumerate(pieces, start=1):
        is_end = piece[0] in ".?!" and _SENTENCE_END.fullmatch(piece)
        if is_end or end == len(pieces) or end - start == LONGEST_SENTENCE:
            sentences.append(pieces[start:end])
            start = end
    return sentences


def feature_keys(vocabulary: Vocabulary, sentences: Sequence[Sequence[str]]) -> IntArray:
    """Return the features of every piece, one column a template, as numbers below 2 ** KEY_BITS."""
    numbers = np.array([vocabulary.number(piece) for pieces in sentences for piece in pieces], dtype=np.int64)
    lengths = np.array([len(pieces) for pieces in sentences], dtype=np.int64)
    cases = np.repeat(np.array([_letter_case(pieces) for pieces in sentences], dtype=np.uint64), lengths)
    at_offset = _neighbours(numbers, np.repeat(np.arange(len(lengths)), lengths), vocabulary.pad)
    keys = np.empty((len(numbers), len(TEMPLATES)), dtype=np.int64)
    for column, template in enumerate(TEMPLATES):
        state = np.full(len(numbers), stable_hash("template", str(column)), dtype=np.uint64)
        for looked_at in template:
            state = _mix(state, vocabulary.hashes(looked_at.attribute)[at_offset[looked_at.offset]])
        # A capital means little where all letters are capitals, or none.
        if template[0] == AttributeAt("shape", 0):
            state = _mix(state, cases)
        keys[:, column] = state >> np.uint64(64 - KEY_BITS)
    return keys


def _neighbours(numbers: IntArray, sentences: IntArray, pad: int) -> dict[int, IntArray]:
    """Return for each offset the piece that stands there from each piece, within its sentence."""
    at_offset = {}
    for offset in range(-REACH, REACH + 1):
        index = np.arange(len(numbers)) + offset
        inside = (index >= 0) & (index < len(numbers))
        index[~inside] = 0
        inside &= sentences[index] == sentences
        at_offset[offset] = np.where(inside, numbers[index], pad)
    return at_offset


def _letter_case(pieces: Sequence[str]) -> int:
    """Return 0 for a sentence without capitals, 1 for one in capitals, 2 for any other."""
    text = "".join(pieces)
    return 0 if text == text.lower() else 1 if text == text.upper() else 2


def stable_hash(name: str, value: str) -> int:
    """Return a 64-bit hash of a name and a value, the same on all machines."""
    content = f"{name}\0{value}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "little")


def _mix(state: UnsignedArray, value: UnsignedArray) -> UnsignedArray:
    """Return the state mixed with a value; products wrap around."""
    mixed = (state ^ value) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    return mixed * np.uint64(0xBF58476D1CE4E5B9)


def _shape(piece: str) -> str:
    """Return X for capitals, x for small letters, d for digits, each run once, and marks as they are."""
    shape = ""
    for character in piece:
        if character.isupper():
            kind = "X"
        elif character.islower():
            kind = "x"
        else:
            kind = "d" if character.isdigit() else character
        if not shape.endswith(kind):
            shape += kind
        if len(shape) == _LONGEST_SHAPE:
            break
    return shape
