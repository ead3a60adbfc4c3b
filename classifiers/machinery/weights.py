"""Folders of trained classifiers: the file that says what one is, and the hash of its weights."""

from pathlib import Path

from contract.machine.hashes import hash_of, hash_of_file

DESCRIPTION = "classifier.json"


def hash_of_weights(folder: Path) -> str:
    """Return the hash of all files of a trained classifier, which is its name in the cache."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return hash_of([[path.name, hash_of_file(path)] for path in files])
