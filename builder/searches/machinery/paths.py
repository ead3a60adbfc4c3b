"""Paths: walks through a text that add one operation after another and freeze a case at every budget.

All paths of all samples go in lockstep: each puts its next word's candidates before a judge, who looks at
everybody's at once, and takes the one he picks.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import NamedTuple

from builder.measures import MEASURES
from builder.measures.measure import Change
from builder.operations.dimension import Dimension, WordsOfText
from builder.operations.operation import Operation, Operations
from builder.searches.machinery.spread import MOST_SHARES, adds_its_cost, allowance, with_operations
from builder.searches.search import Placed, available_units, carries, edits_of, next_degrees
from builder.values.randomness import Draw
from builder.values.samples import Sample

# More candidates of one word hurt little more, and each is a question to the source.
MOST_CANDIDATES = 12
DRAWS_A_CANDIDATE = 3


class Candidate(NamedTuple):
    """An operation on the word whose turn it is, and what the word would be after it."""

    operation: Operation
    word: str


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A sample under attack: its text, and the operations on each of its words."""

    dimension: Dimension
    sample: Sample
    text: WordsOfText
    operations: Sequence[Operations]
    degrees: Sequence[float]

    @cached_property
    def budgets(self) -> list[tuple[int, float]]:
        """The budget of each degree that the text carries, rising."""
        measure = MEASURES[self.dimension.measure]
        units = measure.units(self.text.text, self.text.words)
        available = available_units(self.dimension, self.operations)
        return [
            (budget, degree)
            for degree, above in zip(self.degrees, next_degrees(self.degrees), strict=True)
            for budget in [measure.budget(degree, units)]
            if carries(units, budget, above, available)
        ]

    @cached_property
    def pieces(self) -> list[str]:
        """The text cut before and after every word: words have the odd places."""
        pieces = []
        position = 0
        for word in self.text.words:
            pieces += [self.text.text[position : word.start], word.text]
            position = word.end
        return [*pieces, self.text.text[position:]]


class Path:
    """One walk: what was done to which word so far, and the cases frozen on the way."""

    def __init__(
        self,
        subject: Subject,
        *,
        case: int,
        order: Sequence[int],
        draw: Draw,
        narrowed: Sequence[Operations] | None = None,
    ) -> None:
        self.subject = subject
        self.case = case
        self.n_queries = 0
        self.frozen: dict[float, tuple[Change, str]] = {}
        # The word whose turn it is, and its candidates.
        self.index = 0
        self.candidates: list[Candidate] = []
        self._measure = MEASURES[subject.dimension.measure]
        self._is_one_a_word = subject.dimension.is_one_operation_a_word
        self._order = order
        self._draw = draw
        # Those that a judge knows; all of them once these are used up.
        self.operations = narrowed or subject.operations
        self._pieces = list(subject.pieces)
        self._chosen: dict[int, list[Operation]] = {}
        self._used = [0] * len(subject.operations)
        self._waiting = list(subject.budgets)
        self._amount = 0
        self._place = 0
        self._shares = 1

    def go_on(self) -> bool:
        """Find the next word that can take an operation, and its candidates; false at the end of the way."""
        while self._waiting:
            if self._place == len(self._order) and not self._begin_again():
                return False
            self.index = self._order[self._place]
            room = self._room(self.index)
            self.candidates = self._find(room) if room > 0 else []
            if self.candidates:
                return True
            self._place += 1
        return False

    def texts(self) -> Iterator[str]:
        """Yield the whole text with each candidate in its place."""
        at = 2 * self.index + 1
        before, after = "".join(self._pieces[:at]), "".join(self._pieces[at + 1 :])
        for candidate in self.candidates:
            yield before + candidate.word + after

    def take(self, candidate: Candidate) -> None:
        """Add an operation, and freeze a case where a budget is met."""
        item = candidate.operation
        self._chosen.setdefault(self.index, []).append(item)
        self._used[self.index] += item.cost
        self._pieces[2 * self.index + 1] = candidate.word
        change = self._change()
        self._amount = self._measure.amount(change)
        while self._waiting and self._waiting[0][0] == self._amount:
            names = {each.name for of_word in self._chosen.values() for each in of_word}
            self.frozen[self._waiting.pop(0)[1]] = (change, "+".join(sorted(names)))

    def _begin_again(self) -> bool:
        """Go through the words once more with more room in each, with all operations, to a higher budget."""
        if self._shares < MOST_SHARES and not self._is_one_a_word:
            self._shares += 1
        elif self.operations is not self.subject.operations:
            self.operations = self.subject.operations
            self._shares = 1
        else:
            # What is missing to this budget is less than any operation costs: on to the next one.
            self._waiting.pop(0)
            self._shares = 1
        self._place = 0
        return bool(self._order and self._waiting)

    def _room(self, index: int) -> int:
        """Return how much the word may still take: no more than is missing to the next budget."""
        if self._is_one_a_word:
            return int(not self._used[index])
        allowed = allowance(self.subject.text.words[index].text, self.operations[index], self._shares)
        return min(self._waiting[0][0] - self._amount, allowed - self._used[index])

    def _find(self, room: int) -> list[Candidate]:
        """Return operations that fit beside those the word already has; first those not beside an edit."""
        word = self.subject.text.words[self.index].text
        before = self._chosen.get(self.index, [])
        drawn = self._drawn(self.operations[self.index])
        if self._is_one_a_word:
            return [Candidate(item, with_operations(word, before, item)) for item in drawn]
        taken = reduce(or_, (item.slots for item in before), 0)
        beside = taken | taken << 2 | taken >> 2
        found = []
        for item in drawn:
            if item.cost <= room and not taken & item.slots:
                changed = with_operations(word, before, item)
                if adds_its_cost(word, changed, item, self._used[self.index]):
                    found.append(Candidate(item, changed))
        # Edits side by side blot out a syllable.
        return [each for each in found if not beside & each.operation.slots] or found

    def _drawn(self, operations: Operations) -> Sequence[Operation]:
        if len(operations) <= MOST_CANDIDATES:
            return operations.items
        return narrow(operations, self._draw).items

    def _change(self) -> Change:
        text = self.subject.text
        placed = [
            Placed(word=text.words[index], operation=item)
            for index, items in self._chosen.items()
            for item in items
        ]
        return Change(
            original=text.text, words=text.words, text="".join(self._pieces), edits=edits_of(placed)
        )


# Takes paths whose turn it is; returns for each the place of the candidate it should take.
Judge = Callable[[Sequence[Path]], Sequence[int]]


def walk(paths: Sequence[Path], judge: Judge, max_queries: int) -> None:
    """Walk all paths to their ends, in lockstep; who has spent his queries takes what he draws first."""
    walking = list(paths)
    while walking:
        asking = [path for path in walking if _goes_on_to_a_question(path, max_queries)]
        for path, choice in zip(asking, judge(asking) if asking else [], strict=True):
            path.take(path.candidates[choice])
        walking = asking


def narrow(operations: Operations, draw: Draw) -> Operations:
    """Return a few of the operations, drawn by weight."""
    if len(operations) <= MOST_CANDIDATES:
        return operations
    items = dict.fromkeys(operations.draw(draw) for _ in range(MOST_CANDIDATES * DRAWS_A_CANDIDATE))
    few = list(items)[:MOST_CANDIDATES]
    return Operations(few, [1.0] * len(few))


def _goes_on_to_a_question(path: Path, max_queries: int) -> bool:
    """Take what needs no judge, up to a turn that does; false when the path is at its end."""
    while path.go_on():
        if len(path.candidates) > 1 and path.n_queries < max_queries:
            return True
        path.take(path.candidates[0])
    return False
