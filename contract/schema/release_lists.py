"""A list of releases that can be downloaded by a short name: where each is, and which bytes are expected."""

import re
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from contract.schema.checked_text import Line, Name, Version
from contract.schema.documents import Document, Sha256, Value
from contract.schema.names import version_order

# Below the list's own folder or address, never above it.
_RELATIVE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*")
_WEB = re.compile(r"https?://[^\s/?#@]+/\S+", re.IGNORECASE)


def _checked_address(value: str) -> str:
    if not (_RELATIVE.fullmatch(value) or _WEB.fullmatch(value)):
        raise ValueError(
            "an address is https://… without a password, or the path of an archive below the list itself"
        )
    return value


Address = Annotated[str, AfterValidator(_checked_address)]


class ListedRelease(Value):
    """One release: its short name, its version, its archive and the hash of that."""

    name: Name
    version: Version
    summary: Line
    # Of the archive that `hardfrost pack` wrote.
    address: Address
    sha256: Sha256


class ReleaseList(Document):
    """Releases by short name; of one name there may be several versions."""

    SCHEMA: ClassVar[str] = "hardfrost/releases/1"

    schema_: Literal["hardfrost/releases/1"] = Field(alias="schema", default="hardfrost/releases/1")
    releases: tuple[ListedRelease, ...]

    @property
    def latest(self) -> list[ListedRelease]:
        """The latest version of each, in the order of the names."""
        found: dict[str, ListedRelease] = {}
        for release in sorted(self.releases, key=lambda each: (each.name, version_order(each.version))):
            found[release.name] = release
        return list(found.values())
