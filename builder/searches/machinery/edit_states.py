"""A text in the middle of a search: which operations were done to which of its words."""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from builder.measures.measure import Change
from builder.operations.operation import Operation, Operations
from builder.searches.machinery.editable_texts import EditableText, PlacedOperation, edits_of
from builder.searches.machinery.edits_per_word import adds_its_cost, with_operation
from builder.values.randomness import Draw
from contract.schema.edits import apply_edits

# More changes of one word hurt little more, and each is a question to the source.
MOST_CHANGES = 12
DRAWS_A_CHANGE = 3


class WordChange(NamedTuple):
    """An operation on a word, given by its index, and the word after it."""

    word_index: int
    operation: Operation
    word: str


class FoundCase(NamedTuple):
    """A case, and the names of its operations."""

    change: Change
    method: str


class EditState:
    """A text with the operations done so far, and the amount that they measure."""

    def __init__(self, text: EditableText) -> None:
        self.text = text
        self.amount = 0
        self.chosen: dict[int, list[Operation]] = {}
        self.used = [0] * len(text.operations)
        self._pieces = list(text.pieces)

    @classmethod
    def of(cls, text: EditableText, placed: Iterable[PlacedOperation]) -> "EditState":
        """Return the state after operations on words."""
        state = cls(text)
        index_of = {word.start: index for index, word in enumerate(text.words)}
        for item in placed:
            state.chosen.setdefault(index_of[item.word.start], []).append(item.operation)
        for index, operations in state.chosen.items():
            for operation in operations:
                state._use(index, operation, operation.cost)
            state._write(index, operations[-1].n_words, state._word(index, operations))
        state._measure()
        return state

    def copy(self) -> "EditState":
        """Return a state that changes on its own."""
        other = EditState(self.text)
        other.amount = self.amount
        other.chosen = {index: list(of_word) for index, of_word in self.chosen.items()}
        other.used = list(self.used)
        other._pieces = list(self._pieces)
        return other

    def whole_text(self) -> str:
        """Return the text as it stands."""
        return "".join(self._pieces)

    def texts_with(self, changes: Sequence[WordChange]) -> Iterator[str]:
        """Yield the whole text with each of the changes."""
        place = (-1, 0)
        before = after = ""
        for change in changes:
            if (change.word_index, change.operation.n_words) != place:
                place = (change.word_index, change.operation.n_words)
                before = "".join(self._pieces[: 2 * place[0] + 1])
                after = "".join(self._pieces[2 * sum(place) :])
            yield before + change.word + after

    def take(self, change: WordChange) -> None:
        """Add an operation and measure the text anew."""
        self.chosen.setdefault(change.word_index, []).append(change.operation)
        self._use(change.word_index, change.operation, change.operation.cost)
        self._write(change.word_index, change.operation.n_words, change.word)
        self._measure()

    def undo(self, index: int) -> None:
        """Take back the last operation on a word and measure the text anew."""
        operation = self.chosen[index].pop()
        if not self.chosen[index]:
            del self.chosen[index]
        self._use(index, operation, -operation.cost)
        self._pieces[2 * index + 1 : 2 * (index + operation.n_words)] = self.text.pieces[
            2 * index + 1 : 2 * (index + operation.n_words)
        ]
        if index in self.chosen:
            self._pieces[2 * index + 1] = self._word(index, self.chosen[index])
        self._measure()

    def undone(self) -> list[WordChange]:
        """Return for each changed word its last operation, with the word as it was before it."""
        return [
            WordChange(
                index,
                operations[-1],
                self._word(index, operations[:-1])
                if len(operations) > 1
                else self.text.span(index, operations[-1]),
            )
            for index, operations in self.chosen.items()
        ]

    def case(self) -> FoundCase:
        """Return the text as a case."""
        names = {each.name for of_word in self.chosen.values() for each in of_word}
        return FoundCase(self._change(), "+".join(sorted(names)))

    def possible_changes(
        self, index: int, operations: Operations, room: int, draw: Draw, most: int = MOST_CHANGES
    ) -> list[WordChange]:
        """Return operations that fit beside those a word already has; first those not beside an edit."""
        if self.text.dimension.is_one_operation_a_word:
            free = operations
            if self.text.has_expressions:
                free = operations.only(lambda operation: self._is_free(index, operation, room))
            return [
                WordChange(index, operation, with_operation(self.text.span(index, operation), (), operation))
                for operation in narrow(free, draw, most).items
            ]
        drawn = narrow(operations, draw, most)
        changes = self._fitting(index, drawn.items, room)
        if not changes and len(drawn) < len(operations):
            # Those drawn have no place beside the edits that are there; few do, so few are left to draw from.
            changes = self._fitting(index, operations.items, room)
            changes = draw.sample(changes, min(most, len(changes)))
        taken = self._taken(index)
        beside = taken | taken << 2 | taken >> 2
        # Edits side by side blot out a syllable.
        return [change for change in changes if not beside & change.operation.slots] or changes

    def _is_free(self, index: int, operation: Operation, room: int) -> bool:
        """Whether all words that an operation changes are unchanged, and are not too many."""
        return operation.n_words <= room and not any(self.used[index : index + operation.n_words])

    def _use(self, index: int, operation: Operation, cost: int) -> None:
        for each in range(index, index + operation.n_words):
            self.used[each] += cost

    def _write(self, index: int, n_words: int, word: str) -> None:
        """Put a changed word, or what replaces several words, into its place."""
        self._pieces[2 * index + 1 : 2 * (index + n_words)] = [word] + [""] * (2 * n_words - 2)

    def _fitting(self, index: int, operations: Sequence[Operation], room: int) -> list[WordChange]:
        """Return the operations that have room and a place, and take the word as far as they cost."""
        word = self.text.words[index].text
        before = self.chosen.get(index, [])
        taken = self._taken(index)
        changes = []
        for operation in operations:
            if operation.cost <= room and not taken & operation.slots:
                changed = with_operation(word, before, operation)
                if adds_its_cost(word, changed, operation, self.used[index]):
                    changes.append(WordChange(index, operation, changed))
        return changes

    def _taken(self, index: int) -> int:
        """Return the places of a word that its operations take."""
        return reduce(or_, (operation.slots for operation in self.chosen.get(index, [])), 0)

    def _word(self, index: int, operations: Sequence[Operation]) -> str:
        return apply_edits(
            self.text.span(index, operations[-1]),
            [edit for operation in operations for edit in operation.edits],
        )

    def _measure(self) -> None:
        """Measure the text anew; where each word may be edited often, the edits themselves do not count."""
        text = self.text
        edits = edits_of(text.placed(self.chosen.items())) if text.dimension.is_one_operation_a_word else ()
        change = Change(original=text.original, words=text.words, text=self.whole_text(), edits=edits)
        self.amount = text.measure.amount(change)

    def _change(self) -> Change:
        return Change(
            original=self.text.original,
            words=self.text.words,
            text=self.whole_text(),
            edits=edits_of(self.text.placed(self.chosen.items())),
        )


def narrow(operations: Operations, draw: Draw, most: int = MOST_CHANGES) -> Operations:
    """Return a few of the operations, drawn by weight."""
    if len(operations) <= most:
        return operations
    drawn = dict.fromkeys(operations.draw(draw) for _ in range(most * DRAWS_A_CHANGE))
    few = list(drawn)[:most]
    return Operations(few, [1.0] * len(few))
