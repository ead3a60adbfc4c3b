"""How answers are written into a predictions file, and what a template asks for: one form a kind of task."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from contract.machine.registry import Registry
from contract.schema.manifest import TaskInfo
from contract.task_kinds import TASK_KINDS
from contract.task_kinds.classification import CLASSIFICATION
from contract.task_kinds.multilabel import DECISION, MULTILABEL
from contract.task_kinds.tagging import TAGGING
from evaluator.predicting.asking import Answers

_DIGITS = 6


@dataclass(frozen=True, kw_only=True)
class AnswerForm:
    """How the answers to the rows of a task are written."""

    name: str
    # For each row its `prediction` and its `probabilities`.
    written: Callable[[Answers, TaskInfo], Iterator[tuple[Any, Any]]]


def _labels(answers: Answers, task: TaskInfo) -> Iterator[tuple[Any, Any]]:
    values = np.round(answers.needed_probabilities, _DIGITS).tolist()
    for label, probabilities in zip(answers.labels.tolist(), values, strict=True):
        yield task.labels[label], probabilities


def _held_labels(answers: Answers, task: TaskInfo) -> Iterator[tuple[Any, Any]]:
    for row in np.round(answers.needed_probabilities, _DIGITS).tolist():
        held = [name for name, share in zip(task.labels, row, strict=True) if share >= DECISION]
        yield held, row


def _tags(answers: Answers, task: TaskInfo) -> Iterator[tuple[Any, Any]]:
    for codes in answers.tags or ():
        yield [task.labels[code] for code in codes], None


FORMS: Registry[AnswerForm] = Registry(
    "task kind",
    [
        AnswerForm(name=CLASSIFICATION.name, written=_labels),
        AnswerForm(name=MULTILABEL.name, written=_held_labels),
        AnswerForm(name=TAGGING.name, written=_tags),
    ],
)


def asked_for(tasks: Sequence[TaskInfo]) -> str:
    """Return what a predictions file must give for some tasks, in words."""
    lists = {task.kind: TASK_KINDS[task.kind].lists for task in tasks}
    words = [f"for {kind} tasks give {own.answer}" for kind, own in lists.items() if own is not None]
    if CLASSIFICATION.name in lists:
        words.insert(0, "give label names or indices as `prediction`")
    return "; ".join(words)
