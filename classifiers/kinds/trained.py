"""A kind of surrogate, trained anew on the rows that a release offers for training."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from classifiers.machinery.classifier import (
    Classifier,
    ClassifierKind,
    LoadRequest,
    TrainableKind,
    TrainingSet,
)
from contract.machine.errors import UserError
from contract.machine.registry import Registry
from contract.schema.names import TRAIN
from contract.schema.records import Record, records_of

# No build has this seed by default, and every fifth row is left out: the weights are not a surrogate's.
SEED = 7
LEFT_OUT_EVERY = 5


def trained_kind(trainable: Registry[TrainableKind]) -> ClassifierKind:
    """Return the kind; `trainable` holds the kinds that can be trained."""

    def load(request: LoadRequest) -> Classifier:
        kind = trainable[request.argument]
        with tempfile.TemporaryDirectory() as folder:
            kind.train(_training_set(request, kind.train_rows), Path(folder))
            return kind.load(Path(folder))

    def identity(request: LoadRequest) -> Mapping[str, Any]:
        return {"version": trainable[request.argument].version, "seed": SEED, "left_out": LEFT_OUT_EVERY}

    return ClassifierKind(
        name="trained",
        summary="a kind of surrogate with weights of its own, trained on four of five training rows",
        argument="KIND",
        load=load,
        identity=identity,
    )


def _training_set(request: LoadRequest, most_rows: int | None) -> TrainingSet:
    rows = [row for place, row in enumerate(_rows(request)) if place % LEFT_OUT_EVERY][:most_rows]
    if not rows:
        raise UserError(
            f"task {request.task.name} of the release has no training rows;"
            " train a model yourself and use another spec"
        )
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
