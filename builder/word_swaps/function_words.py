"""Small words that may stand for each other between certain neighbours."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from builder.word_swaps.word_uses import Neighbours
from contract.machine.hashes import hash_of_file

TABLE_PATH = Path(__file__).parent / "data" / "function_words.txt"
# Units are keyed by the hash of the code, which through this constant covers the table.
TABLE_SHA256 = "f74826ea869f13f3834be8adffb7ece55d934059ec6f0377839db251150b8787"
_EDGE = "-"


class Condition(NamedTuple):
    """Words and tags of which one must stand beside a word, and those of which none may."""

    needed: frozenset[str]
    refused: frozenset[str]

    def holds(self, word: str, tag: str) -> bool:
        """Whether a neighbour, empty at an edge, fits."""
        found = {word, tag} if word else {_EDGE}
        return not found & self.refused and (not self.needed or bool(found & self.needed))


class Alternative(NamedTuple):
    """What a small word may become, with which tags and between which neighbours."""

    tags: frozenset[str]
    before: Condition
    after: Condition
    substitutes: tuple[str, ...]


def alternatives_to(word: str, tag: str, neighbours: Neighbours) -> tuple[str, ...]:
    """Return what may stand for a word in small letters between its neighbours."""
    return tuple(
        dict.fromkeys(
            substitute
            for alternative in load_alternatives().get(word, ())
            if tag in alternative.tags
            and alternative.before.holds(neighbours.before, neighbours.before_tag)
            and alternative.after.holds(neighbours.after, neighbours.after_tag)
            for substitute in alternative.substitutes
        )
    )


@lru_cache(maxsize=1)
def load_alternatives() -> Mapping[str, tuple[Alternative, ...]]:
    """Return the shipped table, read once for each process."""
    if hash_of_file(TABLE_PATH) != TABLE_SHA256:
        raise ValueError(f"{TABLE_PATH} is not the file this code was made for; install the package again")
    table: dict[str, list[Alternative]] = {}
    for line in TABLE_PATH.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            word, tags, before, after, substitutes = (field.strip() for field in line.split("|"))
            table.setdefault(word, []).append(
                Alternative(
                    frozenset(tags.split()), _condition(before), _condition(after), tuple(substitutes.split())
                )
            )
    return {word: tuple(alternatives) for word, alternatives in table.items()}


def _condition(text: str) -> Condition:
    parts = text.split()
    return Condition(
        frozenset(part for part in parts if not part.startswith("!")),
        frozenset(part.removeprefix("!") for part in parts if part.startswith("!")),
    )
