"""Makes the public form of a release whose labels are withheld, and keeps the labels for its owner."""

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from builder.release.documents import documents_of
from contract.machine.errors import bad_input
from contract.machine.whole_files import write_text
from contract.release.commitments import LABELS, SALT, commitment_of
from contract.release.release import Release, writing_release
from contract.schema.manifest import Manifest, SplitInfo
from contract.schema.names import TRAIN
from contract.schema.records import Record, records_of

PUBLIC = "release"
# Says which release the labels belong to: needed to publish again after an interruption.
ORIGINAL = "original.txt"
WITHHELD = -1
SALT_BYTES = 32
ID_DIGITS = 24


@dataclass(frozen=True, kw_only=True)
class _Secret:
    """Turns names into others that reveal nothing."""

    salt: str

    def name(self, what: str, value: str) -> str:
        """Return a name that only the salt's owner can connect with the value."""
        message = f"{what}:{value}".encode()
        return hmac.new(self.salt.encode(), message, hashlib.sha256).hexdigest()


def withhold(release: Release, private_path: Path, *, accepts_public_source: bool) -> Release:
    """Return the public form of a release; labels and salt stay in the private folder, for its owner only."""
    _refuse_public_sources(release.manifest, accepts_public_source=accepts_public_source)
    if release.manifest.labels == "withheld":
        raise bad_input(f"{release.path}: its labels are withheld already; publish it as it is")
    noted = private_path / ORIGINAL
    if noted.is_file():
        if noted.read_text(encoding="utf-8").strip() != release.manifest_sha256:
            raise bad_input(f"{private_path}: holds the labels of another release; give another folder")
        return Release.open(private_path / PUBLIC)
    if private_path.exists() and any(private_path.iterdir()):
        raise bad_input(f"{private_path}: holds other files; give a new folder for labels and salt")
    private_path.mkdir(parents=True, exist_ok=True, mode=0o700)
    private_path.chmod(0o700)
    secret = _Secret(salt=secrets.token_hex(SALT_BYTES))
    labels = "".join(_labels(release, secret))
    _write_private(private_path / SALT, f"{secret.salt}\n")
    _write_private(private_path / LABELS, labels)
    _write_public(release, secret, commitment_of(secret.salt, labels.encode()), private_path / PUBLIC)
    # Last, since it says that everything else is there.
    _write_private(noted, f"{release.manifest_sha256}\n")
    return Release.open(private_path / PUBLIC)


def _refuse_public_sources(manifest: Manifest, *, accepts_public_source: bool) -> None:
    names = [task.name for task in manifest.tasks if task.has_public_labels]
    if names and not accepts_public_source:
        raise bad_input(
            f"the labels of {', '.join(names)} are public at their source, so that withholding them here"
            " protects little: texts can be looked up. Say `has_public_labels: false` in the recipe if"
            " they are not, or add --accept-public-source; the card will say so"
        )


def _labels(release: Release, secret: _Secret) -> Iterator[str]:
    """Yield the lines of the labels file, which is keyed by the public ids."""
    for split in _shown(release.manifest):
        names = release.manifest.task(split.task).labels
        # Which cases are in a tier tells how surrogates answer, and so what their labels are.
        tier = {} if split.tier is None else {"tier": split.tier}
        for row in release.table(split, ["id", "label"]).to_pylist():
            public = {"id": _public_id(secret, row["id"]), "label": names[row["label"]], **tier}
            yield json.dumps(public, ensure_ascii=False) + "\n"


def _public_id(secret: _Secret, record_id: str) -> str:
    return secret.name("id", record_id)[:ID_DIGITS]


def _shown(manifest: Manifest) -> list[SplitInfo]:
    # With the training rows, surrogates could be trained again and asked which label each case hides.
    return [split for split in manifest.splits if split.rows and split.dimension != TRAIN]


def _write_public(release: Release, secret: _Secret, commitment: str, path: Path) -> None:
    manifest = release.manifest
    shown = {split.path for split in _shown(manifest)}
    with writing_release(path) as writer:
        splits = []
        for split in manifest.splits:
            if split.tier is not None:
                continue
            files = [other for other in manifest.splits if _is_same_but_tier(split, other)]
            hidden = [
                _hidden(record, secret)
                for file in files
                if file.path in shown
                for record in records_of(release.table(file))
            ]
            # The order of random names is a shuffle.
            records = sorted(hidden, key=lambda record: record.id)
            entry = split.model_copy(
                update=dict.fromkeys(("sha256", "rows_sha256", "texts_sha256")) | {"bytes": 0}
            )
            splits.append(writer.write_split(entry, records, manifest.task(split.task).labels))
        writer.write_manifest(_public_manifest(manifest, secret, commitment, splits))
        writer.write_documents(documents_of(Release.open(writer.folder)))


def _is_same_but_tier(left: SplitInfo, right: SplitInfo) -> bool:
    """Whether two files hold the cases of one task, dimension, setting and degree."""
    names = ("task", "dimension", "setting", "degree")
    return all(getattr(left, name) == getattr(right, name) for name in names)


def _public_manifest(
    manifest: Manifest, secret: _Secret, commitment: str, splits: list[SplitInfo]
) -> Manifest:
    """Return the manifest without the hashes by which labels or weights could be tried."""
    surrogates = [
        info.model_copy(update={"weights_sha256": secret.name("weights", info.weights_sha256)})
        for info in manifest.surrogates
    ]
    tasks = [task.model_copy(update={"source_sha256": None}) for task in manifest.tasks]
    return manifest.model_copy(
        update={
            "labels": "withheld",
            "commitment": commitment,
            "tasks": tuple(tasks),
            "surrogates": tuple(surrogates),
            "splits": tuple(splits),
        }
    )


def _hidden(record: Record, secret: _Secret) -> Record:
    """Return a row that shows its text and where it belongs, and nothing that tells its label."""
    return replace(
        record,
        id=_public_id(secret, record.id),
        sample_id=secret.name("sample", record.sample_id)[:ID_DIGITS],
        label=WITHHELD,
        realised_degree=None,
        original_text=None,
        original_text_pair=None,
        case=0,
        method=None,
        source=None,
        edits=(),
        similarity=None,
        word_modification_rate=None,
        surrogate_predictions=(),
        source_fooled=None,
        transfer=None,
        annotation=None,
    )


def _write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read, from its first byte on."""
    before = os.umask(0o077)
    try:
        write_text(path, text)
    finally:
        os.umask(before)
