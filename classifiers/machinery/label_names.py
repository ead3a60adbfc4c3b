"""Matches what a model calls its labels with the labels of a task; nothing is matched in silence by order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifiers.machinery.classifier import Classifier, LoadRequest
from contract.machine.errors import UserError
from contract.schema.manifest import TaskInfo

# What libraries call labels that nobody named.
_NUMBERED = re.compile(r"(?:label[_ -]?)?(\d{1,4})", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class AssumedLabels:
    """Labels that a model only numbers, taken in the order of the task's labels."""

    spec: str
    names: tuple[str, ...]
    labels: tuple[str, ...]

    def __str__(self) -> str:
        return listed_pairs(self.names, self.labels)


@dataclass(frozen=True, kw_only=True)
class MatchedLabels:
    """For each of a model's labels the index of the task's label that it means."""

    places: tuple[int, ...]
    # Set where only the order of the labels says so.
    assumed: AssumedLabels | None = None


def match_labels(spec: str, names: Sequence[str], request: LoadRequest) -> MatchedLabels:
    """Return what a model's labels mean: by the user's word, by name, or by number, which is said.

    Refuses names that the task does not have.
    """
    task = request.task
    given = request.options.labels_of(task)
    if given:
        places = places_given(spec, given, task, len(names))
        meant = tuple(task.labels[place] for place in places)
        request.say(f"{spec}: {listed_pairs(names, meant)}, as --labels says")
        return MatchedLabels(places=places)
    named = [named_place(name, task) for name in names]
    if len(set(named)) == len(named) and None not in named:
        return MatchedLabels(places=tuple(place for place in named if place is not None))
    numbers = [numbered_place(name, task) for name in names]
    if len(set(numbers)) == len(numbers) and None not in numbers:
        by_number = tuple(place for place in numbers if place is not None)
        labels = tuple(task.labels[place] for place in by_number)
        assumed = AssumedLabels(spec=spec, names=tuple(names), labels=labels)
        say_assumed(assumed, request)
        return MatchedLabels(places=by_number, assumed=assumed)
    raise UserError(
        f"{spec} has the labels {', '.join(names)}, task {task.name} has {', '.join(task.labels)};"
        f" say what they mean, in the model's order: --labels {','.join(task.labels)}"
    )


def say_assumed(assumed: AssumedLabels, request: LoadRequest) -> None:
    """Say which label each number of a model is taken for."""
    request.say(
        f"{assumed.spec}: its labels have no names and are taken in the order of task {request.task.name}:"
        f" {assumed}. If this is wrong, give the model's order with --labels"
    )


def places_given(spec: str, given: Sequence[str], task: TaskInfo, n_labels: int) -> tuple[int, ...]:
    """Return the indices of the labels that the user gives in the model's order; refuse what does not fit."""
    places = [named_place(name, task) for name in given]
    wrong = [name for name, place in zip(given, places, strict=True) if place is None]
    found = tuple(place for place in places if place is not None)
    if wrong or len(set(found)) != len(given) or len(given) != n_labels:
        what = f"{wrong[0]!r} is no label of it" if wrong else f"the model has {n_labels}"
        raise UserError(
            f"--labels {','.join(given)}: does not fit task {task.name} and {spec}: {what}; give each of"
            f" {', '.join(task.labels)} once, in the model's order"
        )
    return found


def named_place(name: str, task: TaskInfo) -> int | None:
    """Return the index of the task's label of a name, to the letter or in another case."""
    if name in task.labels:
        return task.labels.index(name)
    folded = [label.casefold() for label in task.labels]
    return folded.index(name.casefold()) if folded.count(name.casefold()) == 1 else None


def numbered_place(name: str, task: TaskInfo) -> int | None:
    """Return the index that a name such as LABEL_1 or 1 holds, if the task has so many labels."""
    found = _NUMBERED.fullmatch(name.strip())
    return int(found[1]) if found and int(found[1]) < len(task.labels) else None


def listed_pairs(names: Sequence[str], labels: Sequence[str]) -> str:
    """Return names with the labels that they mean, as messages write them."""
    return ", ".join(
        name if name == label else f"{name} = {label}" for name, label in zip(names, labels, strict=True)
    )


class WrongLabelsError(UserError):
    """Labels taken by their order do worse than guessing."""


def may_assume_labels(classifier: Classifier) -> bool:
    """Tell whether a classifier takes labels by their order, or may do so when it answers."""
    return getattr(classifier, "assumed_labels", None) is not None or hasattr(classifier, "reader")


def check_assumed_labels(
    classifier: Classifier, task: TaskInfo, given: NDArray[np.intp], true: NDArray[np.int32]
) -> None:
    """Refuse labels taken by their order by which clean texts are answered worse than by guessing."""
    assumed: AssumedLabels | None = getattr(classifier, "assumed_labels", None)
    present = np.unique(true)
    if assumed is None or len(present) < 2:
        return
    recalls = [float((given[true == label] == label).mean()) for label in present]
    balanced, guessing = float(np.mean(recalls)), 1 / len(present)
    if balanced >= guessing:
        return
    other = ",".join(reversed(assumed.labels)) if len(assumed.labels) == 2 else "A,B,…"
    raise WrongLabelsError(
        f"{assumed.spec} is right on {balanced:.1%} of the clean texts of {task.name} (mean over labels),"
        f" worse than guessing ({guessing:.1%}). Its labels have no names and were taken by their order:"
        f" {assumed}. Give the model's own order: --labels {other}; if this order is right and the model"
        f" is not, say so: --labels {','.join(assumed.labels)}"
    )
