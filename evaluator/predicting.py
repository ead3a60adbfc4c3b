"""Runs a classifier over every row of a release and writes its predictions file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from classifiers import LoadRequest, parse_spec
from classifiers.classifier import Classifier, Probabilities, TextPair
from contract.files import cache_path
from contract.manifest import TaskInfo
from contract.predictions import ReleaseRows, format_of
from contract.progress import Progress, Silence
from contract.release import Release
from evaluator.resuming import AnswerLog
from evaluator.writing import PREDICTION_COLUMNS, write_rows

_TEXTS_AT_A_TIME = 1_024
_DIGITS = 6


@dataclass(frozen=True, kw_only=True, eq=False)
class _Question:
    """The distinct texts of a task, and which of them each row of the task has."""

    task: TaskInfo
    texts: list[TextPair]
    place_of_row: list[int]


def predict(
    release_path: Path,
    spec: str,
    predictions_path: Path,
    *,
    is_trusted: bool = False,
    is_resumed: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write the predictions of the classifier that the spec names and return their number."""
    kind, argument = parse_spec(spec)
    format_of(predictions_path)
    release = Release.open(release_path)
    rows = ReleaseRows.read(release, ("id", "text", "text_pair"))
    questions = [_question(rows, task) for task in rows.tasks]
    log = AnswerLog(
        resume_path(predictions_path),
        key={"manifest": release.manifest_sha256, "model": spec},
        n_labels={task.name: len(task.labels) for task in rows.tasks},
    )
    if is_resumed:
        log.resume({question.task.name: len(question.texts) for question in questions})
    else:
        log.restart()
    probabilities: dict[str, Probabilities] = {}
    with log:
        for question in questions:
            request = LoadRequest(
                argument=argument,
                task=question.task,
                release=release,
                cache_path=cache_path(),
                is_trusted=is_trusted,
            )
            answers = _ask(kind.load(request), question, log, progress or Silence())
            probabilities[question.task.name] = answers[question.place_of_row]
        write_rows(predictions_path, PREDICTION_COLUMNS, _predictions(rows, probabilities))
    return len(rows)


def resume_path(predictions_path: Path) -> Path:
    """Return where the answers are kept until all are given."""
    return predictions_path.with_name(f"{predictions_path.name}.resume")


def _question(rows: ReleaseRows, task: TaskInfo) -> _Question:
    """Return what to ask about a task, whose rows stand together; equal texts are asked about once."""
    groups = [group for group in rows.groups if group.task == task.name]
    start, stop = (groups[0].start, groups[-1].stop) if groups else (0, 0)
    table = rows.table.slice(start, stop - start)
    places: dict[TextPair, int] = {}
    pairs = zip(table["text"].to_pylist(), table["text_pair"].to_pylist(), strict=True)
    place_of_row = [places.setdefault(pair, len(places)) for pair in pairs]
    return _Question(task=task, texts=list(places), place_of_row=place_of_row)


def _ask(classifier: Classifier, question: _Question, log: AnswerLog, progress: Progress) -> Probabilities:
    """Return one row of probabilities a distinct text, taking from the log what it has."""
    task, texts = question.task, question.texts
    known = log.known(task.name)
    answers = np.empty((len(texts), len(task.labels)))
    answers[: len(known)] = known
    progress.stage(f"predict {task.name}", len(texts))
    progress.step(len(known))
    for start in range(len(known), len(texts), _TEXTS_AT_A_TIME):
        batch = texts[start : start + _TEXTS_AT_A_TIME]
        found = _checked(classifier.probabilities(batch), len(batch), task)
        answers[start : start + len(batch)] = found
        log.append(found)
        progress.step(len(batch))
    return answers


def _checked(answers: Probabilities, n_texts: int, task: TaskInfo) -> Probabilities:
    """Return the answers if they are what a classifier promises."""
    if answers.shape != (n_texts, len(task.labels)) or not np.isfinite(answers).all():
        raise ValueError(
            f"the classifier gave {answers.shape} numbers for {n_texts} texts and {len(task.labels)} labels"
        )
    return answers


def _predictions(rows: ReleaseRows, probabilities: dict[str, Probabilities]) -> Iterator[dict[str, Any]]:
    ids = iter(rows.table["id"].to_pylist())
    for task in rows.tasks:
        answers = probabilities[task.name]
        winners = answers.argmax(axis=1)
        for winner, values in zip(winners.tolist(), np.round(answers, _DIGITS).tolist(), strict=True):
            yield {
                "id": next(ids),
                "prediction": task.labels[winner],
                "probabilities": values,
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
