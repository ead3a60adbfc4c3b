"""Lexicon polarity as class probabilities, for tasks that ask negative or positive."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from classifiers.machinery.classifier import Probabilities, TextPair
from contract.machine.errors import UserError
from contract.schema.manifest import TaskInfo


@dataclass(frozen=True)
class Polarity:
    """Turns a score from -1 (negative) to 1 (positive) into two probabilities."""

    score: Callable[[str], float]
    negative: int
    positive: int

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return (1 - score) / 2 and (1 + score) / 2 in the order of the task's labels."""
        scores = np.array([self.score(text) for text, _ in texts], dtype=np.float64)
        result = np.empty((len(texts), 2))
        result[:, self.negative] = (1 - scores) / 2
        result[:, self.positive] = (1 + scores) / 2
        return result


def polarity_for(task: TaskInfo, kind: str, score: Callable[[str], float]) -> Polarity:
    """Return the classifier for a task whose labels are negative and positive."""
    labels = [label.casefold() for label in task.labels]
    if sorted(labels) != ["negative", "positive"]:
        raise UserError(
            f"{kind} tells negative from positive, but task {task.name} asks for {', '.join(task.labels)};"
            " use another model for this release"
        )
    return Polarity(score, labels.index("negative"), labels.index("positive"))
