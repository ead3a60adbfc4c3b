"""A swarm: particles that each replace some words of a text, and move towards the strongest ones."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.searches.machinery.editable_texts import Budget, EditableText, PlacedOperation
from builder.searches.machinery.edits_per_word import with_operation
from builder.values.randomness import Draw

# For each word the number of the operation done to it; UNCHANGED for none.
Position = tuple[int, ...]
UNCHANGED = -1
# The highest velocity, either way.
FASTEST = 3.0


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How many particles move for how long, and how."""

    n_particles: int
    most_rounds: int
    highest_inertia: float
    lowest_inertia: float
    highest_movement: float
    lowest_movement: float


class Swarm:
    """The particles of one text at one budget; each changes exactly as many words as the budget says."""

    def __init__(self, text: EditableText, budget: Budget, rules: Rules, draw: Draw) -> None:
        self.text = text
        self.budget = budget
        self.has_fooled = False
        self._rules = rules
        self._draw = draw
        self._open = [index for index, operations in enumerate(text.operations) if len(operations)]
        self._known: dict[Position, float] = {}
        nothing = (UNCHANGED,) * len(text.words)
        self._positions = [self._filled(nothing) for _ in range(rules.n_particles)]
        self._velocities = [
            [FASTEST * (2 * draw.fraction() - 1) for _ in self._open] for _ in self._positions
        ]
        self._own_best = list(self._positions)

    def unknown(self) -> list[Position]:
        """Return the different positions of particles of which no probability is known."""
        return list(dict.fromkeys(each for each in self._positions if each not in self._known))

    def learn(self, position: Position, probability: float, *, is_fooled: bool) -> None:
        """Note how probable the true label is at a position."""
        self._known[position] = probability
        self.has_fooled = self.has_fooled or is_fooled

    def written(self, position: Position) -> str:
        """Return the text at a position."""
        pieces = list(self.text.pieces)
        for index, chosen in self._chosen(position):
            operation = self.text.operations[index].items[chosen]
            pieces[2 * index + 1] = with_operation(self.text.words[index].text, (), operation)
        return "".join(pieces)

    def placed(self, position: Position) -> list[PlacedOperation]:
        """Return the operations of a position with their words."""
        chosen = [
            (index, [self.text.operations[index].items[number]]) for index, number in self._chosen(position)
        ]
        return self.text.placed(chosen)

    def strongest(self, n: int) -> list[Position]:
        """Return the positions with the lowest probabilities so far."""
        return sorted(self._known, key=lambda position: (self._known[position], position))[:n]

    def move(self, share_done: float) -> None:
        """Move every particle: towards its own best position early, towards the swarm's best later."""
        rules, draw = self._rules, self._draw
        inertia = _between(rules.highest_inertia, rules.lowest_inertia, share_done)
        to_own = _between(rules.highest_movement, rules.lowest_movement, share_done)
        to_best = _between(rules.lowest_movement, rules.highest_movement, share_done)
        best = self.strongest(1)[0]
        for number, position in enumerate(self._positions):
            if self._known[position] < self._known[self._own_best[number]]:
                self._own_best[number] = position
            own, velocity = self._own_best[number], self._velocities[number]
            for place, index in enumerate(self._open):
                pull = _agrees(own[index], position[index]) + _agrees(best[index], position[index])
                faster = inertia * velocity[place] + (1 - inertia) * pull
                velocity[place] = max(-FASTEST, min(FASTEST, faster))
            moved = position
            if draw.fraction() < to_own:
                moved = self._towards(moved, own, velocity)
            if draw.fraction() < to_best:
                moved = self._towards(moved, best, velocity)
            if moved == position:
                moved = self._mutated(moved)
            self._positions[number] = self._filled(moved)

    def _towards(self, position: Position, aim: Position, velocity: Sequence[float]) -> Position:
        """Return a position with words of another one, where velocity and chance say so."""
        moved = list(position)
        for place, index in enumerate(self._open):
            if self._draw.fraction() < 1 / (1 + math.exp(-velocity[place])):
                moved[index] = aim[index]
        return tuple(moved)

    def _mutated(self, position: Position) -> Position:
        """Return a position with one word back in its place; another one takes its turn."""
        changed = [index for index, _ in self._chosen(position)]
        back = self._draw.choice(changed)
        return tuple(UNCHANGED if index == back else each for index, each in enumerate(position))

    def _filled(self, position: Position) -> Position:
        """Return a position that changes as many words as the budget says: some more, or some fewer."""
        filled = list(position)
        changed = [index for index in self._open if filled[index] != UNCHANGED]
        for index in self._draw.sample(changed, max(0, len(changed) - self.budget.amount)):
            filled[index] = UNCHANGED
        free = [index for index in self._open if filled[index] == UNCHANGED]
        for index in self._draw.sample(free, max(0, self.budget.amount - len(changed))):
            filled[index] = self._draw.below(len(self.text.operations[index]))
        return tuple(filled)

    @staticmethod
    def _chosen(position: Position) -> Iterator[tuple[int, int]]:
        return ((index, number) for index, number in enumerate(position) if number != UNCHANGED)


def _between(first: float, last: float, share: float) -> float:
    return first + (last - first) * share


def _agrees(one: int, other: int) -> int:
    return 1 if one == other else -1
