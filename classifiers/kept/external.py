"""Surrogates that no build trained: a note in the cache says where they are, a hash what they must be."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classifiers.machinery.classifier import Classifier, LoadRequest
from contract.machine.errors import UserError, bad_input
from contract.machine.files import hash_of, pretty_json, write_text
from contract.schema.manifest import TaskInfo

if TYPE_CHECKING:
    from classifiers.machinery.classifier import ClassifierKind

NOTE = "reference.json"
ENSEMBLE = "ensemble"


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A classifier by its spec, for one task; or the mean of others, by their weights."""

    spec: str
    task: TaskInfo
    # Files that can run code are loaded only at the user's word.
    is_trusted: bool = False
    members: tuple[str, ...] = ()

    @property
    def weights_sha256(self) -> str:
        """The hash of what decides its probabilities, wherever it lies."""
        if self.members:
            return hash_of_members(self.members)
        kind, request = self._parsed()
        if kind.content is None:
            raise UserError(
                f"{self.spec} cannot be a surrogate: nothing says whether it still is what it was;"
                " surrogates are what a build trains, hf, sklearn, python, vader, textblob, or an ensemble"
            )
        return hash_of([kind.name, kind.content(request), list(self.task.labels)])

    def keep(self, cache_path: Path) -> str:
        """Write the note into the cache and return the weights hash by which it is found."""
        weights = self.weights_sha256
        note = {
            "spec": self.spec,
            "task": self.task.model_dump(mode="json"),
            "is_trusted": self.is_trusted,
            "members": list(self.members),
        }
        write_text(cache_path / "surrogates" / weights / NOTE, pretty_json(note))
        return weights

    def load(self, cache_path: Path) -> Classifier:
        """Return the classifier."""
        if self.members:
            return load_members(cache_path, self.members)
        kind, request = self._parsed(cache_path)
        return kind.load(request)

    def _parsed(self, cache_path: Path = Path()) -> "tuple[ClassifierKind, LoadRequest]":
        from classifiers import parse_spec

        kind, argument = parse_spec(self.spec)
        return kind, LoadRequest(
            argument=argument, task=self.task, release=None, cache_path=cache_path, is_trusted=self.is_trusted
        )


def hash_of_members(members: Sequence[str]) -> str:
    """Return the weights hash of an ensemble, which does not depend on the order of its members."""
    return hash_of([ENSEMBLE, sorted(members)])


def load_members(cache_path: Path, members: Sequence[str]) -> Classifier:
    """Return the ensemble of surrogates of the cache."""
    from classifiers.kept.stored import load_trained
    from classifiers.kinds.ensemble import Ensemble

    return Ensemble(tuple(load_trained(cache_path, weights) for weights in sorted(members)))


def is_reference(folder: Path) -> bool:
    """Whether a folder of the cache holds a note, not weights."""
    return (folder / NOTE).is_file()


def load(folder: Path, cache_path: Path, weights_sha256: str) -> Classifier:
    """Return the classifier that a note tells of, if it still is what it was."""
    try:
        note: dict[str, Any] = json.loads((folder / NOTE).read_text(encoding="utf-8"))
        reference = Reference(
            spec=note["spec"],
            task=TaskInfo.model_validate_json(json.dumps(note["task"])),
            is_trusted=note["is_trusted"],
            members=tuple(note["members"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise bad_input(f"{folder / NOTE}: cannot be read ({error}); delete it and build again") from None
    if reference.weights_sha256 != weights_sha256:
        raise bad_input(
            f"{reference.spec} is not what it was when the release was built; put it back, or build again"
        )
    return reference.load(cache_path)
