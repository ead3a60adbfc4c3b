"""Lists all choices of operations on a text where they are few, in random order: none is drawn twice."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from builder.operations.operation import Operation
from builder.searches.machinery.editable_texts import EditableText, PlacedOperation
from builder.values.randomness import Draw

# Where there are more choices than this, hardly any is drawn twice.
MOST_LISTED = 2_000


class _Chosen(NamedTuple):
    """An operation on the word with this number, and how likely it is drawn for this word."""

    word: int
    operation: Operation
    likelihood: float


class Choices:
    """All ways to change exactly so many words of a text: no word is changed by two operations."""

    def __init__(self, text: EditableText, amount: int) -> None:
        self._text = text
        self._amount = amount
        # From each word on, how many ways there are to change so many words; counted no farther than needed.
        self._n_ways: list[list[int]] = [[1, *[0] * amount]]
        n_words = len(text.operations)
        for index in reversed(range(n_words)):
            ways = [*self._n_ways[-1]]
            for length, n in Counter(item.n_words for item in text.operations[index].items).items():
                if length > amount or index + length > n_words:
                    continue
                after = self._n_ways[n_words - index - length]
                for changed, n_after in enumerate(after[: amount + 1 - length]):
                    ways[changed + length] = min(ways[changed + length] + n * n_after, MOST_LISTED + 1)
            self._n_ways.append(ways)
        self._n_ways.reverse()

    def __len__(self) -> int:
        return self._n_ways[0][self._amount]

    def in_random_order(self, draw: Draw) -> Iterator[list[PlacedOperation]]:
        """Yield every choice once, likelier ones mostly earlier.

        The order is that of drawing by weight again and again and passing over what was drawn before: each
        choice waits for a time that is exponentially distributed, the likelier the shorter.
        """
        waiting = [
            (-math.log(1.0 - draw.fraction()) / math.prod(each.likelihood for each in choice), choice)
            for choice in self._from(0, self._amount)
        ]
        waiting.sort(key=lambda pair: pair[0])
        words = self._text.words
        for _, choice in waiting:
            yield [PlacedOperation(word=words[each.word], operation=each.operation) for each in choice]

    def _from(self, index: int, room: int) -> Iterator[Sequence[_Chosen]]:
        """Yield the choices on the words from this index on that change so many words."""
        if not room:
            yield ()
            return
        if not self._n_ways[index][room]:
            return
        yield from self._from(index + 1, room)
        operations = self._text.operations[index]
        for operation, likelihood in zip(operations.items, operations.likelihoods, strict=True):
            if operation.n_words <= room and likelihood > 0:
                for others in self._from(index + operation.n_words, room - operation.n_words):
                    yield (_Chosen(index, operation, likelihood), *others)


def listed_choices(text: EditableText, amount: int) -> Choices | None:
    """Return the choices where operations are chosen word by word and are so few that all can be listed."""
    n_editable = sum(1 for of_word in text.operations if len(of_word))
    is_hopeless = not text.has_expressions and math.comb(n_editable, amount) > MOST_LISTED
    if is_hopeless or not text.dimension.is_one_operation_a_word:
        return None
    choices = Choices(text, amount)
    return choices if len(choices) <= MOST_LISTED else None
