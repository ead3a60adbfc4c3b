"""What a recipe gives to dimensions and filters: models, lexicons, and the words typical of a class."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from builder.models.encoder import PACKAGED_ENCODER, encoder_sha256, fetched_folder
from builder.values.associations import Associations
from contract.machine.errors import bad_input
from contract.machine.hashes import hash_of, hash_of_file

PACKAGED = "packaged"

ResourceName = Literal[
    "encoder",
    "second_encoder",
    "masked_lm",
    "parser",
    "paraphraser",
    "lexicons",
    "misspellings",
    "associations",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """Models by name, lexicons by file, and the words typical of each class of the task."""

    encoder: str = PACKAGED_ENCODER
    # For the filter that asks another encoder, where a recipe names one.
    second_encoder: str | None = None
    # `packaged`, or hf:ORG/NAME or hf:FOLDER.
    masked_lm: str = PACKAGED
    # `packaged`, or spacy:PACKAGE or spacy:FOLDER.
    parser: str = PACKAGED
    paraphraser: str | None = None
    lexicons: tuple[str, ...] = ()
    # `packaged`, or file:PATH.
    misspellings: str = PACKAGED
    associations: Associations = field(default_factory=dict)

    def fingerprint(self, names: Iterable[ResourceName]) -> dict[str, Any]:
        """Return hashes of the named resources' contents, which cases made with them depend on."""
        return {name: _fingerprint(name, getattr(self, name)) for name in sorted(set(names))}


def _fingerprint(name: ResourceName, value: Any) -> Any:
    if name == "associations":
        return hash_of(dict(value))
    if name in {"encoder", "second_encoder"}:
        return value and encoder_sha256(value)
    if isinstance(value, tuple):
        return [content_sha256(name_or_path) for name_or_path in value]
    return value and content_sha256(value)


@lru_cache(maxsize=64)
def content_sha256(resource: str) -> str:
    """Return the hash of a model or file; `packaged` stands for itself, since the code holds its hash."""
    kind, _, name = resource.partition(":")
    if resource == PACKAGED:
        return PACKAGED
    path = Path(name)
    if path.is_file():
        return hash_of_file(path)
    if kind == "hf" and not path.is_dir():
        path = fetched_folder(name)
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        return hash_of({file.relative_to(path).as_posix(): hash_of_file(file) for file in files})
    if kind == "spacy":
        try:
            return f"{name} {version(name)}"
        except PackageNotFoundError:
            raise bad_input(
                f"{resource}: no package and no folder has this name; install the package or correct the name"
            ) from None
    raise bad_input(f"{resource}: there is no such file or folder; correct the path in the recipe")
