"""Draws random operations whose measured amount is exactly a budget."""

from collections.abc import Sequence
from functools import reduce
from operator import or_

from builder.operations.operation import Operation, Operations
from builder.searches.machinery.editable_texts import EditableText, PlacedOperation
from builder.searches.machinery.edits_per_word import (
    MOST_SHARES,
    adds_its_cost,
    most_edits,
    with_operation,
)
from builder.values.randomness import Draw

MOST_DRAWS_A_WORD = 12
# A word of hundreds of letters has thousands of operations: too many to try each, and enough to draw from.
MOST_TRIED_IN_TURN = 500


def draw_operations(
    text: EditableText, amount: int, draw: Draw, *, is_tight: bool = False
) -> list[PlacedOperation] | None:
    """Return operations whose measured amount is exactly the budget, or nothing if none were found.

    Where the budget is tight, each word takes the operations that go farthest instead of random ones.
    """
    if not text.dimension.is_one_operation_a_word:
        return _SpreadEdits(text, draw, is_tight=is_tight).meet(amount)
    if text.has_expressions:
        return _one_a_word(text, amount, draw, is_tight=is_tight)
    editable = [index for index, of_word in enumerate(text.operations) if len(of_word)]
    if len(editable) < amount:
        return None
    return [
        PlacedOperation(word=text.words[index], operation=text.operations[index].draw(draw))
        for index in draw.sample(editable, amount)
    ]


def _one_a_word(
    text: EditableText, amount: int, draw: Draw, *, is_tight: bool
) -> list[PlacedOperation] | None:
    """Return operations on different words that together change so many words; none where some are left.

    An operation that changes several words takes them all. Where the budget is tight, these come first.
    """
    editable = [index for index, of_word in enumerate(text.operations) if len(of_word)]
    order = draw.sample(editable, len(editable))
    if is_tight:
        order.sort(key=lambda index: -max(item.n_words for item in text.operations[index].items))
    taken: set[int] = set()
    placed: list[PlacedOperation] = []
    for index in order:
        if len(taken) == amount:
            break
        operation = _fitting(text.operations[index], index, taken, amount - len(taken), draw)
        if operation is not None:
            taken.update(range(index, index + operation.n_words))
            placed.append(PlacedOperation(word=text.words[index], operation=operation))
    return placed if len(taken) == amount else None


def _fitting(operations: Operations, index: int, taken: set[int], room: int, draw: Draw) -> Operation | None:
    """Return an operation that changes no word twice and no more words than there is room for."""

    def is_free(item: Operation) -> bool:
        return item.n_words <= room and taken.isdisjoint(range(index, index + item.n_words))

    free = operations.only(is_free)
    return free.draw(draw) if len(free) else None


class _SpreadEdits:
    """Operations drawn so that edits spread over words and their distance meets a budget.

    An operation is kept only if it takes its word as far from the original as it costs, since random edits
    cancel. The distance of the whole text can still be shorter than that of its words together; the deficit
    is drawn again. It never overshoots: an operation of cost c moves a distance by at most c.
    """

    def __init__(self, text: EditableText, draw: Draw, *, is_tight: bool) -> None:
        self._text = text
        self._draw = draw
        self._is_tight = is_tight
        self._chosen: dict[int, list[Operation]] = {}
        self._used = [0] * len(text.operations)
        # The index of a word for each edit that it may take now, in random order.
        self._tickets: list[int] = []
        self._shares = 0

    def meet(self, budget: int) -> list[PlacedOperation] | None:
        """Draw until the measured distance is the budget; give up when every word is full."""
        amount = 0
        while amount < budget:
            if not self._spend(budget, budget - amount):
                return None
            amount = self._text.measure.amount(self._text.change(self._placed()))
        return self._placed()

    def _spend(self, budget: int, deficit: int) -> bool:
        """Add operations worth the deficit; false when there is no room for them."""
        while deficit:
            if not self._tickets and not self._allow_more(budget):
                return False
            index = self._tickets.pop()
            room = min(deficit, self._most_edits(index) - self._used[index])
            operation = self._draw_operation(index, room) if room > 0 else None
            if operation is not None:
                self._chosen.setdefault(index, []).append(operation)
                self._used[index] += operation.cost
                deficit -= operation.cost
        return True

    def _allow_more(self, budget: int) -> bool:
        """Make tickets for the next share of every word, as many shares as the budget needs at least."""
        while self._shares < MOST_SHARES:
            self._shares += 1
            room = [max(0, self._most_edits(index) - used) for index, used in enumerate(self._used)]
            if sum(room) + sum(self._used) >= budget and any(room):
                tickets = [index for index, n in enumerate(room) for _ in range(n)]
                self._tickets = self._draw.sample(tickets, len(tickets))
                return True
        return False

    def _most_edits(self, index: int) -> int:
        """Return how many edits a word may take by now."""
        return most_edits(self._text.words[index].text, self._text.operations[index], self._shares)

    def _draw_operation(self, index: int, room: int) -> Operation | None:
        """Return an operation on the word that fits beside the chosen ones, or nothing."""
        of_word = self._text.operations[index]
        before = self._chosen.get(index, [])
        taken = reduce(or_, (operation.slots for operation in before), 0)
        # Edits side by side blot out a syllable, so places beside other edits are tried last.
        beside = taken | taken << 2 | taken >> 2
        for n_draws in range(
            0 if self._is_tight and len(of_word) <= MOST_TRIED_IN_TURN else MOST_DRAWS_A_WORD
        ):
            operation = of_word.draw(self._draw)
            closed = beside if n_draws < MOST_DRAWS_A_WORD // 2 else taken
            if self._fits(index, before, operation, room, closed):
                return operation
        if len(of_word) > MOST_TRIED_IN_TURN:
            return None
        fitting = [
            operation for operation in of_word.items if self._fits(index, before, operation, room, taken)
        ]
        if self._is_tight and fitting:
            farthest = max(operation.cost for operation in fitting)
            fitting = [operation for operation in fitting if operation.cost == farthest]
        return self._draw.choice(fitting) if fitting else None

    def _fits(
        self, index: int, before: Sequence[Operation], operation: Operation, room: int, closed: int
    ) -> bool:
        """Whether an operation has room, takes no closed place, and takes the word as far as it costs."""
        if operation.cost > room or closed & operation.slots:
            return False
        word = self._text.words[index].text
        return adds_its_cost(word, with_operation(word, before, operation), operation, self._used[index])

    def _placed(self) -> list[PlacedOperation]:
        return self._text.placed(self._chosen.items())
