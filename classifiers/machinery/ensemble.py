"""Several classifiers as one: the mean of their probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classifiers.machinery.classifier import Classifier, Probabilities, TextPair, cost_of


@dataclass(frozen=True)
class Ensemble:
    """Asks every member about every text; has no mask token, so words are hidden by leaving them out."""

    members: tuple[Classifier, ...]

    @property
    def cost(self) -> int:
        """The cost of all members together."""
        return sum(map(cost_of, self.members))

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the mean of the members' probabilities."""
        return np.asarray(np.mean([member.probabilities(texts) for member in self.members], axis=0))
