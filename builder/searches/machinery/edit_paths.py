"""Paths of edits: each adds one operation after another to a text and keeps a case at every budget.

All paths of all samples go in step: each asks about the changes that it could make next, all questions are
answered at once, and each path goes on with its answer.
"""

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import NamedTuple

from builder.operations.operation import Operations
from builder.searches.machinery.attempts import SAME
from builder.searches.machinery.edit_states import EditState, FoundCase, WordChange
from builder.searches.machinery.editable_texts import Budget, EditableText
from builder.searches.machinery.word_turns import WordTurns
from builder.values.randomness import Draw
from classifiers.machinery.classifier import Numbers

# How many thirds of a word an attempt may edit beyond what its budget needs: none, and then more only where
# it would else hurt less than one of a lower degree.
EXTRA_SHARES = (0, 1, 4)
# How often a case that hurts less than one of a lower degree may exchange an edit for a better one.
MOST_EXCHANGES = 3
# How many changes that were not taken are kept, to replace an attempt that others have made, too.
MOST_OTHERS = 4
# Where estimates lead a path, the source is asked about so few texts for an exchange.
FEW = 4


class Question(NamedTuple):
    """Texts of which a path wants to know the true label's probability."""

    path: "EditPath"
    texts: Sequence[str]
    # The changes that make the texts, where an estimate will do.
    changes: Sequence[WordChange]


# An answer is a probability for each text; infinite where nobody was asked, and below all probabilities where
# a change is to be taken whose probability nobody was asked for.
TAKE_UNASKED = -math.inf
Asking = Generator[Question, Numbers, None]
Answer = Callable[[Sequence[Question]], Sequence[Numbers]]


class Attempt(NamedTuple):
    """A text at one of the budgets, and the true label's probability of it."""

    probability: float
    text: str
    amount: int
    state: EditState
    # What is still to be done to the state.
    change: WordChange | None = None

    def case(self) -> FoundCase | None:
        """Return the attempt as a case; nothing where it measures another amount than the budget's."""
        if self.change is None:
            return self.state.case()
        state = self.state.copy()
        state.take(self.change)
        return state.case() if state.amount == self.amount else None


class _Best(NamedTuple):
    """The strongest state of a path so far, and the questions that led to it."""

    probability: float
    state: EditState
    n_queries: int


class EditPath:
    """One path through the budgets of a text, from the lowest up."""

    def __init__(
        self,
        text: EditableText,
        *,
        order: Iterable[int],
        draw: Draw,
        probability: float,
        max_queries: int,
        avoided: int | None = None,
        may_go_back: bool = True,
        narrowed: Sequence[Operations] | None = None,
    ) -> None:
        self.text = text
        self.n_queries = 0
        # The true label's probability at the present state: asked for, estimated, or unknown.
        self.probability: float | None = probability
        # By degree: the path's own attempt, and those that differ from it in the last operation.
        self.found: dict[float, list[Attempt]] = {}
        self.turns = WordTurns(text, order=order, draw=draw, avoided=avoided, narrowed=narrowed)
        self._is_estimated = narrowed is not None
        self._max_queries = max_queries
        self._state = EditState(text)
        # The last change, and what could have been taken in its place.
        self._last: WordChange | None = None
        self._others: list[tuple[float, WordChange]] = []
        # The strongest state at any budget so far; an expensive source has no time to go back to it.
        self._best: _Best | None = None
        self._may_go_back = may_go_back

    def walk(self) -> Asking:
        """Go from budget to budget, freeze an attempt at each, and ask on the way."""
        for budget in self.text.budgets:
            for more_shares in self._tries:
                self._begin(budget.amount, more_shares)
                yield from self._reach(budget.amount)
                if self._state.amount == budget.amount:
                    yield from self._learn_probability()
                    yield from self._exchange(budget.amount)
                    self._freeze(budget)
                if not self._is_weaker or self.n_queries >= self._max_queries:
                    break

    @property
    def _tries(self) -> Sequence[int]:
        """With how many extra shares a budget is tried."""
        has_time = self._may_go_back and not self._is_estimated
        return EXTRA_SHARES if self.turns.has_shares and has_time else EXTRA_SHARES[:1]

    @property
    def _is_weaker(self) -> bool:
        """Whether the present state hurts less than one of a lower budget."""
        best = self._best
        return best is not None and (self.probability is None or self.probability > best.probability + SAME)

    def _begin(self, amount: int, more_shares: int) -> None:
        """Start from the best state of lower budgets."""
        best = self._best
        if best is not None and self._is_weaker and self._may_go_back:
            self._state, self.probability = best.state.copy(), best.probability
            self.n_queries = best.n_queries
            self._last, self._others = None, []
        self.turns.begin(amount, more_shares)

    def _reach(self, amount: int) -> Asking:
        """Add operations until the amount is met, or until no word has room for what is missing."""
        while self._state.amount < amount:
            changes = self.turns.changes_of_next_word(self._state, amount)
            if not changes:
                return
            if self.n_queries >= self._max_queries:
                self._take(changes[0], None)
                continue
            answer = [*(yield self._question(changes))]
            if self.probability is not None and min(answer) >= self.probability:
                around = self.turns.look_around(self._state, amount)
                if around:
                    answer_around = [*(yield self._question(around))]
                    self.turns.sort(around, answer_around)
                    changes, answer = changes + around, answer + answer_around
            self._take_best(changes, answer)

    def _learn_probability(self) -> Asking:
        """Ask for the probability at the present state where it is unknown or estimated."""
        if self.probability is None or (self._is_estimated and self._last is not None):
            others = [change for _, change in self._others[:1]]
            texts = [self._state.whole_text(), *self._earlier().texts_with(others)]
            here, *of_others = yield Question(self, texts, [])
            self.probability = float(here)
            self._others = list(zip(map(float, of_others), others, strict=True))

    def _exchange(self, amount: int) -> Asking:
        """Undo the least useful edit and make a better one, while a lower degree hurts more."""
        for _ in range(1 if self._is_estimated else MOST_EXCHANGES):
            known = self.probability
            if known is None or not self._is_weaker or self.n_queries >= self._max_queries:
                return
            before = self._state.copy()
            undone = self._state.undone()[-FEW if self._is_estimated else 0 :]
            answer = yield Question(self, [*self._state.texts_with(undone)], [])
            least_useful = undone[int(answer.argmin())]
            self._state.undo(least_useful.word_index)
            changes = [
                change
                for change in self.turns.changes_of_every_word(self._state, amount)
                if (change.word_index, change.operation) != (least_useful.word_index, least_useful.operation)
            ]
            if changes and self._is_estimated:
                estimates = yield self._question(changes)
                changes = [changes[place] for place in estimates.argsort(kind="stable")[:FEW]]
            if changes:
                answer = yield Question(self, [*self._state.texts_with(changes)], [])
                if answer.min() < known:
                    self._take_best(changes, answer)
                    if self._state.amount == amount:
                        continue
                    self._last, self._others = None, []
            self._state, self.probability = before, known
            return

    def _freeze(self, budget: Budget) -> None:
        """Keep the present state, and what differs from it in the last operation."""
        if self.probability is None:
            raise ValueError("a case is frozen whose probability nobody asked for")
        before = self.found.get(budget.degree)
        if before is not None and before[0].probability <= self.probability:
            return
        state = self._state.copy()
        if self._best is None or self.probability <= self._best.probability + SAME:
            self._best = _Best(self.probability, state, self.n_queries)
        attempts = [Attempt(self.probability, state.whole_text(), budget.amount, state)]
        if self._others:
            earlier = self._earlier()
            texts = earlier.texts_with([change for _, change in self._others])
            attempts += [
                Attempt(probability, text, budget.amount, earlier, change)
                for (probability, change), text in zip(self._others, texts, strict=True)
            ]
        self.found[budget.degree] = attempts

    def _question(self, changes: Sequence[WordChange]) -> Question:
        return Question(self, [*self._state.texts_with(changes)], changes)

    def _take_best(self, changes: Sequence[WordChange], answer: Iterable[float]) -> None:
        """Take the change that hurts most, and remember the next ones."""
        ranked = sorted((float(probability), place) for place, probability in enumerate(answer))
        probability, best = ranked[0]
        self._take(changes[best], probability if math.isfinite(probability) else None)
        self._others = [
            (other, changes[place]) for other, place in ranked[1 : 1 + MOST_OTHERS] if math.isfinite(other)
        ]

    def _take(self, change: WordChange, probability: float | None) -> None:
        self._state.take(change)
        self.probability = probability
        self._last = change
        self._others = []

    def _earlier(self) -> EditState:
        """Return the state before the last change."""
        state = self._state.copy()
        if self._last is not None:
            state.undo(self._last.word_index)
        return state


def walk(paths: Sequence[EditPath], answer: Answer) -> None:
    """Take all paths to their ends, in step."""
    walking: list[tuple[Asking, Question]] = []
    for path in paths:
        asking = path.walk()
        question = next(asking, None)
        if question is not None:
            walking.append((asking, question))
    while walking:
        answers = answer([question for _, question in walking])
        still_walking = []
        for (asking, _), of_question in zip(walking, answers, strict=True):
            try:
                still_walking.append((asking, asking.send(of_question)))
            except StopIteration:
                continue
        walking = still_walking
