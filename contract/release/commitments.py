"""Withheld labels: a promise about them that can be checked once they are told, and not before."""

import hashlib
from pathlib import Path

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.release.release import REVEALED
from contract.schema.manifest import Manifest

LABELS, SALT = REVEALED


def commitment_of(salt: str, labels: bytes) -> str:
    """Return the hash that names labels without telling them: nobody can try labels without the salt."""
    return hashlib.sha256(salt.encode() + b"\n" + labels).hexdigest()


def check_labels(labels_path: Path, manifest: Manifest) -> None:
    """Refuse labels that are not those the release was published with; told by the salt beside them."""
    salt_path = labels_path.with_name(SALT)
    if manifest.commitment is None or not salt_path.is_file() or not labels_path.is_file():
        return
    if not holds(labels_path, manifest):
        raise UserError(
            f"{labels_path}: not the labels that {manifest.name} {manifest.version} was published with;"
            f" is it another version's file, or was it or {SALT} changed?",
            exit_code=ExitCode.MISMATCH,
        )


def holds(labels_path: Path, manifest: Manifest) -> bool:
    """Tell whether labels and the salt beside them are what the manifest promised."""
    salt_path = labels_path.with_name(SALT)
    try:
        salt = salt_path.read_text(encoding="utf-8").strip()
        labels = labels_path.read_bytes()
    except (OSError, UnicodeDecodeError) as error:
        raise bad_input(f"{labels_path.parent}: labels and salt cannot be read: {error}") from None
    return commitment_of(salt, labels) == manifest.commitment
