"""Counts words or characters in texts, fast where many texts share most of their words.

An attack asks about thousands of texts that differ in one word, so the features of a word are found once:
counts = (which units a text has) × (which features a unit has), a product of two sparse matrices. A unit is
what stands between spaces or, for pairs of words, two neighbours. Equal to scikit-learn's vectorizers.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Units remembered; with 50 features each some 25 MB at most.
MOST_UNITS = 50_000
TEXTS_AT_A_TIME = 2048

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Units:
    """The units of some texts one after the other, and where each text's begin."""

    units: Integers
    starts: Integers


class _Numbers(dict[Any, int]):
    """The number of each key; a function gives the number of a key that is new."""

    def __init__(self, add: Callable[[Any], int]) -> None:
        super().__init__()
        self._add = add

    def __missing__(self, thing: Any) -> int:
        number = self[thing] = self._add(thing)
        return number


class Counter(ABC):
    """Turns texts into a sparse matrix of counts, one row a text and one column a feature."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self.vocabulary = vocabulary
        self._forget()

    def batches(self, texts: Sequence[str]) -> Iterable[Any]:
        """Yield the counts of some texts after the other, as sparse rows without duplicates."""
        for start in range(0, len(texts), TEXTS_AT_A_TIME):
            if len(self._starts) > MOST_UNITS:
                self._forget()
            yield self._counts(self._units_of(texts[start : start + TEXTS_AT_A_TIME]))

    @abstractmethod
    def _units_of(self, texts: Sequence[str]) -> _Units:
        """Return the units of texts."""

    def _forget(self) -> None:
        self._starts = [0]
        self._features: list[int] = []

    def _add_unit(self, entries: Iterable[str]) -> int:
        """Return the number of a new unit with those of the entries that are in the vocabulary."""
        known = map(self.vocabulary.get, entries)
        self._features += [feature for feature in known if feature is not None]
        self._starts.append(len(self._features))
        return len(self._starts) - 2

    def _counts(self, texts: _Units) -> Any:
        from scipy.sparse import csr_array  # type: ignore[import-untyped]

        used, columns = np.unique(texts.units, return_inverse=True)
        of_texts = csr_array(
            (np.ones(len(columns)), columns, texts.starts), shape=(len(texts.starts) - 1, len(used))
        )
        features: list[int] = []
        starts = [0]
        for unit in used.tolist():
            features += self._features[self._starts[unit] : self._starts[unit + 1]]
            starts.append(len(features))
        of_units = csr_array(
            (np.ones(len(features)), features, starts), shape=(len(used), len(self.vocabulary))
        )
        return of_texts @ of_units


class CharacterCounter(Counter):
    """Counts runs of characters inside words, as scikit-learn's `char_wb` does."""

    def __init__(self, vocabulary: Mapping[str, int], analyse: Callable[[str], Sequence[str]]) -> None:
        self._analyse = analyse
        super().__init__(vocabulary)

    def entries(self, chunk: str) -> Sequence[str]:
        """Return the runs of characters of what stands between two spaces, in small letters."""
        return self._analyse(chunk)

    def _forget(self) -> None:
        super()._forget()
        self._words = _Numbers(lambda word: self._add_unit(self._analyse(word)))

    def _units_of(self, texts: Sequence[str]) -> _Units:
        return _numbered(self._words, texts)


class WordCounter(Counter):
    """Counts words and pairs of neighbours, as scikit-learn's `word` with n-grams up to 2 does."""

    def __init__(self, vocabulary: Mapping[str, int], tokenise: Callable[[str], Sequence[str]]) -> None:
        self._tokenise = tokenise
        super().__init__(vocabulary)

    def tokens(self, chunk: str) -> Sequence[str]:
        """Return the words of what stands between two spaces, in small letters."""
        return self._tokenise(chunk)

    def _forget(self) -> None:
        super()._forget()
        self._chunks = _Numbers(self._add_chunk)
        self._tokens: dict[str, int] = {}
        self._token_list: list[str] = []
        # What stands between spaces may hold no token or several: its unit, its first token and its last.
        self._of_chunk: list[tuple[int, int, int]] = []
        self._pairs = _Numbers(
            lambda pair: self._add_unit([f"{self._token_list[pair[0]]} {self._token_list[pair[1]]}"])
        )

    def _add_chunk(self, chunk: str) -> int:
        tokens = self._tokenise(chunk)
        numbers = [self._number_of(token) for token in tokens]
        pairs = [f"{left} {right}" for left, right in pairwise(tokens)]
        unit = self._add_unit([*tokens, *pairs])
        self._of_chunk.append((unit, numbers[0], numbers[-1]) if numbers else (unit, -1, -1))
        return len(self._of_chunk) - 1

    def _number_of(self, token: str) -> int:
        if token not in self._tokens:
            self._tokens[token] = len(self._token_list)
            self._token_list.append(token)
        return self._tokens[token]

    def _units_of(self, texts: Sequence[str]) -> _Units:
        chunks = _numbered(self._chunks, texts)
        used, places = np.unique(chunks.units, return_inverse=True)
        table = np.array([self._of_chunk[chunk] for chunk in used.tolist()], np.int64).reshape(-1, 3)
        unit, first, last = table[places].T
        row = np.repeat(np.arange(len(texts)), np.diff(chunks.starts))
        # Neighbours are those of the chunks that hold a token.
        held = np.flatnonzero(first >= 0)
        left, right = held[:-1], held[1:]
        is_pair = row[left] == row[right]
        left, right = left[is_pair], right[is_pair]
        codes, which = np.unique(last[left] * len(self._token_list) + first[right], return_inverse=True)
        pairs = [divmod(code, len(self._token_list)) for code in codes.tolist()]
        pair_units = np.array([self._pairs[pair] for pair in pairs], np.int64)[which]
        rows = np.concatenate([row, row[right]])
        order = np.argsort(rows, kind="stable")
        n_units = np.bincount(rows, minlength=len(texts))
        return _Units(np.concatenate([unit, pair_units])[order], np.concatenate([[0], np.cumsum(n_units)]))


def _numbered(numbers: _Numbers, texts: Sequence[str]) -> _Units:
    """Return the numbers of what stands between the spaces of texts."""
    found: list[int] = []
    starts = [0]
    for text in texts:
        found += map(numbers.__getitem__, text.lower().split())
        starts.append(len(found))
    return _Units(np.array(found, np.int64), np.array(starts, np.int64))
