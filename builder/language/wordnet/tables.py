"""The shipped tables: synsets with their common lemmas, the frequencies of lemmas, and fixed phrases."""

import gzip
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from contract.machine.hashes import hash_of, hash_of_file

DATA_PATH = Path(__file__).parent / "data"
SYNSETS_PATH = DATA_PATH / "synsets.tsv.gz"
WORDS_PATH = DATA_PATH / "words.tsv.gz"
PHRASES_PATH = DATA_PATH / "phrases.txt.gz"
# Units are keyed by the hash of the code, which through this constant covers the data.
TABLES_SHA256 = "3c558b6bf94ec2f604cb2bee64327fdd0b2af288995369410ee8e9af7ad89989"

PARTS_OF_SPEECH: Mapping[str, str] = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}


class Member(NamedTuple):
    """A lemma in a synset: its sense number there, how often it was tagged so, and where it may stand.

    The position is empty, "p" for adjectives that never stand before a noun, "a" for those that always do.
    """

    lemma: str
    sense: int
    n_tagged: int
    position: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Synset:
    """Lemmas that mean the same, and the numbers of similar, opposed and higher synsets."""

    number: int
    part_of_speech: str
    file: int
    members: tuple[Member, ...]
    similar: tuple[int, ...] = ()
    opposed: tuple[int, ...] = ()
    above: tuple[int, ...] = ()
    frames: tuple[int, ...] = ()

    def member(self, lemma: str) -> Member | None:
        """Return a lemma's membership, if it is one."""
        return next((member for member in self.members if member.lemma == lemma), None)


@dataclass(frozen=True, kw_only=True)
class Tables:
    """All synsets by number; the numbers of a lemma's synsets, first sense first; frequencies; phrases."""

    synsets: Sequence[Synset]
    senses: Mapping[tuple[str, str], tuple[int, ...]]
    frequency: Mapping[str, float]
    phrases: frozenset[str]

    def senses_of(self, lemma: str, part_of_speech: str) -> list[Synset]:
        """Return the synsets of a lemma as one part of speech, first sense first."""
        return [self.synsets[number] for number in self.senses.get((lemma, part_of_speech), ())]


@lru_cache(maxsize=1)
def load_tables() -> Tables:
    """Return the shipped tables, read once for each process."""
    if hash_of_tables() != TABLES_SHA256:
        raise ValueError(f"{DATA_PATH} does not hold the tables this code was made for; install it again")
    synsets = [_read_synset(number, line) for number, line in enumerate(_lines(SYNSETS_PATH))]
    frequency = {}
    for line in _lines(WORDS_PATH):
        word, _, tenths = line.partition("\t")
        frequency[word] = int(tenths) / 10
    return Tables(
        synsets=synsets,
        senses=_senses_of(synsets),
        frequency=frequency,
        phrases=frozenset(_lines(PHRASES_PATH)),
    )


def save_tables(synsets: Iterable[Synset], frequency: Mapping[str, float], phrases: Iterable[str]) -> None:
    """Write the tables, the same bytes for the same tables."""
    words = [f"{word}\t{round(10 * zipf)}" for word, zipf in sorted(frequency.items())]
    for path, lines in (
        (SYNSETS_PATH, [_write_synset(synset) for synset in synsets]),
        (WORDS_PATH, words),
        (PHRASES_PATH, sorted(phrases)),
    ):
        path.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


def hash_of_tables() -> str:
    """Return the hash of the shipped tables."""
    return hash_of([hash_of_file(path) for path in (SYNSETS_PATH, WORDS_PATH, PHRASES_PATH)])


def _senses_of(synsets: Iterable[Synset]) -> dict[tuple[str, str], tuple[int, ...]]:
    numbered: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for synset in synsets:
        for member in synset.members:
            numbered.setdefault((member.lemma, synset.part_of_speech), []).append(
                (member.sense, synset.number)
            )
    return {key: tuple(number for _, number in sorted(senses)) for key, senses in numbered.items()}


def _lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().split("\n")


def _write_synset(synset: Synset) -> str:
    members = " ".join(",".join(map(str, member)).rstrip(",") for member in synset.members)
    relations = [synset.similar, synset.opposed, synset.above, synset.frames]
    columns = [" ".join(map(str, numbers)) for numbers in relations]
    return "\t".join([synset.part_of_speech, str(synset.file), members, *columns])


def _read_synset(number: int, line: str) -> Synset:
    part_of_speech, file, members, *relations = line.split("\t")
    similar, opposed, above, frames = (tuple(map(int, numbers.split())) for numbers in relations)
    return Synset(
        number=number,
        part_of_speech=part_of_speech,
        file=int(file),
        members=tuple(_read_member(member) for member in members.split()),
        similar=similar,
        opposed=opposed,
        above=above,
        frames=frames,
    )


def _read_member(text: str) -> Member:
    lemma, sense, n_tagged, *position = text.split(",")
    return Member(lemma, int(sense), int(n_tagged), *position)
