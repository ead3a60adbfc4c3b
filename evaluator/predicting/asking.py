"""Asks a classifier about the texts of a task, clean ones first where its labels must be checked."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from classifiers import ClassifierKind, LoadRequest
from classifiers.machinery.chat.replies import Usage
from classifiers.machinery.classifier import Classifier, GradualClassifier, Keep, Probabilities, TextPair
from classifiers.machinery.label_names import check_assumed_labels, may_assume_labels
from contract.machine.errors import UserError
from contract.machine.progress import Progress
from contract.schema.manifest import TaskInfo
from evaluator.predicting.questions import Question
from evaluator.predicting.resuming import AnswerLog

# Few enough that the time left can be told soon.
_TEXTS_AT_A_TIME = 256


@dataclass(frozen=True, kw_only=True)
class Unlabelled:
    """How many texts of a task, and rows with them, got no label, and some reasons in words."""

    task: str
    n_texts: int
    n_rows: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Answers:
    """The answers to a task's rows."""

    labels: NDArray[np.intp]
    # None where every token has a label.
    probabilities: Probabilities | None
    unlabelled: Unlabelled
    # What this run paid for, where answers are paid for.
    usage: Usage | None = None
    # The label of each token, in tagging tasks.
    tags: Sequence[Sequence[int]] | None = None

    @property
    def needed_probabilities(self) -> Probabilities:
        """The probabilities, where a text is answered as a whole."""
        if self.probabilities is None:
            raise ValueError("tags have no probabilities")
        return self.probabilities


def stage_name(question: Question) -> str:
    """Return what progress calls the task."""
    return f"predict {question.task.name}"


class Asking:
    """One task's texts, the answers so far, and where new ones are kept."""

    def __init__(self, kind: ClassifierKind, question: Question, log: AnswerLog, progress: Progress) -> None:
        self._kind = kind
        self._question = question
        self._log = log
        self._progress = progress
        n_texts = len(question.texts)
        self.probabilities = np.full((n_texts, len(question.task.labels)), np.nan)
        logged = log.known(question.task.name)
        for index, row in logged.items():
            self.probabilities[index] = row
        self._is_answered = np.zeros(n_texts, np.bool_)
        self._is_answered[list(logged)] = True
        effort = sum(question.effort(int(index)) for index in np.flatnonzero(~self._is_answered))
        progress.stage(stage_name(question), n_texts, len(logged), effort)

    def ask(self, request: LoadRequest) -> Answers:
        """Return the answers to the task's rows, taking from the log what it has."""
        if self._is_answered.all():
            return self._answers(())
        is_resumed = not np.isnan(self.probabilities).all()
        classifier = self._kind.load(replace(request, is_resumed=is_resumed))
        n_clean = self._question.n_clean_texts
        reasons: list[str] = []
        if may_assume_labels(classifier) and n_clean:
            reasons += self._ask(classifier, n_clean)
            self._check_labels(classifier, request)
        reasons += self._ask(classifier, len(self._question.texts))
        return self._answers(reasons, getattr(classifier, "usage", None))

    def _ask(self, classifier: Classifier, stop: int) -> Sequence[str]:
        """Ask about the texts before a place that have no answer yet; return reasons for lacking labels."""
        question = self._question
        missing = np.flatnonzero(~self._is_answered[:stop])

        def keep(places: Sequence[int], rows: Probabilities) -> None:
            indices = missing[list(places)]
            _check(rows, len(indices), question.task, may_lack=self._kind.is_remote)
            self._log.append(question.task.name, indices, rows)
            self.probabilities[indices] = rows
            self._is_answered[indices] = True
            effort = sum(question.effort(index) for index in indices.tolist())
            self._progress.step(len(indices), effort)

        return _answer(classifier, [question.texts[index] for index in missing], keep) if len(missing) else ()

    def _check_labels(self, classifier: Classifier, request: LoadRequest) -> None:
        """Refuse labels taken by their order with which the clean rows are worse than guessed."""
        true = self._question.clean_labels
        if true is None:
            if getattr(classifier, "assumed_labels", None) is not None:
                request.say(f"{self._question.task.name}: labels are withheld, so their order is not checked")
            return
        of_row = np.array(self._question.index_of_row[: len(true)], np.intp)
        check_assumed_labels(classifier, self._question.task, self.probabilities[of_row].argmax(axis=1), true)

    def _answers(self, reasons: Sequence[str], usage: Usage | None = None) -> Answers:
        """Return the answers by row; a text without a label gets a random one, which does not help."""
        task, texts, probabilities = self._question.task, self._question.texts, self.probabilities
        lacks: NDArray[np.bool_] = np.isnan(probabilities[:, 0])
        labels = np.where(lacks, 0, probabilities.argmax(axis=1))
        for index in np.flatnonzero(lacks):
            # Drawn from the text, so that the same predictions are the same bytes.
            key = "\0".join(map(str, (task.name, *texts[index])))
            digest = hashlib.sha256(key.encode("utf-8", "replace"))
            labels[index] = int.from_bytes(digest.digest()[:8]) % len(task.labels)
        rows = np.array(self._question.index_of_row, np.intp)
        return Answers(
            labels=labels[rows],
            probabilities=np.where(lacks[:, None], 1 / len(task.labels), probabilities)[rows],
            unlabelled=Unlabelled(
                task=task.name,
                n_texts=int(lacks.sum()),
                n_rows=int(lacks[rows].sum()),
                reasons=tuple(reasons),
            ),
            usage=usage,
        )


def _answer(classifier: Classifier, texts: Sequence[TextPair], keep: Keep) -> Sequence[str]:
    """Give the answers to `keep` as they come, or some at a time."""
    if isinstance(classifier, GradualClassifier):
        return classifier.answer(texts, keep)
    for start in range(0, len(texts), _TEXTS_AT_A_TIME):
        batch = texts[start : start + _TEXTS_AT_A_TIME]
        keep(range(start, start + len(batch)), classifier.probabilities(batch))
    return ()


def _check(rows: Probabilities, n_texts: int, task: TaskInfo, *, may_lack: bool) -> None:
    """Refuse answers that are not what a classifier promises."""
    if rows.shape != (n_texts, len(task.labels)):
        raise ValueError(
            f"the classifier gave {rows.shape} numbers for {n_texts} texts and {len(task.labels)} labels"
        )
    if not np.isfinite(rows).all() and not may_lack:
        raise UserError(
            f"the classifier's probabilities for task {task.name} are not all numbers (NaN or infinite);"
            " its weights may be damaged: save or download them again"
        )
