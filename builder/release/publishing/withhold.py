"""Withholds the labels of a release: decides what is published without them, and keeps them for the owner.

Cells whose cases were made against labels are left out unless there are decoys. Then outsiders attack what is
left: cells that help them are left out, too, and if they still guess better than from clean texts, nothing is
published.
"""

import json
import os
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path

from builder.release.documents import documents_of
from builder.release.leaking.published import PUBLIC, Opened, published_tasks
from builder.release.leaking.report import (
    GUESSABLE_SEEDS,
    Attacked,
    attack_labels,
    attack_row_numbers,
)
from builder.release.publishing.public_form import ATTACKED, Cell, PublicForm, Secret
from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.json_text import canonical_json
from contract.machine.whole_files import write_text
from contract.release.commitments import LABELS, SALT, commitment_of
from contract.release.release import MANIFEST, Release, writing_release
from contract.schema.manifest import Manifest
from contract.schema.names import decoys_path
from contract.task_kinds.refusing import need_one_label

# Says which release the labels belong to: needed to publish again after an interruption.
ORIGINAL = "original.txt"
SALT_BYTES = 32


@dataclass(frozen=True, kw_only=True)
class Withheld:
    """A public form that was attacked and holds, and what the attacks gave."""

    form: PublicForm
    labels: str
    attacks: list[Attacked]

    def write(self, path: Path) -> Release:
        """Write what is public, and no secret, into a folder."""
        commitment = commitment_of(self.form.secret.salt, self.labels.encode())
        with writing_release(path) as writer:
            self.form.write(writer, commitment)
            writer.write_documents(documents_of(Release.open(writer.folder)))
        return Release.open(path)


def withhold(
    release: Release, private_path: Path, *, accepts_public_source: bool, decoys: Path | None = None
) -> Release:
    """Return the public form of a release; labels and salt stay in the private folder, for its owner only."""
    check_withholding(release, accepts_public_source=accepts_public_source)
    noted = private_path / ORIGINAL
    if noted.is_file():
        if noted.read_text(encoding="utf-8").strip() != release.manifest_sha256:
            raise bad_input(f"{private_path}: holds the labels of another release; give another folder")
        return Release.open(private_path / PUBLIC)
    if private_path.exists() and any(private_path.iterdir()):
        raise bad_input(f"{private_path}: holds other files; give a new folder for labels and salt")
    withheld = decide(release, decoys)
    private_path.mkdir(parents=True, exist_ok=True, mode=0o700)
    private_path.chmod(0o700)
    _write_private(private_path / SALT, f"{withheld.form.secret.salt}\n")
    _write_private(private_path / LABELS, withheld.labels)
    public = withheld.write(private_path / PUBLIC)
    # Last, since it says that everything else is there.
    _write_private(noted, f"{release.manifest_sha256}\n")
    return public


def check_withholding(release: Release, *, accepts_public_source: bool) -> None:
    """Refuse a release whose labels are withheld already, or public elsewhere."""
    need_one_label(release.manifest.tasks, "withholding labels")
    _refuse_public_sources(release.manifest, accepts_public_source=accepts_public_source)
    if release.manifest.labels == "withheld":
        raise bad_input(f"{release.path}: its labels are withheld already; publish it as it is")


def decide(release: Release, decoys: Path | None = None) -> Withheld:
    """Return what can be published of a release without its labels, attacked by outsiders; writes no secret.

    Whatever outsiders guess from better than from clean texts is left out or, if nothing helps, refused.
    """
    found = _decoys_of(release, decoys)
    left_out: frozenset[Cell] = frozenset(
        (split.task, split.dimension, split.setting)
        for split in release.manifest.splits
        if split.setting in ATTACKED and split.setting is not None and found is None
    )
    secret = Secret(salt=secrets.token_hex(SALT_BYTES))
    _refuse([attack for attack in attack_row_numbers(release) if attack.is_above], _SEEDS)
    while True:
        form = PublicForm(release=release, decoys=found, secret=secret, left_out=left_out)
        labels = "".join(form.label_lines())
        attacks = _attacked(Withheld(form=form, labels=labels, attacks=[]))
        telling = _telling(attacks)
        if not telling:
            _refuse([attack for attack in attacks if attack.is_above], "build with `decoys: true`")
            return Withheld(form=form, labels=labels, attacks=attacks)
        left_out |= telling


_SEEDS = (
    f"build with a seed that nobody guesses (`seed: N` with N of at least {GUESSABLE_SEEDS}), or shuffle"
    " the rows of the source"
)


def _telling(attacks: list[Attacked]) -> frozenset[Cell]:
    """Return the cells from which outsiders guess labels; where only all of a setting tell, all of them."""
    above = [attack for attack in attacks if attack.is_above]
    alone = {
        (attack.task, attack.dimension, attack.setting)
        for attack in above
        if attack.dimension is not None and attack.setting is not None
    }
    if alone or not above:
        return frozenset(alone)
    return frozenset(
        (attack.task, attack.dimension, attack.setting)
        for attack in attacks
        if attack.dimension is not None
        and attack.setting is not None
        and any(attack.setting in each.way.split() and attack.task == each.task for each in above)
    )


def _attacked(withheld: Withheld) -> list[Attacked]:
    """Attack a public form that exists for this moment only; its labels are in no file."""
    with tempfile.TemporaryDirectory() as folder:
        public = withheld.write(Path(folder) / PUBLIC)
        rows = (_line(line) for line in withheld.labels.splitlines())
        tasks = published_tasks(Opened(release=public, labels=dict(rows)), original=withheld.form.release)
        return attack_labels(tasks)


def _line(text: str) -> tuple[str, str]:
    row = json.loads(text)
    return row["id"], row["label"]


def _refuse(above: list[Attacked], remedy: str) -> None:
    if above:
        lines = [
            f"{attack.task}: by {attack.way} an outsider guesses {attack.accuracy:.1%} of"
            f" {attack.n_samples} labels, without {attack.without:.1%}"
            for attack in above
        ]
        lines.append(f"the labels would not be withheld, and nothing was written; {remedy}")
        raise UserError("\n".join(lines), exit_code=ExitCode.FAILURE)


def _decoys_of(release: Release, path: Path | None) -> Release | None:
    """Return the decoys of a release, where its recipe asks for them."""
    if not release.manifest.recipe.get("decoys"):
        return None
    place = path or decoys_path(release.path)
    if not (place / MANIFEST).is_file():
        raise bad_input(f"{place}: the decoys of {release.path} are not there; build the release again")
    if release.manifest.seed < GUESSABLE_SEEDS:
        raise bad_input(
            f"{release.path}: whoever guesses the seed {release.manifest.seed} tells decoys from cases;"
            f" build with another, such as `seed: {secrets.randbelow(GUESSABLE_SEEDS) + GUESSABLE_SEEDS}`"
        )
    decoys = Release.open(place)
    ours, theirs = ({**each.manifest.recipe, "name": ""} for each in (release, decoys))
    if canonical_json(ours) != canonical_json(theirs):
        raise bad_input(f"{place}: decoys of another release; build {release.path} again")
    return decoys


def _refuse_public_sources(manifest: Manifest, *, accepts_public_source: bool) -> None:
    names = [task.name for task in manifest.tasks if task.has_public_labels]
    if names and not accepts_public_source:
        raise bad_input(
            f"the labels of {', '.join(names)} are public at their source, so that withholding them here"
            " protects little: texts can be looked up. Say `has_public_labels: false` in the recipe if"
            " they are not, or add --accept-public-source; the card will say so"
        )


def _write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read, from its first byte on."""
    before = os.umask(0o077)
    try:
        write_text(path, text)
    finally:
        os.umask(before)
