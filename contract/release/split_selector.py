"""A part of a release: which splits were asked for, and a note of what was left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import Field

from contract.machine.errors import bad_input
from contract.machine.registry import did_you_mean
from contract.schema.documents import Document
from contract.schema.manifest import Manifest, SplitInfo
from contract.schema.names import CLEAN

PARTIAL = "partial.json"


class Partial(Document):
    """Lies in a release of which only some splits were fetched; names the files that were left out."""

    SCHEMA: ClassVar[str] = "hardfrost/partial/1"

    schema_: Literal["hardfrost/partial/1"] = Field(alias="schema", default="hardfrost/partial/1")
    only: tuple[str, ...]
    left_out: tuple[str, ...]


def left_out_of(release_path: Path) -> frozenset[str]:
    """Return the files that a release lacks on purpose."""
    path = release_path / PARTIAL
    return frozenset(Partial.read(path).left_out) if path.is_file() else frozenset()


@dataclass(frozen=True, kw_only=True)
class SplitSelector:
    """Splits of a task, a dimension, a setting and a tier; an empty part stands for any."""

    text: str
    task: str
    dimension: str
    setting: str
    tier: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return what TASK[,DIMENSION[,SETTING[,TIER]]] selects."""
        parts = [part.strip().replace("*", "") for part in text.split(",")]
        if len(parts) > 4 or not any(parts):
            raise bad_input(
                f"--only {text!r}: write TASK,DIMENSION,SETTING,TIER; parts may be empty, not all"
            )
        task, dimension, setting, tier = [*parts, "", "", ""][:4]
        return cls(text=text, task=task, dimension=dimension, setting=setting, tier=tier)

    def selects(self, split: SplitInfo) -> bool:
        """Tell whether a split was asked for; the clean rows that its cases are compared with always are."""
        if self.task not in {"", split.task}:
            return False
        if split.dimension == CLEAN:
            return True
        parts = ("dimension", "setting", "tier")
        return all(getattr(self, part) in {"", getattr(split, part)} for part in parts)

    def check(self, manifest: Manifest) -> None:
        """Refuse what the release does not have, and say what it has."""
        for what in ("task", "dimension", "setting", "tier"):
            wanted = getattr(self, what)
            known = list(dict.fromkeys(getattr(split, what) for split in manifest.splits))
            names = [name for name in known if name]
            if wanted and wanted not in names:
                raise bad_input(
                    f"--only {self.text!r}: the release has no {what} {wanted!r};"
                    f"{did_you_mean(wanted, names)} it has: {', '.join(names)}"
                )


def chosen_splits(manifest: Manifest, selectors: Sequence[SplitSelector]) -> list[SplitInfo]:
    """Return the splits with rows that were asked for; without selectors, all of them."""
    for selector in selectors:
        selector.check(manifest)
    splits = [split for split in manifest.splits if split.rows]
    return [
        split for split in splits if not selectors or any(selector.selects(split) for selector in selectors)
    ]


def write_partial(folder: Path, manifest: Manifest, selectors: Sequence[SplitSelector]) -> None:
    """Note what was left out, if anything was."""
    chosen = {split.path for split in chosen_splits(manifest, selectors)}
    left_out = tuple(split.path for split in manifest.splits if split.rows and split.path not in chosen)
    if left_out:
        only = tuple(selector.text for selector in selectors)
        Partial(only=only, left_out=left_out).write(folder / PARTIAL)
