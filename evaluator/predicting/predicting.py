"""Runs a classifier over every row of a release and writes its predictions file."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classifiers import ClassifierKind, LoadRequest, parse_spec
from classifiers.machinery.classifier import (
    Classifier,
    EndpointOptions,
    GradualClassifier,
    Keep,
    Probabilities,
    TextPair,
)
from contract.machine.cache_folder import cache_path
from contract.machine.errors import ExitCode, UserError
from contract.machine.hashes import hash_of
from contract.machine.progress import Progress, Silence
from contract.predictions.opening import format_of
from contract.predictions.reading import ReleaseRows
from contract.release.release import Release
from contract.schema.manifest import TaskInfo
from evaluator.predicting.resuming import AnswerLog
from evaluator.predicting.writing import PREDICTION_COLUMNS, write_rows

_TEXTS_AT_A_TIME = 1_024
_DIGITS = 6


@dataclass(frozen=True, kw_only=True)
class Unlabelled:
    """How many texts of a task, and rows with them, got no label, and some reasons in words."""

    task: str
    n_texts: int
    n_rows: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Predicted:
    """What a prediction wrote; rows without a label count as guesses by chance."""

    n_rows: int
    unlabelled: tuple[Unlabelled, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Question:
    """The distinct texts of a task, and which of them each row of the task has."""

    task: TaskInfo
    texts: list[TextPair]
    index_of_row: list[int]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Answers:
    """The answers to a task's rows."""

    labels: NDArray[np.intp]
    probabilities: Probabilities
    unlabelled: Unlabelled


def predict(
    release_path: Path,
    spec: str,
    predictions_path: Path,
    *,
    is_trusted: bool = False,
    is_resumed: bool = False,
    endpoint: EndpointOptions | None = None,
    progress: Progress | None = None,
) -> Predicted:
    """Write the predictions of the classifier that the spec names; return how many rows got a label."""
    kind, argument = parse_spec(spec)
    if endpoint is not None and not kind.is_remote:
        raise UserError(
            f"{kind.name} runs here; --base-url, --prompt, --request, --concurrency, --timeout are for api",
            exit_code=ExitCode.WRONG_USE,
        )
    format_of(predictions_path)
    release = Release.open(release_path)
    rows = ReleaseRows.read(release, ("id", "text", "text_pair"))
    questions = [_question(rows, task) for task in rows.tasks]
    requests = [
        LoadRequest(
            argument=argument,
            task=question.task,
            release=release,
            cache_path=cache_path(),
            is_trusted=is_trusted,
            endpoint=endpoint or EndpointOptions(),
        )
        for question in questions
    ]
    log = _open_log(kind, spec, resume_path(predictions_path), questions, requests, is_resumed=is_resumed)
    with log:
        answers = [
            _ask(kind, request, question, log, progress or Silence())
            for request, question in zip(requests, questions, strict=True)
        ]
        write_rows(predictions_path, PREDICTION_COLUMNS, _predictions(rows, answers))
    unlabelled = tuple(answer.unlabelled for answer in answers if answer.unlabelled.n_texts)
    return Predicted(n_rows=len(rows), unlabelled=unlabelled)


def resume_path(predictions_path: Path) -> Path:
    """Return where the answers are kept until all are given."""
    return predictions_path.with_name(f"{predictions_path.name}.resume")


def _open_log(
    kind: ClassifierKind,
    spec: str,
    path: Path,
    questions: Sequence[_Question],
    requests: Sequence[LoadRequest],
    *,
    is_resumed: bool,
) -> AnswerLog:
    """Return the log, with the answers of an earlier run if it is resumed or they cost money."""
    key = {
        "manifest": requests[0].needed_release.manifest_sha256,
        "model": spec,
        "identity": hash_of([kind.identity(request) for request in requests]),
    }
    n_labels = {question.task.name: len(question.task.labels) for question in questions}
    log = AnswerLog(path, key, n_labels, is_paid=kind.is_remote)
    if is_resumed or kind.is_remote:
        log.resume({question.task.name: len(question.texts) for question in questions})
    else:
        log.restart()
    return log


def _question(rows: ReleaseRows, task: TaskInfo) -> _Question:
    """Return what to ask about a task, whose rows stand together; equal texts are asked about once."""
    groups = [group for group in rows.groups if group.task == task.name]
    start, stop = (groups[0].start, groups[-1].stop) if groups else (0, 0)
    table = rows.table.slice(start, stop - start)
    indices: dict[TextPair, int] = {}
    pairs = zip(table["text"].to_pylist(), table["text_pair"].to_pylist(), strict=True)
    index_of_row = [indices.setdefault(pair, len(indices)) for pair in pairs]
    return _Question(task=task, texts=list(indices), index_of_row=index_of_row)


def _ask(
    kind: ClassifierKind, request: LoadRequest, question: _Question, log: AnswerLog, progress: Progress
) -> _Answers:
    """Return the answers to a task's rows, taking from the log what it has."""
    task, texts = question.task, question.texts
    probabilities = np.full((len(texts), len(task.labels)), np.nan)
    logged = log.known(task.name)
    for index, row in logged.items():
        probabilities[index] = row
    progress.stage(f"predict {task.name}", len(texts))
    progress.step(len(logged))
    missing = np.array([index for index in range(len(texts)) if index not in logged], np.intp)
    reasons: Sequence[str] = ()
    if len(missing):

        def keep(places: Sequence[int], rows: Probabilities) -> None:
            indices = missing[list(places)]
            _check(rows, len(indices), task, may_lack=kind.is_remote)
            log.append(task.name, indices, rows)
            probabilities[indices] = rows
            progress.step(len(indices))

        classifier = kind.load(replace(request, is_resumed=not np.isnan(probabilities).all()))
        reasons = _answer(classifier, [texts[index] for index in missing], keep)
    return _answers(question, probabilities, reasons)


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


def _answers(question: _Question, probabilities: Probabilities, reasons: Sequence[str]) -> _Answers:
    """Return the answers by row; a text without a label gets a random one, which neither helps nor harms."""
    task, texts = question.task, question.texts
    lacks: NDArray[np.bool_] = np.isnan(probabilities[:, 0])
    labels = np.where(lacks, 0, probabilities.argmax(axis=1))
    for index in np.flatnonzero(lacks):
        # Drawn from the text, so that the same predictions are the same bytes.
        digest = hashlib.sha256("\0".join(map(str, (task.name, *texts[index]))).encode("utf-8", "replace"))
        labels[index] = int.from_bytes(digest.digest()[:8]) % len(task.labels)
    rows = np.array(question.index_of_row, np.intp)
    return _Answers(
        labels=labels[rows],
        probabilities=np.where(lacks[:, None], 1 / len(task.labels), probabilities)[rows],
        unlabelled=Unlabelled(
            task=task.name, n_texts=int(lacks.sum()), n_rows=int(lacks[rows].sum()), reasons=tuple(reasons)
        ),
    )


def _predictions(rows: ReleaseRows, answers: Sequence[_Answers]) -> Iterator[dict[str, Any]]:
    ids = iter(rows.table["id"].to_pylist())
    for task, answer in zip(rows.tasks, answers, strict=True):
        values = np.round(answer.probabilities, _DIGITS).tolist()
        for label, probabilities in zip(answer.labels.tolist(), values, strict=True):
            yield {
                "id": next(ids),
                "prediction": task.labels[label],
                "probabilities": probabilities,
                "benchmark": rows.benchmark,
            }


def write_template(release_path: Path, template_path: Path, *, has_texts: bool = True) -> int:
    """Write a predictions file without predictions and return the number of its rows."""
    rows = ReleaseRows.read(Release.open(release_path), ("id", "task", "text", "text_pair"))
    columns = ("id", "prediction", "benchmark", *(("task", "text", "text_pair") if has_texts else ()))
    empty = {"prediction": None, "benchmark": rows.benchmark}
    filled = (
        row | empty
        for batch in rows.table.to_batches(max_chunksize=_TEXTS_AT_A_TIME)
        for row in batch.to_pylist()
    )
    write_rows(template_path, columns, filled)
    return len(rows)
