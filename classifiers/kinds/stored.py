"""A trained classifier in a folder of its own, as `hardfrost harden` keeps it."""

from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

from classifiers.machinery.classifier import Classifier, ClassifierKind, LoadRequest, TrainableKind
from classifiers.machinery.weights import DESCRIPTION, hash_of_weights
from contract.machine.errors import bad_input
from contract.machine.json_text import parsed_json, pretty_json
from contract.machine.registry import Registry
from contract.machine.whole_files import write_text


def write_description(folder: Path, kind: str, labels: Sequence[str]) -> None:
    """Write what a folder of weights is."""
    write_text(folder / DESCRIPTION, pretty_json({"kind": kind, "labels": list(labels)}))


def is_stored(folder: Path) -> bool:
    """Whether a folder holds such a classifier."""
    return (folder / DESCRIPTION).is_file()


def stored_kind(trainable: Registry[TrainableKind]) -> ClassifierKind:
    """Return the kind; `trainable` holds the kinds that can be trained."""

    def load(request: LoadRequest) -> Classifier:
        folder = Path(request.argument)
        description = _description(folder, trainable)
        if description["labels"] != list(request.task.labels):
            raise bad_input(
                f"{folder / DESCRIPTION}: trained for the labels {', '.join(description['labels'])}; the task"
                f" {request.task.name} has {', '.join(request.task.labels)}; use a model trained for it"
            )
        return trainable[description["kind"]].load(folder)

    def content(request: LoadRequest) -> str:
        return hash_of_weights(Path(request.argument))

    return ClassifierKind(
        name="stored",
        summary="a trained classifier in a folder, as `hardfrost harden` keeps it",
        argument="FOLDER",
        load=load,
        identity=content,
        content=content,
    )


def _description(folder: Path, known: Container[str]) -> dict[str, Any]:
    path = folder / DESCRIPTION
    try:
        found = parsed_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise bad_input(
            f"{folder}: no {DESCRIPTION} in this folder; name a folder that `hardfrost harden` wrote"
        ) from None
    except (OSError, ValueError) as error:
        raise bad_input(f"{path}: cannot be read: {error}; train it again") from None
    labels = found.get("labels") if isinstance(found, dict) else None
    is_list = isinstance(labels, list) and all(isinstance(label, str) for label in labels)
    if not is_list or not isinstance(found.get("kind"), str) or found["kind"] not in known:
        raise bad_input(f"{path}: not the description of a trained classifier; train it again")
    return dict(found)
