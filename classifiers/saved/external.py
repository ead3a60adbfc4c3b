"""Surrogates that no build trained: a note in the cache holds their spec, its folder's name their hash."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from classifiers.kinds import INDEPENDENT_KINDS
from classifiers.machinery.classifier import Classifier, ClassifierKind, LoadRequest
from classifiers.machinery.ensemble import Ensemble
from classifiers.machinery.specs import parse_spec_with
from contract.machine.errors import UserError, bad_input
from contract.machine.hashes import hash_of
from contract.machine.json_text import pretty_json
from contract.machine.whole_files import write_text
from contract.schema.manifest import TaskInfo

# Caches of earlier versions have notes of this name.
NOTE = "reference.json"


@dataclass(frozen=True, kw_only=True)
class ExternalClassifier:
    """A classifier by its spec, for one task; or an ensemble of others, by the hashes of their weights."""

    spec: str
    task: TaskInfo
    # Whether the user allowed files that can run code.
    is_trusted: bool = False
    members: tuple[str, ...] = ()

    @classmethod
    def read(cls, folder: Path, weights_sha256: str) -> Self:
        """Return the classifier of a note, if its weights are still those of the hash."""
        try:
            note: dict[str, Any] = json.loads((folder / NOTE).read_text(encoding="utf-8"))
            external = cls(
                spec=note["spec"],
                task=TaskInfo.model_validate_json(json.dumps(note["task"])),
                is_trusted=note["is_trusted"],
                members=tuple(note["members"]),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise bad_input(f"{folder / NOTE}: cannot be read ({error}); delete it and build again") from None
        if external.weights_sha256 != weights_sha256:
            raise bad_input(
                f"{external.spec} is not what it was when the release was built;"
                " restore it, or build the release again"
            )
        return external

    @property
    def weights_sha256(self) -> str:
        """The hash of everything that decides its probabilities; the same wherever its files lie."""
        if self.members:
            return hash_of_members(self.members)
        kind, request = self._parsed()
        if kind.content is None:
            able = ", ".join(name for name, kind in INDEPENDENT_KINDS.items() if kind.content is not None)
            raise UserError(
                f"{self.spec} cannot be a surrogate: later changes to it could not be detected;"
                f" use a kind that a build trains, one of {able}, or an ensemble"
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

    def load(self, cache_path: Path, load_member: Callable[[Path, str], Classifier]) -> Classifier:
        """Return the classifier; `load_member` loads each member of an ensemble by its weights hash."""
        if self.members:
            return Ensemble(tuple(load_member(cache_path, weights) for weights in sorted(self.members)))
        kind, request = self._parsed(cache_path)
        classifier: Classifier = kind.load(request)
        return classifier

    def _parsed(self, cache_path: Path = Path()) -> tuple[ClassifierKind, LoadRequest]:
        kind, argument = parse_spec_with(INDEPENDENT_KINDS, self.spec)
        return kind, LoadRequest(
            argument=argument, task=self.task, release=None, cache_path=cache_path, is_trusted=self.is_trusted
        )


def hash_of_members(members: Sequence[str]) -> str:
    """Return the weights hash of an ensemble, which does not depend on the order of its members."""
    return hash_of(["ensemble", sorted(members)])


def is_external(folder: Path) -> bool:
    """Tell whether a folder of the cache holds a note instead of weights."""
    return (folder / NOTE).is_file()
