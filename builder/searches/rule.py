"""The setting `rule`: edits drawn at random until the measured amount equals the budget."""

import math
from collections.abc import Sequence

from builder.dimensions.dimension import Dimension, Operation, Operations, WordsOfText
from builder.measures import MEASURES
from builder.measures.measure import Change
from builder.randomness import Draw
from builder.samples import Sample
from builder.searches.search import (
    Findings,
    Placed,
    Search,
    SearchRequest,
    Tally,
    available_units,
    carries,
    edits_of,
    next_degrees,
    record_of,
)
from contract.edits import Word, apply_edits, words_of
from contract.records import Record

NAME = "rule"
# A duplicate, or edits that cancel, are drawn anew this often before the case is refused.
MOST_TRIES = 10
MOST_DRAWS_A_WORD = 12
# Spread: a word takes a third of its length in edits, then two thirds, and so on as the budget needs.
SHARE_OF_WORD = 3
MOST_SHARES = 2 * SHARE_OF_WORD


def search(request: SearchRequest) -> Findings:
    """Return up to `n_cases` different random cases for each sample and degree it carries."""
    texts = []
    for sample in request.samples:
        text = sample.field(request.perturbed)
        texts.append(WordsOfText(text, words_of(text)))
    proposals = request.dimension.propose(texts)
    tallies = {degree: Tally() for degree in request.degrees}
    records: list[Record] = []
    for sample, text, operations in zip(request.samples, texts, proposals, strict=True):
        for degree, above in zip(request.degrees, next_degrees(request.degrees), strict=True):
            records += _cases(request, sample, text, operations, degree, above, tallies[degree])
    return Findings(records=records, tallies=tallies)


def _cases(
    request: SearchRequest,
    sample: Sample,
    text: WordsOfText,
    operations: Sequence[Operations],
    degree: float,
    above: float,
    tally: Tally,
) -> list[Record]:
    measure = MEASURES[request.dimension.measure]
    units = measure.units(text.text, text.words)
    budget = measure.budget(degree, units)
    tally.n_samples += 1
    if not carries(units, budget, above, available_units(request.dimension, operations)):
        return []
    tally.n_carrying += 1
    records: list[Record] = []
    seen = {text.text}
    for case in range(request.n_cases):
        tally.n_candidates += 1
        draw = Draw(request.seed, request.task, sample.id, request.dimension.name, NAME, case, degree)
        reason = "budget-not-met"
        for _ in range(MOST_TRIES):
            placed = draw_operations(request.dimension, text, operations, budget, draw)
            if placed is None:
                break
            change = _change(text, placed)
            if change.text not in seen:
                seen.add(change.text)
                records.append(
                    record_of(
                        request,
                        sample,
                        change,
                        setting=NAME,
                        degree=degree,
                        realised_degree=measure.realised(change),
                        case=case,
                        method="+".join(sorted({item.operation.name for item in placed})),
                    )
                )
                break
            reason = "duplicate"
        else:
            placed = None
        if placed is None:
            tally.drop(reason)
    return records


def draw_operations(
    dimension: Dimension, text: WordsOfText, operations: Sequence[Operations], budget: int, draw: Draw
) -> list[Placed] | None:
    """Return operations whose measured amount is exactly the budget, or nothing if none were found."""
    if dimension.is_one_operation_a_word:
        editable = [index for index, of_word in enumerate(operations) if len(of_word)]
        if len(editable) < budget:
            return None
        chosen = draw.sample(editable, budget)
        return [Placed(word=text.words[index], operation=operations[index].draw(draw)) for index in chosen]
    return _Spread(dimension, text, operations, draw).meet(budget)


class _Spread:
    """Operations drawn so that edits spread over words and their distance meets a budget.

    Edits may cancel, so the distance is measured and the deficit drawn again. An operation of cost c moves
    the distance by at most c, hence the budget is approached from below and never overshot.
    """

    def __init__(
        self, dimension: Dimension, text: WordsOfText, operations: Sequence[Operations], draw: Draw
    ) -> None:
        self.measure = MEASURES[dimension.measure]
        self.text = text
        self.operations = operations
        self.draw = draw
        self.chosen: dict[int, list[Operation]] = {}
        self.used = [0] * len(operations)
        self.tickets: list[int] = []
        self.shares = 0

    def meet(self, budget: int) -> list[Placed] | None:
        """Draw until the measured distance is the budget; give up when every word is full."""
        amount = 0
        while amount < budget:
            if not self._spend(budget, budget - amount):
                return None
            amount = self.measure.amount(_change(self.text, self._placed()))
        return self._placed()

    def _spend(self, budget: int, deficit: int) -> bool:
        """Add operations worth the deficit; false when there is no room for them."""
        while deficit:
            if not self.tickets and not self._allow_more(budget):
                return False
            index = self.tickets.pop()
            room = min(deficit, self._allowance(index) - self.used[index])
            operation = self._draw_operation(index, room) if room > 0 else None
            if operation is not None:
                self.chosen.setdefault(index, []).append(operation)
                self.used[index] += operation.cost
                deficit -= operation.cost
        return True

    def _allow_more(self, budget: int) -> bool:
        """Hand out tickets for the next share of every word, as many shares as the budget needs at least."""
        while self.shares < MOST_SHARES:
            self.shares += 1
            room = [max(0, self._allowance(index) - used) for index, used in enumerate(self.used)]
            if sum(room) + sum(self.used) >= budget and any(room):
                tickets = [index for index, n in enumerate(room) for _ in range(n)]
                self.tickets = self.draw.sample(tickets, len(tickets))
                return True
        return False

    def _allowance(self, index: int) -> int:
        length = self.text.words[index].end - self.text.words[index].start
        return min(self.operations[index].capacity, math.ceil(length / SHARE_OF_WORD) * self.shares)

    def _draw_operation(self, index: int, room: int) -> Operation | None:
        """Return an operation on the word that fits beside the chosen ones, or nothing."""
        of_word = self.operations[index]
        taken = {slot for item in self.chosen.get(index, ()) for slot in item.slots}
        for _ in range(MOST_DRAWS_A_WORD):
            item = of_word.draw(self.draw)
            if self._fits(index, item, room, taken):
                return item
        fitting = [item for item in of_word.items if self._fits(index, item, room, taken)]
        return self.draw.choice(fitting) if fitting else None

    def _fits(self, index: int, item: Operation, room: int, taken: set[int]) -> bool:
        if item.cost > room or not taken.isdisjoint(item.slots):
            return False
        return item.name != "delete" or self._is_left(index, item)

    def _is_left(self, index: int, item: Operation) -> bool:
        """Whether the word still has a letter or digit of its own after the operation."""
        word = self.text.words[index].text
        edits = [edit for each in [*self.chosen.get(index, ()), item] for edit in each.edits]
        return any(character.isalnum() for character in apply_edits(word, edits))

    def _placed(self) -> list[Placed]:
        words: Sequence[Word] = self.text.words
        return [
            Placed(word=words[index], operation=item) for index, items in self.chosen.items() for item in items
        ]


def _change(text: WordsOfText, placed: Sequence[Placed]) -> Change:
    edits = edits_of(placed)
    return Change(original=text.text, words=text.words, text=apply_edits(text.text, edits), edits=edits)


RULE = Search(name=NAME, summary="edits drawn at random; no model is asked", run=search)
