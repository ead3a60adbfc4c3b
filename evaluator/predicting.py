"""Runs a classifier over every row of a release and writes its predictions file."""

from collections.abc import Iterator, Sequence
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
from evaluator.writing import PREDICTION_COLUMNS, write_rows

_TEXTS_AT_A_TIME = 1_024
_DIGITS = 6


def predict(
    release_path: Path,
    spec: str,
    predictions_path: Path,
    *,
    is_trusted: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write the predictions of the classifier that the spec names and return their number."""
    kind, argument = parse_spec(spec)
    format_of(predictions_path)
    release = Release.open(release_path)
    rows = ReleaseRows.read(release, ("id", "text", "text_pair"))
    probabilities: dict[str, Probabilities] = {}
    for task in rows.tasks:
        request = LoadRequest(
            argument=argument,
            task=task,
            release=release,
            cache_path=cache_path(),
            is_trusted=is_trusted,
        )
        probabilities[task.name] = _ask(kind.load(request), task, _texts(rows, task), progress or Silence())
    write_rows(predictions_path, PREDICTION_COLUMNS, _predictions(rows, probabilities))
    return len(rows)


def _texts(rows: ReleaseRows, task: TaskInfo) -> list[TextPair]:
    """Return the texts of a task's rows, which stand together."""
    groups = [group for group in rows.groups if group.task == task.name]
    table = rows.table.slice(groups[0].start, groups[-1].stop - groups[0].start)
    return list(zip(table["text"].to_pylist(), table["text_pair"].to_pylist(), strict=True))


def _ask(
    classifier: Classifier, task: TaskInfo, texts: Sequence[TextPair], progress: Progress
) -> Probabilities:
    """Return one row of probabilities a text; equal texts are asked about once."""
    places: dict[TextPair, int] = {}
    place_of_text = [places.setdefault(text, len(places)) for text in texts]
    distinct = list(places)
    progress.stage(f"predict {task.name}", len(distinct))
    answers = np.empty((len(distinct), len(task.labels)))
    for start in range(0, len(distinct), _TEXTS_AT_A_TIME):
        batch = distinct[start : start + _TEXTS_AT_A_TIME]
        answers[start : start + len(batch)] = _checked(classifier.probabilities(batch), len(batch), task)
        progress.step(len(batch))
    return np.asarray(answers[place_of_text])


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
