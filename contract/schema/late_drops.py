"""Late drops: cases that passed everything else and were dropped while a release was frozen.

They stand in a file beside the release for its owner; neither the manifest nor a published copy has it.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from contract.machine.errors import bad_input
from contract.machine.json_text import canonical_json, parsed_json
from contract.machine.whole_files import write_text

DROPS = "build.drops.jsonl"


@dataclass(frozen=True, kw_only=True)
class LateDrop:
    """A case by its id, and why the release does not hold it."""

    id: str
    reason: str


def write_drops(path: Path, drops: Iterable[LateDrop]) -> None:
    """Write one line for each case."""
    write_text(path, "".join(f"{canonical_json(asdict(drop))}\n" for drop in drops))


def read_drops(path: Path) -> dict[str, str]:
    """Return the reason for each id; a release without the file has no late drops that are known."""
    if not path.is_file():
        return {}
    try:
        rows = [parsed_json(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return {str(row["id"]): str(row["reason"]) for row in rows}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise bad_input(f"{path}: cannot be read ({error}); build the release again") from None
