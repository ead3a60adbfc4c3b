"""The other spellings of any word: from the table, or made by the reader for words that are not in it."""

import gzip
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from builder.language.pronunciation.graphemes import DATA_PATH
from builder.language.pronunciation.reader import MODEL_PATH, Span, load_reader
from builder.language.pronunciation.respelling import respell
from contract.machine.hashes import hash_of, hash_of_file

TABLE_PATH = DATA_PATH / "spellings.txt.gz"
# Units are keyed by the hash of the code, which through this constant covers the data.
DATA_SHA256 = "dbe138fdab6b3b4c6e0e34cb440cde92c0a6db2124f36df26f26b153e76fcace"
# What is read when words are respelled.
_DATA_PATHS = (TABLE_PATH, MODEL_PATH, DATA_PATH / "graphemes.tsv", DATA_PATH / "endings.tsv")
# What a spelling is: one that people use, another word that sounds the same, or a respelled section.
Kind = Literal["listed", "homophone", "respell"]
_KINDS: dict[str, Kind] = {"l": "listed", "h": "homophone", "r": "respell"}
_LETTERS = {kind: letter for letter, kind in _KINDS.items()}
# Longer sequences of letters are not respelled.
LONGEST = 24


@dataclass(frozen=True, slots=True)
class Spelling:
    """A span of a lower-case word and what is written there instead; weights compare within a word."""

    kind: Kind
    span: Span
    weight: int


@dataclass(frozen=True)
class Spellings:
    """Words with their derived spellings as text, and the names among them."""

    by_word: Mapping[str, str]
    names: frozenset[str]

    def is_word(self, spelling: str) -> bool:
        """Whether a spelling is a known word and not only a name."""
        return spelling in self.by_word and spelling not in self.names


def spellings_of(word: str) -> tuple[Spelling, ...]:
    """Return other spellings of a lower-case word that sound the same."""
    known = load_spellings().by_word.get(word)
    return read_spellings(known) if known is not None else _spellings_of_unknown(word)


@lru_cache(maxsize=65_536)
def _spellings_of_unknown(word: str) -> tuple[Spelling, ...]:
    if len(word) > LONGEST:
        return ()
    reader = load_reader()
    units = reader.read(word)
    if units is None:
        return ()
    respellings = respell(word, units, reader, load_spellings().is_word)
    return tuple(Spelling("respell", item.span, percent(item.weight)) for item in respellings)


@lru_cache(maxsize=1)
def load_spellings() -> Spellings:
    """Return the shipped table; each line is a word, then its spellings, and names have a capital."""
    lines = gzip.decompress(TABLE_PATH.read_bytes()).decode().split("\n")
    pairs = [line.split("\t") for line in lines]
    return Spellings(
        {word.lower(): spellings for word, spellings in pairs},
        frozenset(word.lower() for word, _ in pairs if not word.islower()),
    )


def save_spellings(table: Mapping[str, Iterable[Spelling]], names: frozenset[str]) -> bytes:
    """Return the table as a file."""
    lines = [
        (word.capitalize() if word in names else word)
        + "\t"
        + " ".join(
            f"{_LETTERS[item.kind]}{item.span.start},{item.span.end},{item.span.written},{item.weight}"
            for item in spellings
        )
        for word, spellings in sorted(table.items())
    ]
    return gzip.compress("\n".join(lines).encode(), mtime=0)


def read_spellings(text: str) -> tuple[Spelling, ...]:
    """Return the spellings that a line of the table holds."""
    spellings = []
    for item in text.split():
        start, end, written, weight = item[1:].split(",")
        spellings.append(Spelling(_KINDS[item[0]], Span(int(start), int(end), written), int(weight)))
    return tuple(spellings)


def hash_of_data() -> str:
    """Return the hash of all data from which spellings come."""
    return hash_of([hash_of_file(path) for path in _DATA_PATHS])


def percent(weight: float) -> int:
    """Return a weight as a whole number, never 0."""
    return max(1, round(100 * weight))
