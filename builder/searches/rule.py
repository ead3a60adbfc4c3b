"""The setting `rule`: edits drawn at random until the measured amount equals the budget, or fills a bin."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from builder.measures import MEASURES
from builder.measures.measure import Change
from builder.operations.dimension import Dimension, SentenceDimension, WordsOfText
from builder.operations.operation import Operation, Operations
from builder.searches.machinery.rewrites import search_rewrites
from builder.searches.machinery.spread import MOST_SHARES, adds_its_cost, allowance, with_operations
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
    texts_of,
)
from builder.values.garbage import rare_collections
from builder.values.randomness import Draw
from builder.values.samples import Sample
from contract.schema.edits import apply_edits
from contract.schema.records import Record

NAME = "rule"
NOT_MET = "budget-not-met"
# A duplicate, or edits that cancel, are drawn anew this often before the case is refused.
MOST_TRIES = 10
MOST_DRAWS_A_WORD = 12
# A word of hundreds of letters has thousands of operations: too many to try each, and enough to draw from.
MOST_TRIED_IN_TURN = 500


@rare_collections()
def search(request: SearchRequest) -> Findings:
    """Return up to `n_cases` different random cases for each sample and degree it carries."""
    dimension = request.dimension
    if isinstance(dimension, SentenceDimension):
        return search_rewrites(request, dimension, setting=NAME)
    texts = texts_of(request)
    proposals = dimension.propose(texts, request.resources)
    tallies = {degree: Tally() for degree in request.degrees}
    records: list[Record] = []
    for sample, text, operations in zip(request.samples, texts, proposals, strict=True):
        subject = _Subject(request, dimension, sample, text, operations)
        for degree, above in zip(request.degrees, next_degrees(request.degrees), strict=True):
            records += subject.cases(degree, above, tallies[degree])
    return Findings(records=records, tallies=tallies)


@dataclass(frozen=True, slots=True)
class _Subject:
    """A sample under attack: its text, and the operations on each of its words."""

    request: SearchRequest
    dimension: Dimension
    sample: Sample
    text: WordsOfText
    operations: Sequence[Operations]

    def cases(self, degree: float, above: float, tally: Tally) -> list[Record]:
        """Return different cases at one degree, counting what is refused."""
        measure = MEASURES[self.dimension.measure]
        units = measure.units(self.text.text, self.text.words)
        budget = measure.budget(degree, units)
        tally.n_samples += 1
        if not carries(units, budget, above, available_units(self.dimension, self.operations)):
            return []
        tally.n_carrying += 1
        records: list[Record] = []
        seen = {self.text.text}
        for case in range(self.request.n_cases):
            found = self._draw_case(degree, budget, case, seen)
            if case == 0 and found == NOT_MET:
                # Operations that exclude each other do not suffice together: the text does not carry it.
                tally.n_carrying -= 1
                return []
            tally.n_candidates += 1
            if isinstance(found, Record):
                seen.add(found.perturbed_text)
                records.append(found)
            else:
                tally.drop(found)
        return records

    def _draw_case(self, degree: float, budget: int, case: int, seen: set[str]) -> Record | str:
        """Return a case that was not seen yet, or the reason why there is none."""
        request = self.request
        names = (request.task, self.sample.id, self.dimension.name, NAME)
        draw = Draw(request.seed, *names, case, degree)
        reason = NOT_MET
        is_tight = False
        for _ in range(MOST_TRIES):
            placed = draw_operations(
                self.dimension, self.text, self.operations, budget, draw, is_tight=is_tight
            )
            if placed is None:
                # Random operations left no room: once more with those that go farthest, then enough.
                if is_tight:
                    break
                is_tight = True
                continue
            reason = "duplicate"
            change = _change(self.text, placed)
            if change.text not in seen:
                return record_of(
                    request,
                    self.sample,
                    change,
                    setting=NAME,
                    degree=degree,
                    case=case,
                    method="+".join(sorted({item.operation.name for item in placed})),
                    realised_degree=MEASURES[self.dimension.measure].realised(change),
                )
        return reason


def draw_operations(
    dimension: Dimension,
    text: WordsOfText,
    operations: Sequence[Operations],
    budget: int,
    draw: Draw,
    *,
    is_tight: bool = False,
) -> list[Placed] | None:
    """Return operations whose measured amount is exactly the budget, or nothing if none were found.

    Where the budget is tight, each word takes the operations that go farthest instead of random ones.
    """
    if dimension.is_one_operation_a_word:
        editable = [index for index, of_word in enumerate(operations) if len(of_word)]
        if len(editable) < budget:
            return None
        chosen = draw.sample(editable, budget)
        return [Placed(word=text.words[index], operation=operations[index].draw(draw)) for index in chosen]
    return _Spread(dimension, text, operations, draw, is_tight=is_tight).meet(budget)


class _Spread:
    """Operations drawn so that edits spread over words and their distance meets a budget.

    An operation is kept only if it takes its word as far from the original as it costs, since random edits
    cancel. The distance of the whole text can still be shorter than that of its words together; the deficit
    is drawn again. It never overshoots: an operation of cost c moves a distance by at most c.
    """

    def __init__(
        self,
        dimension: Dimension,
        text: WordsOfText,
        operations: Sequence[Operations],
        draw: Draw,
        *,
        is_tight: bool,
    ) -> None:
        self.is_tight = is_tight
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
        """Return how many edits a word may take by now."""
        return allowance(self.text.words[index].text, self.operations[index], self.shares)

    def _draw_operation(self, index: int, room: int) -> Operation | None:
        """Return an operation on the word that fits beside the chosen ones, or nothing."""
        of_word = self.operations[index]
        before = self.chosen.get(index, [])
        taken = reduce(or_, (item.slots for item in before), 0)
        # Edits side by side blot out a syllable, so places beside other edits are tried last.
        beside = taken | taken << 2 | taken >> 2
        for n_draws in range(
            0 if self.is_tight and len(of_word) <= MOST_TRIED_IN_TURN else MOST_DRAWS_A_WORD
        ):
            item = of_word.draw(self.draw)
            closed = beside if n_draws < MOST_DRAWS_A_WORD // 2 else taken
            if item.cost <= room and not closed & item.slots and self._adds_its_cost(index, before, item):
                return item
        if len(of_word) > MOST_TRIED_IN_TURN:
            return None
        fitting = [
            item
            for item in of_word.items
            if item.cost <= room and not taken & item.slots and self._adds_its_cost(index, before, item)
        ]
        if self.is_tight and fitting:
            farthest = max(item.cost for item in fitting)
            fitting = [item for item in fitting if item.cost == farthest]
        return self.draw.choice(fitting) if fitting else None

    def _adds_its_cost(self, index: int, before: Sequence[Operation], item: Operation) -> bool:
        """Whether the operation takes the word as far as it costs, beside those it already has."""
        word = self.text.words[index].text
        return adds_its_cost(word, with_operations(word, before, item), item, self.used[index])

    def _placed(self) -> list[Placed]:
        words = self.text.words
        return [
            Placed(word=words[index], operation=item)
            for index, items in self.chosen.items()
            for item in items
        ]


def _change(text: WordsOfText, placed: Sequence[Placed]) -> Change:
    edits = edits_of(placed)
    return Change(original=text.text, words=text.words, text=apply_edits(text.text, edits), edits=edits)


RULE = Search(name=NAME, summary="edits drawn at random; no model is asked", run=search)
