"""Reads what a user's function says about texts with many labels: probabilities of each, or lists of tags."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classifiers.machinery.classifier import Probabilities, TextPair
from classifiers.machinery.own_process.process import FunctionProcess
from contract.machine.errors import UserError
from contract.schema.manifest import TaskInfo


@dataclass(frozen=True)
class LabelsFunction:
    """A user's function that gives each label of a text a probability for itself."""

    process: FunctionProcess
    spec: str
    task: TaskInfo

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return one number a label; rows need not sum to 1."""
        is_pair = len(self.task.fields) == 2
        answers = self.process.ask([pair if is_pair else pair[0] for pair in texts])
        rows = [self._row(answer) for answer in answers]
        return np.array(rows, np.float64).reshape(len(texts), len(self.task.labels))

    def _row(self, answer: Any) -> list[float]:
        labels = self.task.labels
        values = answer
        if isinstance(answer, dict):
            values = [answer.get(label) for label in labels] if set(answer) == set(labels) else None
        if isinstance(values, list) and len(values) == len(labels) and all(map(_is_share, values)):
            return [float(value) for value in values]
        raise UserError(
            f"{self.spec} returned {str(answer)[:60]!r}; return for each text {len(labels)} numbers from 0 to"
            f" 1, or the number of each label by its name: {', '.join(labels)}"
        )


@dataclass(frozen=True)
class TagsFunction:
    """A user's function that gives every token a label; it gets lists of tokens."""

    process: FunctionProcess
    spec: str
    task: TaskInfo

    def tags(self, texts: Sequence[Sequence[str]]) -> list[list[int]]:
        """Return for each text one label a token."""
        answers = self.process.ask([list(tokens) for tokens in texts])
        return [self._row(answer, len(tokens)) for answer, tokens in zip(answers, texts, strict=True)]

    def _row(self, answer: Any, n_tokens: int) -> list[int]:
        labels = self.task.labels
        if isinstance(answer, list) and len(answer) == n_tokens:
            places = [self._place(item) for item in answer]
            known = [place for place in places if place is not None]
            if len(known) == n_tokens:
                return known
        raise UserError(
            f"{self.spec} returned {str(answer)[:60]!r} for a text of {n_tokens} tokens; return for each text"
            f" a list with a label for each token, by name or index: {', '.join(labels)}"
        )

    def _place(self, item: Any) -> int | None:
        labels = self.task.labels
        if isinstance(item, str):
            return labels.index(item) if item in labels else None
        is_index = isinstance(item, int) and not isinstance(item, bool) and 0 <= item < len(labels)
        return item if is_index else None


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
