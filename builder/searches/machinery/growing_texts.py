"""Texts to which an attack adds pieces, with the rewrites measured so far and what is still to be found."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from builder.operations.dimension import Pieces, Rewrite
from builder.searches.machinery.attempts import SAME
from builder.values.samples import Sample


class MeasuredRewrite(NamedTuple):
    """A measured rewrite."""

    probability: float
    text: str
    rewrite: Rewrite
    realised: float
    is_fooled: bool


@dataclass(slots=True)
class GrowingText:
    """A sample, the pieces that can be added to it, and the rewrites measured so far, by degree."""

    sample: Sample
    text: str
    pieces: Pieces
    # The degrees that the sample carries, rising.
    degrees: Sequence[float]
    states: dict[float, list[MeasuredRewrite]]
    # The pieces, the most harmful first, and how far one of them moves the text.
    order: list[int] = field(default_factory=list)
    stride: float = 0.05
    n_queries: int = 0
    tried: set[tuple[float, str]] = field(default_factory=set)

    def best(self, degree: float) -> MeasuredRewrite | None:
        """Return the strongest rewrite of a bin."""
        return min(self.states[degree], default=None)

    def open_degrees(self) -> list[float]:
        """Return the degrees to work on: first those weaker than a lower one, then those that fool nobody."""
        weaker, unfooled = [], []
        lowest = math.inf
        for degree in self.degrees:
            best = self.best(degree)
            if best is None or best.probability > lowest + SAME:
                weaker.append(degree)
            elif not best.is_fooled:
                unfooled.append(degree)
            lowest = min(lowest, best.probability if best else math.inf)
        return weaker + unfooled

    def parent_for(self, degree: float) -> MeasuredRewrite | None:
        """Return the strongest rewrite of lower bins that was not tried for this bin."""
        below = [
            state
            for lower in self.degrees
            if lower < degree
            for state in self.states[lower]
            if (degree, state.text) not in self.tried
        ]
        return min(below, default=None)
