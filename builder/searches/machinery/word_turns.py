"""Whose turn it is: the order in which a path changes words, and how much each word may take."""

import math
from collections.abc import Iterable, Sequence

from builder.operations.operation import Operations
from builder.searches.machinery.edit_states import MOST_CHANGES, EditState, WordChange
from builder.searches.machinery.editable_texts import EditableText
from builder.searches.machinery.edits_per_word import MOST_SHARES, most_edits
from builder.values.randomness import Draw

# Where the next word does not help, so many changes of every word are looked at; more where words are few.
CHANGES_OF_EVERY_WORD = 3
CHANGES_AROUND = 72
# A path avoids a word that another one begins with until it has changed so many others.
WORDS_WITHOUT_THE_AVOIDED = 2


class WordTurns:
    """The words of a text in the order of a path."""

    def __init__(
        self,
        text: EditableText,
        *,
        order: Iterable[int],
        draw: Draw,
        avoided: int | None,
        narrowed: Sequence[Operations] | None,
    ) -> None:
        # At first the narrowed ones; all of them once these are used up.
        self.operations = narrowed or text.operations
        self.has_shares = not text.dimension.is_one_operation_a_word
        self._text = text
        self._draw = draw
        # The word to be avoided, if any, comes last.
        self._order = sorted(order, key=lambda index: index == avoided)
        self._avoided = avoided
        # Where the path is in the order, and how many shares of a word it may edit.
        self._position = 0
        self._shares = 1
        self._has_looked_around = False

    def begin(self, amount: int, more_shares: int) -> None:
        """Begin with the first word, with as much room in each word as the amount needs, or with more."""
        self._has_looked_around = False
        self._position = 0
        if self.has_shares:
            needed = (shares for shares in range(1, MOST_SHARES) if self._capacity(shares) >= amount)
            self._shares = min(MOST_SHARES, next(needed, MOST_SHARES) + more_shares)

    def changes_of_next_word(self, state: EditState, amount: int) -> list[WordChange]:
        """Go to the next word that can take an operation and return its changes; none when all are full."""
        # Once no change helps, the first few are as good as more.
        most = CHANGES_OF_EVERY_WORD if self._has_looked_around else MOST_CHANGES
        while True:
            while self._position < len(self._order):
                changes = self._changes_of(state, self._order[self._position], amount, most)
                if changes:
                    return changes
                self._position += 1
            if not self._begin_again():
                return []

    def look_around(self, state: EditState, amount: int) -> list[WordChange]:
        """Return changes of every word, once for each budget; after that nothing."""
        if self._has_looked_around:
            return []
        self._has_looked_around = True
        # From here on words take up to a third of their length, rounded up.
        self._shares = max(self._shares, 2)
        return self.changes_of_every_word(state, amount)

    def changes_of_every_word(self, state: EditState, amount: int) -> list[WordChange]:
        """Return a few changes of each word that can take an operation; more where few words can."""
        words = [index for index in range(len(self._order)) if self._room(state, index, amount) > 0]
        if len(state.chosen) < WORDS_WITHOUT_THE_AVOIDED:
            words = [index for index in words if index != self._avoided] or words
        most = max(CHANGES_OF_EVERY_WORD, CHANGES_AROUND // max(1, len(words)))
        return [change for index in words for change in self._changes_of(state, index, amount, most)]

    def sort(self, changes: Sequence[WordChange], answer: Sequence[float]) -> None:
        """Put the words first whose changes hurt most."""
        lowest: dict[int, float] = {}
        for change, probability in zip(changes, answer, strict=True):
            lowest[change.word_index] = min(probability, lowest.get(change.word_index, math.inf))
        # Sorting keeps the order of equals.
        self._order.sort(key=lambda index: lowest.get(index, math.inf))
        self._position = 0

    def _begin_again(self) -> bool:
        """Go through the words once more: with more room in each, then with all operations; else give up."""
        self._position = 0
        if self._shares < MOST_SHARES and self.has_shares:
            self._shares += 1
            return bool(self._order)
        self._shares = 1
        if self.operations is self._text.operations:
            return False
        self.operations = self._text.operations
        return bool(self._order)

    def _changes_of(self, state: EditState, index: int, amount: int, most: int) -> list[WordChange]:
        room = self._room(state, index, amount)
        if room <= 0:
            return []
        return state.possible_changes(index, self.operations[index], room, self._draw, most)

    def _room(self, state: EditState, index: int, amount: int) -> int:
        """Return how much the word may still take: no more than is missing to the amount."""
        used = state.used[index]
        if not self.has_shares:
            return 0 if used else amount - state.amount
        allowed = most_edits(self._text.words[index].text, self.operations[index], self._shares)
        return min(amount - state.amount, allowed - used)

    def _capacity(self, shares: int) -> int:
        """Return how many edits all words together may take after so many shares."""
        return sum(
            most_edits(word.text, operations, shares)
            for word, operations in zip(self._text.words, self.operations, strict=True)
        )
