"""Paths of edits: each adds one operation after another to a text and keeps a case at every budget.

All paths of all samples go in step: each offers the possible changes of its next word, a function looks at
all of them at once, and each path takes the change that was chosen for it.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from builder.measures.measure import Change
from builder.operations.operation import Operation, Operations
from builder.searches.machinery.editable_texts import EditableText, edits_of
from builder.searches.machinery.edits_per_word import (
    MOST_SHARES,
    adds_its_cost,
    most_edits,
    with_operation,
)
from builder.values.randomness import Draw

# More changes of one word hurt little more, and each is a question to the source.
MOST_CHANGES = 12
DRAWS_A_CHANGE = 3


class WordChange(NamedTuple):
    """An operation on the word whose turn it is, and the word after it."""

    operation: Operation
    word: str


class FoundCase(NamedTuple):
    """A case at one degree, and the names of its operations."""

    change: Change
    method: str


class EditPath:
    """One path: what was done to which word so far, and the cases found on the way."""

    def __init__(
        self,
        text: EditableText,
        *,
        case: int,
        order: Sequence[int],
        draw: Draw,
        narrowed: Sequence[Operations] | None = None,
    ) -> None:
        self.text = text
        self.case = case
        self.n_queries = 0
        # By degree.
        self.found: dict[float, FoundCase] = {}
        # The word whose turn it is, and its possible changes.
        self.index = 0
        self.changes: list[WordChange] = []
        self._is_one_a_word = text.dimension.is_one_operation_a_word
        self._order = order
        self._draw = draw
        # At first the narrowed ones; all of them once these are used up.
        self.operations = narrowed or text.operations
        self._pieces = list(text.pieces)
        self._chosen: dict[int, list[Operation]] = {}
        self._used = [0] * len(text.operations)
        self._open_budgets = list(text.budgets)
        self._amount = 0
        # Where the path is in the order of the words.
        self._position = 0
        self._shares = 1

    def go_on(self) -> bool:
        """Go to the next word that can take an operation and list its changes; false at the path's end."""
        while self._open_budgets:
            if self._position == len(self._order) and not self._begin_again():
                return False
            self.index = self._order[self._position]
            room = self._room(self.index)
            self.changes = self._possible_changes(room) if room > 0 else []
            if self.changes:
                return True
            self._position += 1
        return False

    def texts(self) -> Iterator[str]:
        """Yield the whole text with each possible change of the word."""
        at = 2 * self.index + 1
        before, after = "".join(self._pieces[:at]), "".join(self._pieces[at + 1 :])
        for change in self.changes:
            yield before + change.word + after

    def take(self, word_change: WordChange) -> None:
        """Add an operation, and keep a case where a budget is met."""
        operation = word_change.operation
        self._chosen.setdefault(self.index, []).append(operation)
        self._used[self.index] += operation.cost
        self._pieces[2 * self.index + 1] = word_change.word
        change = self._change()
        self._amount = self.text.measure.amount(change)
        while self._open_budgets and self._open_budgets[0].amount == self._amount:
            names = {each.name for of_word in self._chosen.values() for each in of_word}
            self.found[self._open_budgets.pop(0).degree] = FoundCase(change, "+".join(sorted(names)))

    def _begin_again(self) -> bool:
        """Go through the words once more: with more room in each, with all operations, to a higher budget."""
        if self._shares < MOST_SHARES and not self._is_one_a_word:
            self._shares += 1
        elif self.operations is not self.text.operations:
            self.operations = self.text.operations
            self._shares = 1
        else:
            # What is missing to this budget is less than any operation costs: on to the next one.
            self._open_budgets.pop(0)
            self._shares = 1
        self._position = 0
        return bool(self._order and self._open_budgets)

    def _room(self, index: int) -> int:
        """Return how much the word may still take: no more than is missing to the next budget."""
        if self._is_one_a_word:
            return int(not self._used[index])
        allowed = most_edits(self.text.words[index].text, self.operations[index], self._shares)
        return min(self._open_budgets[0].amount - self._amount, allowed - self._used[index])

    def _possible_changes(self, room: int) -> list[WordChange]:
        """Return operations that fit beside those the word already has; first those not beside an edit."""
        word = self.text.words[self.index].text
        before = self._chosen.get(self.index, [])
        drawn = self._drawn(self.operations[self.index])
        if self._is_one_a_word:
            return [WordChange(operation, with_operation(word, before, operation)) for operation in drawn]
        taken = reduce(or_, (operation.slots for operation in before), 0)
        beside = taken | taken << 2 | taken >> 2
        changes = []
        for operation in drawn:
            if operation.cost <= room and not taken & operation.slots:
                changed = with_operation(word, before, operation)
                if adds_its_cost(word, changed, operation, self._used[self.index]):
                    changes.append(WordChange(operation, changed))
        # Edits side by side blot out a syllable.
        return [change for change in changes if not beside & change.operation.slots] or changes

    def _drawn(self, operations: Operations) -> Sequence[Operation]:
        if len(operations) <= MOST_CHANGES:
            return operations.items
        return narrow(operations, self._draw).items

    def _change(self) -> Change:
        edits = edits_of(self.text.placed(self._chosen.items()))
        return Change(
            original=self.text.original, words=self.text.words, text="".join(self._pieces), edits=edits
        )


# Takes paths whose turn it is; returns for each the index of the change it should take.
Choose = Callable[[Sequence[EditPath]], Sequence[int]]


def walk(paths: Sequence[EditPath], choose: Choose, max_queries: int) -> None:
    """Take all paths to their ends, in step; a path without queries left takes the first change drawn."""
    walking = list(paths)
    while walking:
        asking = [path for path in walking if _goes_on_to_a_question(path, max_queries)]
        for path, choice in zip(asking, choose(asking) if asking else [], strict=True):
            path.take(path.changes[choice])
        walking = asking


def narrow(operations: Operations, draw: Draw) -> Operations:
    """Return a few of the operations, drawn by weight."""
    if len(operations) <= MOST_CHANGES:
        return operations
    drawn = dict.fromkeys(operations.draw(draw) for _ in range(MOST_CHANGES * DRAWS_A_CHANGE))
    few = list(drawn)[:MOST_CHANGES]
    return Operations(few, [1.0] * len(few))


def _goes_on_to_a_question(path: EditPath, max_queries: int) -> bool:
    """Take changes that need no choice, up to a word that needs one; false when the path is at its end."""
    while path.go_on():
        if len(path.changes) > 1 and path.n_queries < max_queries:
            return True
        path.take(path.changes[0])
    return False
