"""Linear classifiers: every word at every position, exactly and at once, since their scores are sums.

A text without one of its words has certain sums; a word that takes its place adds those of its own features
and of the pairs that it forms with its neighbours.
"""

import itertools
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from builder.singleword.matrix import Row, Votes
from builder.singleword.sentences import Sentence
from classifiers.machinery.classifier import Numbers, Probabilities
from classifiers.machinery.counting import CharacterCounter, WordCounter
from classifiers.machinery.linear import LinearForm, joined
from classifiers.machinery.probability_cache import MILLION

# Tables of words with the same marks around them that are remembered: a comma behind, quotes around.
MOST_TABLES = 64
# Substitutions on which sums are compared with the classifier's own answers.
N_COMPARED = 256


@dataclass(frozen=True)
class _Words:
    """The features that each word of the vocabulary has between the same marks."""

    # Words by features, as columns.
    counts: Any
    # What they add to the sums and to the squared length of a text that has none of them.
    sums: Numbers
    lengths: Numbers
    # For words in a text of words: the places of those that begin, and that end, with a token.
    by_first: Mapping[str, Sequence[int]]
    by_last: Mapping[str, Sequence[int]]
    # Those in which nothing counts as a word.
    empty: Sequence[int]


class LinearSums:
    """A linear classifier's answers to all substitutions of a text."""

    def __init__(self, form: LinearForm, words: Sequence[str]) -> None:
        self._form, self._words = form, words
        self._squares = np.zeros(form.weights.shape[1]) if form.squares is None else form.squares
        self._tables = lru_cache(maxsize=MOST_TABLES)(self._table)
        self._counted = np.zeros(form.weights.shape[1])
        # By each token of a pair, the other one with the number of the pair's feature.
        self._after: dict[str, list[tuple[str, int]]] = {}
        self._before: dict[str, list[tuple[str, int]]] = {}
        if isinstance(form.counter, WordCounter):
            for entry, feature in form.counter.vocabulary.items():
                left, space, right = entry.partition(" ")
                if space:
                    self._after.setdefault(left, []).append((right, feature))
                    self._before.setdefault(right, []).append((left, feature))

    def row(self, sentence: Sentence) -> Row:
        """Return the whole truth about one text."""
        is_flipped = np.zeros(len(self._words), np.bool_)
        for rows in self.answers(sentence):
            # Rounded as everywhere, so that ties are the same ones.
            is_flipped |= np.rint(rows * MILLION).argmax(axis=1) != sentence.label
        return Row(is_flipped=is_flipped, is_safe=~is_flipped)

    def answers(self, sentence: Sentence) -> Iterator[Probabilities]:
        """Yield for each position one row of probabilities a word."""
        chunks = joined(sentence.pair).lower().split()
        own = sentence.sample.field(sentence.field)
        first = 0 if sentence.field == "text" else len(sentence.sample.text.split())
        for start, end in sentence.positions:
            place = first + len(own[:start].split()) - (0 if start == 0 or own[start - 1].isspace() else 1)
            before, after = _marks_around(own, start, end)
            yield self._at(chunks, place, before.lower(), after.lower())

    def _at(self, chunks: Sequence[str], place: int, before: str, after: str) -> Probabilities:
        kept = Tally(self._features(chunks[:place]))
        kept.update(self._features(chunks[place + 1 :]))
        features = np.fromiter(kept, np.intp, len(kept))
        counts = np.fromiter(kept.values(), np.float64, len(kept))
        values = self._form.value(counts)
        table = self._tables(before, after)
        sums = table.sums + (self._form.weights[:, features] @ values)[:, None]
        lengths = table.lengths + self._squares[features] @ values**2
        self._counted[features] = counts
        self._add_shared(sums, lengths, table, features)
        self._add_pairs(sums, lengths, table, chunks[:place], chunks[place + 1 :])
        self._counted[features] = 0
        return self._form.probabilities(sums, lengths)

    def _add_shared(self, sums: Numbers, lengths: Numbers, table: _Words, features: Any) -> None:
        """Correct for features that stand in the rest of the text, too: counts are not always sums."""
        shared = table.counts[:, features].tocoo()
        which, added = features[shared.col], shared.data
        kept = self._counted[which]
        value = self._form.value
        together, apart = value(kept + added), value(kept) + value(added)
        self._add(sums, shared.row, self._form.weights[:, which] * (together - apart))
        squared = together**2 - value(kept) ** 2 - value(added) ** 2
        lengths += np.bincount(shared.row, self._squares[which] * squared, len(lengths))

    def _add_pairs(
        self, sums: Numbers, lengths: Numbers, table: _Words, left: Sequence[str], right: Sequence[str]
    ) -> None:
        """Add the pairs that words form with their neighbours."""
        if not self._after:
            return
        last = next((tokens[-1] for chunk in reversed(left) if (tokens := self._tokens(chunk))), None)
        following = next((tokens[0] for chunk in right if (tokens := self._tokens(chunk))), None)
        pairs: Tally[tuple[int, int]] = Tally()
        for token, feature in self._after.get(last or "", ()):
            pairs.update((word, feature) for word in table.by_first.get(token, ()))
            if token == following:
                pairs.update((word, feature) for word in table.empty)
        for token, feature in self._before.get(following or "", ()):
            pairs.update((word, feature) for word in table.by_last.get(token, ()))
        if not pairs:
            return
        rows, which = np.array(list(pairs), np.intp).T
        kept, added = self._counted[which], np.fromiter(pairs.values(), np.float64, len(pairs))
        value = self._form.value
        self._add(sums, rows, self._form.weights[:, which] * (value(kept + added) - value(kept)))
        squared = value(kept + added) ** 2 - value(kept) ** 2
        lengths += np.bincount(rows, self._squares[which] * squared, len(lengths))

    @staticmethod
    def _add(sums: Numbers, rows: Any, changes: Numbers) -> None:
        for place, change in enumerate(changes):
            sums[place] += np.bincount(rows, change, sums.shape[1])

    def _table(self, before: str, after: str) -> _Words:
        from scipy.sparse import csc_array  # type: ignore[import-untyped]

        chunks = [f"{before}{word.lower()}{after}" for word in self._words]
        features = [Tally(self._features([chunk])) for chunk in chunks]
        rows = np.repeat(np.arange(len(chunks)), [len(own) for own in features])
        columns = np.array([feature for own in features for feature in own], np.intp)
        counts = np.array([count for own in features for count in own.values()], np.float64)
        values = self._form.value(counts)
        sums = np.array(
            [np.bincount(rows, weights[columns] * values, len(chunks)) for weights in self._form.weights]
        )
        tokens = [self._tokens(chunk) for chunk in chunks] if self._after else []
        return _Words(
            counts=csc_array((counts, (rows, columns)), shape=(len(chunks), self._form.weights.shape[1])),
            sums=sums,
            lengths=np.asarray(
                np.bincount(rows, self._squares[columns] * values**2, len(chunks)), np.float64
            ),
            by_first=_places(own[0] if own else None for own in tokens),
            by_last=_places(own[-1] if own else None for own in tokens),
            empty=[place for place, own in enumerate(tokens) if not own],
        )

    def _features(self, chunks: Sequence[str]) -> Iterator[int]:
        """Yield the features of neighbouring chunks, as often as they have them."""
        counter = self._form.counter
        if isinstance(counter, CharacterCounter):
            entries: Iterable[str] = (entry for chunk in chunks for entry in counter.entries(chunk))
        else:
            tokens = [token for chunk in chunks for token in self._tokens(chunk)]
            entries = [*tokens, *map(" ".join, itertools.pairwise(tokens))]
        known = counter.vocabulary
        return (known[entry] for entry in entries if entry in known)

    def _tokens(self, chunk: str) -> Sequence[str]:
        counter = self._form.counter
        return counter.tokens(chunk) if isinstance(counter, WordCounter) else ()


def agrees(sums: LinearSums, sentences: Sequence[Sentence], words: Sequence[str], votes: Votes) -> bool:
    """Whether sums give the labels that the classifier itself gives, on some substitutions of each text."""
    for number, sentence in enumerate(sentences):
        rows = list(sums.answers(sentence))
        step = max(1, len(rows) * len(words) // N_COMPARED)
        codes = range(number % step, len(rows) * len(words), step)
        pairs = [divmod(code, len(words)) for code in codes]
        expected = votes([sentence.with_word(place, words[word]) for place, word in pairs])
        found = [int(np.rint(rows[place][word] * MILLION).argmax()) for place, word in pairs]
        if found != list(expected):
            return False
    return True


def _places(tokens: Iterable[str | None]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, token in enumerate(tokens):
        if token is not None:
            places.setdefault(token, []).append(place)
    return places


def _marks_around(text: str, start: int, end: int) -> tuple[str, str]:
    """Return what stands between a word's letters and the spaces around it."""
    first, last = start, end
    while first > 0 and not text[first - 1].isspace():
        first -= 1
    while last < len(text) and not text[last].isspace():
        last += 1
    return text[first:start], text[end:last]
