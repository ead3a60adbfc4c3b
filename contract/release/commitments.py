"""Withheld labels: a hash in the manifest proves later that published labels are the same."""

import hashlib
from pathlib import Path

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.release.release import REVEALED
from contract.schema.manifest import Manifest

LABELS, SALT = REVEALED


def commitment_of(salt: str, labels: bytes) -> str:
    """Return the hash of salt and labels; without the salt, labels cannot be guessed from it."""
    return hashlib.sha256(salt.encode() + b"\n" + labels).hexdigest()


def check_labels(labels_path: Path, manifest: Manifest) -> None:
    """Refuse labels that, with the salt beside them, do not have the hash of the manifest."""
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
    """Tell whether labels and the salt beside them have the hash of the manifest."""
    salt_path = labels_path.with_name(SALT)
    try:
        salt = salt_path.read_text(encoding="utf-8").strip()
        labels = labels_path.read_bytes()
    except (OSError, UnicodeDecodeError) as error:
        raise bad_input(f"{labels_path.parent}: labels and salt cannot be read: {error}") from None
    return commitment_of(salt, labels) == manifest.commitment
