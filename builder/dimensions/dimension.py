"""What a dimension is: a name, a measure, degrees, and the operations it would do to each word."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from builder.randomness import Draw
from contract.edits import Edit, Word
from contract.manifest import Level, Measure, Tag

ALL_DEGREES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)


@dataclass(frozen=True, slots=True)
class Operation:
    """One way of changing a word: spans counted from the word's start, and their edit distance."""

    name: str
    edits: tuple[Edit, ...]
    cost: int
    slots: frozenset[int]


class Operations:
    """The operations on one word, each with the weight by which it is drawn."""

    __slots__ = ("_cumulative", "capacity", "items")

    def __init__(self, items: Sequence[Operation], weights: Sequence[float]) -> None:
        self.items = tuple(items)
        self._cumulative = list(accumulate(weights))
        self.capacity = _capacity(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def draw(self, draw: Draw) -> Operation:
        """Return one operation, drawn by weight."""
        return self.items[bisect_left(self._cumulative, draw.fraction() * self._cumulative[-1])]


def _capacity(operations: Sequence[Operation]) -> int:
    """Return how much edit distance a word can take from operations that do not overlap."""
    taken: set[int] = set()
    total = 0
    for item in sorted(operations, key=lambda item: (max(item.slots), len(item.slots))):
        if taken.isdisjoint(item.slots):
            taken |= item.slots
            total += item.cost
    return total


def operation(name: str, *edits: Edit, cost: int = 1) -> Operation:
    """Return an operation with the slots its edits take."""
    return Operation(name, edits, cost, frozenset(slot for edit in edits for slot in _slots(edit)))


def _slots(edit: Edit) -> range:
    """Return the places an edit takes: gap p is 2p, character i is 2i + 1."""
    if edit.start == edit.end:
        return range(2 * edit.start, 2 * edit.start + 1)
    return range(2 * edit.start + 1, 2 * edit.end)


# For each text, the operations on its words: called with the words, many texts at a time.
Propose = Callable[[Sequence["WordsOfText"]], Sequence[Sequence[Operations]]]


@dataclass(frozen=True, slots=True)
class WordsOfText:
    """A text with its words found."""

    text: str
    words: Sequence[Word]


@dataclass(frozen=True, kw_only=True)
class Dimension:
    """A robustness dimension with its flavour, at character or word level."""

    name: str
    summary: str
    stands_for: str
    level: Level
    tag: Tag
    measure: Measure
    degrees: tuple[float, ...]
    propose: Propose

    @property
    def is_one_operation_a_word(self) -> bool:
        """Whether a word may be changed by one operation only: so for all but malicious character edits."""
        return self.measure == "words"
