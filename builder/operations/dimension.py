"""What a dimension is: a name, a measure, degrees, and how it changes words or rewrites texts."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, compress, pairwise
from typing import ClassVar, NamedTuple

from builder.models.resources import ResourceName, Resources
from builder.values.randomness import Draw
from contract.schema.edits import Edit, Word
from contract.schema.manifest import DegreeKind, Level, Measure, Tag

ALL_DEGREES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)


class Operation(NamedTuple):
    """One way of changing a word: spans counted from the word's start, and their edit distance.

    `slots` has a bit set for each place its edits take; a tuple, because a word has a hundred of them.
    """

    name: str
    edits: tuple[Edit, ...]
    cost: int
    slots: int


class Operations:
    """The operations on one word, each with the weight by which it is drawn."""

    __slots__ = ("_cumulative", "capacity", "items")

    def __init__(self, items: Sequence[Operation], weights: Sequence[float]) -> None:
        self.items = tuple(items)
        self._cumulative = array("d", accumulate(weights))
        self.capacity = _capacity(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def draw(self, draw: Draw) -> Operation:
        """Return one operation, drawn by weight."""
        return self.items[bisect_left(self._cumulative, draw.fraction() * self._cumulative[-1])]

    def only(self, is_kept: Callable[[Operation], bool]) -> "Operations":
        """Return the operations that are kept, with their weights; nearly always that is all of them."""
        kept = [is_kept(item) for item in self.items]
        if all(kept):
            return self
        weights = [after - before for before, after in pairwise([0.0, *self._cumulative])]
        fewer = Operations([*compress(self.items, kept)], [*compress(weights, kept)])
        fewer.capacity = min(self.capacity, fewer.capacity)
        return fewer


def _capacity(operations: Sequence[Operation]) -> int:
    """Return how much edit distance a word can take from operations that do not overlap."""
    taken = total = 0
    # The operation that ends first leaves the most room for others.
    for slots, cost in sorted({(item.slots, item.cost) for item in operations}):
        if not taken & slots:
            taken |= slots
            total += cost
    return total


def operation(name: str, *edits: Edit, cost: int = 1) -> Operation:
    """Return an operation with the slots its edits take."""
    first, *others = edits
    slots = _slots(first.start, first.end)
    for edit in others:
        slots |= _slots(edit.start, edit.end)
    return Operation(name, edits, cost, slots)


@lru_cache(maxsize=32_768)
def shared_operation(name: str, start: int, original: str, replacement: str, cost: int = 1) -> Operation:
    """Return one edit as an operation that words share: thousands are hit by the same slip at one place."""
    return operation(name, Edit(start, start + len(original), original, replacement), cost=cost)


@lru_cache(maxsize=4096)
def _slots(start: int, end: int) -> int:
    """Return the places an edit takes as bits: gap p is bit 2p, character i is bit 2i + 1."""
    start, end = max(0, start), max(0, end)
    if start == end:
        return 1 << 2 * start
    return (1 << 2 * end) - (1 << 2 * start + 1)


# For each text, the operations on its words: called with the words, many texts at a time.
Propose = Callable[[Sequence["WordsOfText"], Resources], Sequence[Sequence[Operations]]]


@dataclass(frozen=True, slots=True)
class WordsOfText:
    """A text with its words found, and its label where one may look at it."""

    text: str
    words: Sequence[Word]
    label: int | None = None


class Rewrite(NamedTuple):
    """One way of rewriting a text, and how it was made."""

    edits: tuple[Edit, ...]
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextToRewrite:
    """A text, the randomness for it, the words that speak for a class of its task, and its label."""

    text: str
    draw: Draw
    avoid: frozenset[str]
    label: int | None = None


# For each text a ladder: rewrites that depart from it farther and farther, on the whole; none is equal to it.
WriteLadders = Callable[[Sequence[TextToRewrite], Resources], Sequence[Sequence[Rewrite]]]


@dataclass(frozen=True, kw_only=True)
class DimensionHeader:
    """What every robustness dimension says of itself."""

    name: str
    summary: str
    stands_for: str
    level: Level
    tag: Tag
    measure: Measure
    degrees: tuple[float, ...]
    # What its cases depend on beside texts and seed.
    uses: tuple[ResourceName, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Dimension(DimensionHeader):
    """A robustness dimension with its flavour, at character or word level: operations that meet a budget."""

    degree_kind: ClassVar[DegreeKind] = "budget"

    propose: Propose

    @property
    def is_one_operation_a_word(self) -> bool:
        """Whether a word may be changed by one operation only: so for all but malicious character edits."""
        return self.measure == "words"


@dataclass(frozen=True, kw_only=True)
class SentenceDimension(DimensionHeader):
    """A robustness dimension at sentence level: rewrites that are sorted into bins by what a measure says."""

    degree_kind: ClassVar[DegreeKind] = "bin"

    level: Level = "sentence"
    measure: Measure = "embedding"
    uses: tuple[ResourceName, ...] = ("encoder", "associations")
    write_ladders: WriteLadders


AnyDimension = Dimension | SentenceDimension
