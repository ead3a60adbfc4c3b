"""An operation on a word, and all operations on one word with the weights by which they are drawn."""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, compress, pairwise
from typing import NamedTuple

from builder.values.randomness import Draw
from contract.schema.edits import Edit


class Operation(NamedTuple):
    """One way of changing a word: edits counted from the word's start, and their edit distance.

    `slots` has a bit set for each position that its edits take: operations that share none can be combined.
    An operation that replaces an expression takes `n_words` words, of which its own is the first.
    A tuple and no dataclass, because a word has a hundred of them.
    """

    name: str
    edits: tuple[Edit, ...]
    cost: int
    slots: int
    n_words: int = 1


class Operations:
    """The operations on one word, each with the weight by which it is drawn."""

    __slots__ = ("_cumulative", "capacity", "items", "refused")

    def __init__(
        self, items: Sequence[Operation], weights: Sequence[float], refused: Mapping[str, int] | None = None
    ) -> None:
        self.items = tuple(items)
        # What was thought of and not proposed, by the name of the reason: a funnel counts it.
        self.refused = refused or {}
        self._cumulative = array("d", accumulate(weights))
        self.capacity = _capacity(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def draw(self, draw: Draw) -> Operation:
        """Return one operation, drawn by weight."""
        return self.items[bisect_left(self._cumulative, draw.fraction() * self._cumulative[-1])]

    @property
    def likelihoods(self) -> list[float]:
        """How likely each operation is drawn; together 1."""
        total = self._cumulative[-1] if self.items else 1.0
        return [(after - before) / total for before, after in pairwise([0.0, *self._cumulative])]

    def only(self, is_kept: Callable[[Operation], bool]) -> "Operations":
        """Return the operations for which `is_kept` is true, with their weights."""
        return self._kept([is_kept(item) for item in self.items], self.refused)

    def without(self, reason_of: Callable[[Operation], str | None]) -> "Operations":
        """Return the operations that no reason speaks against; the others are counted by their reason."""
        reasons = [reason_of(item) for item in self.items]
        refused = Counter(reason for reason in reasons if reason is not None)
        refused.update(self.refused)
        return self._kept([reason is None for reason in reasons], refused)

    def _kept(self, kept: Sequence[bool], refused: Mapping[str, int]) -> "Operations":
        if all(kept):
            return self
        weights = [after - before for before, after in pairwise([0.0, *self._cumulative])]
        fewer = Operations([*compress(self.items, kept)], [*compress(weights, kept)], refused)
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


def operation(name: str, *edits: Edit, cost: int = 1, n_words: int = 1) -> Operation:
    """Return an operation with the slots its edits take."""
    first, *others = edits
    slots = _slots(first.start, first.end)
    for edit in others:
        slots |= _slots(edit.start, edit.end)
    return Operation(name, edits, cost, slots, n_words)


@lru_cache(maxsize=32_768)
def shared_operation(name: str, start: int, original: str, replacement: str, cost: int = 1) -> Operation:
    """Return one edit as an operation; all words that have this edit at this position share one object."""
    return operation(name, Edit(start, start + len(original), original, replacement), cost=cost)


@lru_cache(maxsize=4096)
def _slots(start: int, end: int) -> int:
    """Return the positions an edit takes as bits: gap i (before character i) is 2i, character i is 2i + 1."""
    start, end = max(0, start), max(0, end)
    if start == end:
        return 1 << 2 * start
    return (1 << 2 * end) - (1 << 2 * start + 1)
