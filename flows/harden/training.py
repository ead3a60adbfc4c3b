"""Trains one model of a run, asks it about the benchmark, and keeps model and answers."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from builder.values.samples import Sample
from classifiers import TRAINABLE_KINDS, LoadRequest, TrainingSet
from classifiers.kinds.stored import write_description
from classifiers.machinery.answers import AnswerReader
from classifiers.machinery.classifier import ModelOptions, Probabilities, TextPair
from classifiers.machinery.own_process.process import FunctionProcess
from contract.release.release import Release
from contract.schema.manifest import SplitInfo, TaskInfo
from contract.schema.names import CLEAN, TRAIN, degree_key
from evaluator.predicting.writing import PREDICTION_COLUMNS, write_rows

PYTHON = "python:"
_QUESTIONS_AT_A_TIME = 20_000


@dataclass(frozen=True, kw_only=True)
class Training:
    """What a model is trained with beside its rows."""

    kind: str
    task: TaskInfo
    seed: int
    epochs: int | None = None
    python_path: Path | None = None

    def fit_and_ask(
        self, rows: Sequence[Sample], questions: Sequence[TextPair], folder: Path
    ) -> Probabilities:
        """Return the answers of a model that is trained on the rows and kept in the folder."""
        if self.kind.startswith(PYTHON):
            return self._fit_function(rows, questions)
        kind = TRAINABLE_KINDS[self.kind]
        unfinished = folder.with_name(f".{folder.name}")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        kind.train(
            TrainingSet(
                texts=[(row.text, row.text_pair) for row in rows],
                labels=[row.label for row in rows],
                n_labels=len(self.task.labels),
                seed=self.seed,
                epochs=self.epochs,
            ),
            unfinished,
        )
        write_description(unfinished, kind.name, self.task.labels)
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.rename(folder)
        model = kind.load(folder)
        parts = [
            model.probabilities(questions[start : start + _QUESTIONS_AT_A_TIME])
            for start in range(0, len(questions), _QUESTIONS_AT_A_TIME)
        ]
        return np.concatenate(parts)

    def _fit_function(self, rows: Sequence[Sample], questions: Sequence[TextPair]) -> Probabilities:
        argument = self.kind.removeprefix(PYTHON)
        is_pair = len(self.task.fields) == 2
        process = FunctionProcess(argument, self.python_path)
        process.train(
            [(row.text, row.text_pair) if is_pair else row.text for row in rows],
            [self.task.labels[row.label] for row in rows],
        )
        options = ModelOptions(python_path=self.python_path)
        request = LoadRequest(
            argument=argument, task=self.task, release=None, cache_path=Path(), options=options
        )
        answers = process.ask([pair if is_pair else pair[0] for pair in questions])
        process.close()
        return AnswerReader(self.kind, request).rows(answers)


@dataclass(frozen=True, kw_only=True)
class Questions:
    """Everything of one task of a release that a model is asked about, split after split."""

    splits: tuple[SplitInfo, ...]
    ids: tuple[str, ...]
    texts: tuple[TextPair, ...]
    labels: tuple[int, ...]

    @classmethod
    def of(cls, release: Release, task: str) -> "Questions":
        """Return clean samples and cases; rows for training are left out."""
        splits = tuple(
            split for split in release.splits(task=task) if split.dimension != TRAIN and split.rows
        )
        ids: list[str] = []
        texts: list[TextPair] = []
        labels: list[int] = []
        for split in splits:
            table = release.table(split, ["id", "text", "text_pair", "label"])
            ids += table["id"].to_pylist()
            texts += zip(table["text"].to_pylist(), table["text_pair"].to_pylist(), strict=True)
            labels += table["label"].to_pylist()
        return cls(splits=splits, ids=tuple(ids), texts=tuple(texts), labels=tuple(labels))

    def accuracies(self, answers: Probabilities) -> dict[str, float]:
        """Return the accuracy on each split, by the name that `split_key` gives it."""
        right = answers.argmax(axis=1) == np.array(self.labels)
        found, start = {}, 0
        for split in self.splits:
            found[split_key(split.dimension, split.setting, split.degree)] = float(
                right[start : start + split.rows].mean()
            )
            start += split.rows
        return found

    def write(self, answers: Probabilities, path: Path, task: TaskInfo, benchmark: str) -> None:
        """Write the answers as a predictions file, to be scored and submitted."""
        rows = (
            {
                "id": own,
                "prediction": task.labels[int(row.argmax())],
                "probabilities": [float(value) for value in row],
                "benchmark": benchmark,
            }
            for own, row in zip(self.ids, answers, strict=True)
        )
        write_rows(path, PREDICTION_COLUMNS, rows)


def split_key(dimension: str, setting: str | None, degree: float | None) -> str:
    """Return the name of a split among accuracies."""
    if dimension == CLEAN:
        return CLEAN
    return f"{dimension}/{setting or ''}/{degree_key(degree)}"
