"""The sha256 of values and of files."""

import hashlib
from pathlib import Path
from typing import Any

from contract.machine.json_text import canonical_json


def hash_of(value: Any) -> str:
    """Return the sha256 of a JSON value."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def hash_of_file(path: Path) -> str:
    """Return the sha256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
