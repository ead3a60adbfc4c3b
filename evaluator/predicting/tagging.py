"""Asks a tagger about the tokens of a task's texts."""

from typing import TYPE_CHECKING

import numpy as np

from classifiers import ClassifierKind, LoadRequest
from contract.machine.progress import Progress
from contract.task_kinds.tagging import tokens_of
from evaluator.predicting.asking import Answers, Unlabelled, stage_name
from evaluator.predicting.questions import Question

if TYPE_CHECKING:
    from classifiers.machinery.classifier import Tagger

_TEXTS_AT_A_TIME = 256


def ask_tagger(kind: ClassifierKind, question: Question, request: LoadRequest, progress: Progress) -> Answers:
    """Return the tags of a task's rows; equal texts are asked about once."""
    texts = [tokens_of(text) for text, _ in question.texts]
    progress.stage(stage_name(question), len(texts), 0, sum(map(question.effort, range(len(texts)))))
    tagger: Tagger = kind.load(request)
    tags: list[list[int]] = []
    for start in range(0, len(texts), _TEXTS_AT_A_TIME):
        batch = texts[start : start + _TEXTS_AT_A_TIME]
        tags += tagger.tags(batch)
        progress.step(len(batch), sum(question.effort(start + place) for place in range(len(batch))))
    rows = question.index_of_row
    return Answers(
        labels=np.zeros(len(rows), np.intp),
        probabilities=None,
        tags=[tags[index] for index in rows],
        unlabelled=Unlabelled(task=question.task.name, n_texts=0, n_rows=0, reasons=()),
    )
