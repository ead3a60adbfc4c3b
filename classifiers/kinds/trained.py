"""A kind of surrogate, trained anew on the rows that a release offers for training."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from classifiers.machinery.classifier import (
    ALL_TASK_KINDS,
    Classifier,
    ClassifierKind,
    LoadRequest,
    Tagger,
    TrainableKind,
    TrainingSet,
)
from classifiers.machinery.listed import ListedTrainable, ListedTrainingSet
from classifiers.machinery.listed_rows import listed_training_rows
from contract.machine.errors import ExitCode, UserError
from contract.machine.registry import Registry
from contract.schema.names import TRAIN
from contract.schema.records import Record, records_of
from contract.task_kinds.classification import CLASSIFICATION

# No build has this seed by default, and every fifth row is left out: the weights are not a surrogate's.
SEED = 7
LEFT_OUT_EVERY = 5


def trained_kind(trainable: Registry[TrainableKind], listed: Registry[ListedTrainable]) -> ClassifierKind:
    """Return the kind; both hold kinds that can be trained, `listed` those for many labels a text."""

    def load(request: LoadRequest) -> Classifier | Tagger:
        if request.task.kind != CLASSIFICATION.name:
            return _load_listed(request, listed)
        _refuse_listed(request, listed)
        kind = trainable[request.argument]
        with tempfile.TemporaryDirectory() as folder:
            kind.train(_training_set(request, kind.train_rows), Path(folder))
            return kind.load(Path(folder))

    def identity(request: LoadRequest) -> Mapping[str, Any]:
        one_of: Mapping[str, TrainableKind | ListedTrainable] = (
            trainable if request.task.kind == CLASSIFICATION.name else listed
        )
        return {"version": one_of[request.argument].version, "seed": SEED, "left_out": LEFT_OUT_EVERY}

    return ClassifierKind(
        name="trained",
        summary="a kind of surrogate with weights of its own, trained on four of five training rows",
        argument="KIND",
        load=load,
        identity=identity,
        task_kinds=ALL_TASK_KINDS,
    )


def _load_listed(request: LoadRequest, listed: Registry[ListedTrainable]) -> Classifier | Tagger:
    """Return a classifier for many labels a text, trained on four of five training rows."""
    able = [kind.name for kind in listed.values() if kind.task_kind == request.task.kind]
    if request.argument not in able:
        raise UserError(
            f"trained:{request.argument} is not for {request.task.kind} tasks such as {request.task.name};"
            f" use {' or '.join(f'trained:{name}' for name in able)}",
            exit_code=ExitCode.WRONG_USE,
        )
    kind = listed[request.argument]
    rows = [row for place, row in enumerate(listed_training_rows(request)) if place % LEFT_OUT_EVERY]
    rows = rows[: kind.train_rows]
    if not rows:
        raise _no_rows(request)
    training = ListedTrainingSet(
        texts=[row.pair for row in rows],
        codes=[row.codes for row in rows],
        n_labels=len(request.task.labels),
        seed=SEED,
    )
    with tempfile.TemporaryDirectory() as folder:
        kind.train(training, Path(folder))
        return kind.load(Path(folder))


def _refuse_listed(request: LoadRequest, listed: Registry[ListedTrainable]) -> None:
    if request.argument in listed:
        raise UserError(
            f"trained:{request.argument} is for {listed[request.argument].task_kind} tasks, and task"
            f" {request.task.name} has one label a text",
            exit_code=ExitCode.WRONG_USE,
        )


def _no_rows(request: LoadRequest) -> UserError:
    return UserError(
        f"task {request.task.name} of the release has no training rows;"
        " train a model yourself and use another spec"
    )


def _training_set(request: LoadRequest, most_rows: int | None) -> TrainingSet:
    rows = [row for place, row in enumerate(_rows(request)) if place % LEFT_OUT_EVERY][:most_rows]
    if not rows:
        raise _no_rows(request)
    return TrainingSet(
        texts=[(row.text, row.text_pair) for row in rows],
        labels=[row.label for row in rows],
        n_labels=len(request.task.labels),
        seed=SEED,
    )


def _rows(request: LoadRequest) -> list[Record]:
    release = request.needed_release
    return [
        row
        for split in release.splits(task=request.task.name, dimension=TRAIN)
        for row in records_of(release.table(split))
    ]
