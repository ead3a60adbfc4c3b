"""Reads Princeton's WordNet 3.0 database files, from which the tables are derived."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

FILES = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
# What follows an adjective that stands only after its noun, or only before it: ready(p), mere(a).
_POSITION = re.compile(r"\((a|p|ip)\)$")
_LINE_NUMBER = re.compile(r"^ +\d+ ?")
_PART_OF_SPEECH_OF_SENSE_KEY = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}

# Part of speech and offset in the file.
Address = tuple[str, int]


class Pointer(NamedTuple):
    """A relation to another synset: which, where to, and between which members, if not all."""

    kind: str
    target: Address
    source_member: int
    target_member: int


class RawMember(NamedTuple):
    """A lemma as the file writes it, and where it may stand if it is an adjective."""

    lemma: str
    position: str


@dataclass(frozen=True, kw_only=True)
class RawSynset:
    """A synset as the file has it."""

    address: Address
    file: int
    members: tuple[RawMember, ...]
    pointers: tuple[Pointer, ...]
    frames: tuple[int, ...]
    gloss: str


class Rank(NamedTuple):
    """The place of a sense among those of its lemma, and how often it was tagged."""

    sense: int
    n_tagged: int


def read_synsets(folder: Path) -> list[RawSynset]:
    """Return all synsets, nouns first, in the order of the files."""
    return [
        _synset(line, part_of_speech)
        for name, part_of_speech in FILES.items()
        for line in _lines(folder / f"data.{name}")
        if not line.startswith(" ")
    ]


def read_ranks(folder: Path) -> dict[tuple[str, Address], Rank]:
    """Return the rank of each lemma's senses."""
    ranks = {}
    for line in _lines(folder / "index.sense"):
        key, offset, sense, count = line.split()
        lemma, _, rest = key.partition("%")
        ranks[lemma, (_PART_OF_SPEECH_OF_SENSE_KEY[rest[0]], int(offset))] = Rank(int(sense), int(count))
    return ranks


def licence_of(folder: Path) -> str:
    """Return the licence that stands at the head of every file."""
    head = [line for line in _lines(folder / "data.noun") if line.startswith(" ")]
    return "\n".join(_LINE_NUMBER.sub("", line).rstrip() for line in head).strip() + "\n"


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        yield from file


def _synset(line: str, part_of_speech: str) -> RawSynset:
    head, _, gloss = line.partition("|")
    fields = iter(head.split())
    offset, file, _kind = int(next(fields)), int(next(fields)), next(fields)
    members = []
    for _ in range(int(next(fields), 16)):
        members.append(_member(next(fields)))
        next(fields)
    pointers = []
    for _ in range(int(next(fields))):
        symbol, target, target_part, places = next(fields), int(next(fields)), next(fields), next(fields)
        address = (target_part.replace("s", "a"), target)
        pointers.append(Pointer(symbol, address, *divmod(int(places, 16), 256)))
    rest = list(fields)
    frames = tuple(int(rest[place + 1]) for place, item in enumerate(rest) if item == "+")
    return RawSynset(
        address=(part_of_speech, offset),
        file=file,
        members=tuple(members),
        pointers=tuple(pointers),
        frames=frames,
        gloss=gloss.strip(),
    )


def _member(written: str) -> RawMember:
    position = _POSITION.search(written)
    return RawMember(_POSITION.sub("", written), position.group(1) if position else "")
