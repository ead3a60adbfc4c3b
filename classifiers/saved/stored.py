"""Loads the surrogate of a build, trained or external, by the hash of its weights."""

import json
from pathlib import Path

from classifiers.machinery.classifier import Classifier
from classifiers.machinery.weights import DESCRIPTION, hash_of_weights
from classifiers.saved.external import ExternalClassifier, is_external
from classifiers.trained import TRAINABLE_KINDS
from contract.machine.errors import UserError, bad_input


def folder_of(cache_path: Path, weights_sha256: str) -> Path:
    """Return the folder of a surrogate in the cache."""
    return cache_path / "surrogates" / weights_sha256


def load_saved(cache_path: Path, weights_sha256: str) -> Classifier:
    """Return a surrogate from the cache, after checking that its weights have the hash."""
    folder = folder_of(cache_path, weights_sha256)
    if not folder.is_dir():
        raise UserError(
            f"the surrogate {weights_sha256[:12]} is not in {cache_path};"
            " build the release here first (`hardfrost build`), which trains it again"
        )
    if is_external(folder):
        return ExternalClassifier.read(folder, weights_sha256).load(cache_path, load_saved)
    if hash_of_weights(folder) != weights_sha256:
        raise bad_input(f"{folder}: the weights were changed; delete the folder and build again")
    kind = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))["kind"]
    return TRAINABLE_KINDS[kind].load(folder)
