"""Classifiers that a build used as surrogates, kept by the hash of their weights."""

import json
from pathlib import Path

from classifiers.kept import external as references
from classifiers.machinery.classifier import Classifier, TrainableKind
from classifiers.trained.char_tfidf import CHAR_TFIDF
from classifiers.trained.cnn import CNN
from classifiers.trained.minilm import MINILM
from classifiers.trained.nbsvm import NBSVM
from classifiers.trained.word_tfidf import WORD_TFIDF
from contract.machine.errors import UserError, bad_input
from contract.machine.files import hash_of, hash_of_file
from contract.machine.registry import Registry

TRAINABLE_KINDS: Registry[TrainableKind] = Registry("surrogate", [WORD_TFIDF, CHAR_TFIDF, NBSVM, CNN, MINILM])

DESCRIPTION = "classifier.json"


def folder_of(cache_path: Path, weights_sha256: str) -> Path:
    """Return where a trained classifier lives in the cache."""
    return cache_path / "surrogates" / weights_sha256


def hash_of_weights(folder: Path) -> str:
    """Return the hash of every file of a trained classifier, which is its name in the cache."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return hash_of([[path.name, hash_of_file(path)] for path in files])


def load_trained(cache_path: Path, weights_sha256: str) -> Classifier:
    """Return a surrogate of a build from the cache after checking that it is the one asked for."""
    folder = folder_of(cache_path, weights_sha256)
    if not folder.is_dir():
        raise UserError(
            f"the surrogate {weights_sha256[:12]} is not in {cache_path};"
            " build the release here first (`hardfrost build`), which trains it again"
        )
    if references.is_reference(folder):
        return references.load(folder, cache_path, weights_sha256)
    if hash_of_weights(folder) != weights_sha256:
        raise bad_input(f"{folder}: the weights were changed; delete the folder and build again")
    kind = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))["kind"]
    return TRAINABLE_KINDS[kind].load(folder)
