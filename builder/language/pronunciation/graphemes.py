"""Which letters stand for which sounds, and what may be written instead at each position."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

DATA_PATH = Path(__file__).parent / "data"

# First, in the middle, last; the last two in words of one syllable.
Place = Literal["first", "middle", "last", "short middle", "short last"]
# What stands after a colon in the data, and which places it means.
_MARKS: dict[str, tuple[Place, ...]] = {
    "f": ("first",),
    "m": ("middle", "short middle"),
    "l": ("last", "short last"),
    "e": ("last",),
    "s": ("short middle",),
}


class Unit(NamedTuple):
    """Some letters of a word and the phonemes they stand for, none where they are silent."""

    letters: str
    phonemes: str


class Ending(NamedTuple):
    """A longer sequence of letters that people respell as a whole."""

    letters: str
    phonemes: str
    written: str
    is_last_only: bool
    heard: str


@dataclass(frozen=True, kw_only=True)
class Graphemes:
    """Every unit of English spelling by its letters, and what may be written for phonemes, by position."""

    by_letters: Mapping[str, tuple[str, ...]]
    written: Mapping[tuple[str, Place], tuple[str, ...]]
    endings: tuple[Ending, ...]
    most_letters: int


@lru_cache(maxsize=1)
def load_graphemes() -> Graphemes:
    """Return the correspondences of letters and sounds."""
    by_letters: dict[str, list[str]] = defaultdict(list)
    written: dict[tuple[str, Place], list[str]] = defaultdict(list)
    for phonemes, read, respelled in rows_of("graphemes.tsv"):
        for letters in read.split():
            by_letters[letters].append(phonemes)
        for mark in respelled.split():
            letters, _, marks = mark.partition(":")
            for place in {place for sign in marks or "fml" for place in _MARKS[sign]}:
                written[phonemes, place].append(letters)
    return Graphemes(
        by_letters={letters: tuple(phonemes) for letters, phonemes in by_letters.items()},
        written={key: tuple(letters) for key, letters in written.items()},
        endings=tuple(
            Ending(letters, phonemes, instead, where == "ends", heard)
            for letters, phonemes, instead, where, heard in rows_of("endings.tsv")
        ),
        most_letters=max(map(len, by_letters)),
    )


def rows_of(name: str) -> Iterator[list[str]]:
    """Yield the tab-separated rows of a data file; lines that begin with # are comments."""
    for line in (DATA_PATH / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def phonemes_of(units: Sequence[Unit]) -> str:
    """Return how a word in units sounds."""
    return "".join(unit.phonemes for unit in units)
