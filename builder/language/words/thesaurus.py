"""Synonyms listed by hand: frequent words that mean the same whenever they are one part of speech."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from contract.machine.hashes import hash_of_file

THESAURUS_PATH = Path(__file__).parent / "data" / "thesaurus.txt"
# Units are keyed by the hash of the code, which through this constant covers the table.
THESAURUS_SHA256 = "fddfd7d8f4d12fe4f52b83bb8d4293000db75fcbc49e9f0819a695180dd0cbd3"
# The part of speech of lines that hold forms.
FORM = "f"


class Entry(NamedTuple):
    """A lemma that may replace another: before which word, if only there; whether the reverse holds, too."""

    lemma: str
    before: str
    is_mutual: bool


@lru_cache(maxsize=1)
def load_thesaurus() -> Mapping[tuple[str, str], tuple[Entry, ...]]:
    """Return what may replace each lemma as each part of speech."""
    if hash_of_file(THESAURUS_PATH) != THESAURUS_SHA256:
        raise ValueError(
            f"{THESAURUS_PATH} is not the file this code was made for; install the package again"
        )
    thesaurus: dict[tuple[str, str], list[Entry]] = {}
    for line in THESAURUS_PATH.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            for lemma, part_of_speech, entry in _entries(line):
                entries = thesaurus.setdefault((lemma, part_of_speech), [])
                if entry not in entries:
                    entries.append(entry)
    return {key: tuple(entries) for key, entries in thesaurus.items()}


def _entries(line: str) -> list[tuple[str, str, Entry]]:
    part_of_speech, lemma, *rest = line.split()
    before = rest.pop(0).removeprefix("+") if rest[0].startswith("+") else ""
    sign, *others = rest
    if sign == ">":
        return [(lemma, part_of_speech, Entry(other, before, is_mutual=False)) for other in others]
    group = [lemma, *others]
    return [
        (one, part_of_speech, Entry(two, before, is_mutual=True))
        for one in group
        for two in group
        if one != two
    ]
