"""The shipped thesaurus: what may stand for a word or an expression, and in which neighbourhood."""

import gzip
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from sys import intern
from typing import NamedTuple

from contract.machine.hashes import hash_of_file

THESAURUS_PATH = Path(__file__).parent / "data" / "thesaurus.tsv.gz"
# Units are keyed by the hash of the code, which through this constant covers the table.
THESAURUS_SHA256 = "86845c86259087a81d0099f0ec928bb0562d5bd33317d1e965f7025a4e8ff217"
# The part of speech of entries that hold forms, which are not inflected.
FORM = "f"
# Begins the name of a domain, which stands for the words that tell it.
DOMAIN = "~"
MUTUAL = "="


class Condition(NamedTuple):
    """What must stand beside an expression (one of them, if any is named), and what must not."""

    wanted: frozenset[str]
    refused: frozenset[str]


class Substitute(NamedTuple):
    """What may stand for an expression, and whether the reverse holds wherever they are used."""

    text: str
    is_mutual: bool


class Entry(NamedTuple):
    """An expression in a neighbourhood, and what may stand for it there, best first."""

    part_of_speech: str
    # Only a form with this tag, where it is not empty.
    tag: str
    words: tuple[str, ...]
    before: Condition
    after: Condition
    not_near: frozenset[str]
    substitutes: tuple[Substitute, ...]

    @property
    def is_bare(self) -> bool:
        """Whether it is one word that holds whatever stands beside it."""
        return len(self.words) == 1 and not self.before.wanted and not self.after.wanted


# By the first word, as a lemma or as a form, and the part of speech.
Thesaurus = Mapping[tuple[str, str], tuple[Entry, ...]]


@lru_cache(maxsize=1)
def load_thesaurus() -> Thesaurus:
    """Return all entries by the first word and the part of speech of their expression."""
    if hash_of_file(THESAURUS_PATH) != THESAURUS_SHA256:
        raise ValueError(
            f"{THESAURUS_PATH} is not the file this code was made for; install the package again"
        )
    lines = gzip.decompress(THESAURUS_PATH.read_bytes()).decode().splitlines()
    domains = {
        name: _words(words) for name, words in (line.split("\t") for line in lines if line[0] == DOMAIN)
    }
    thesaurus: dict[tuple[str, str], list[Entry]] = {}
    for line in lines:
        if line[0] != DOMAIN:
            entry = _entry(line.split("\t"), domains)
            thesaurus.setdefault((entry.words[0], entry.part_of_speech), []).append(entry)
    return {key: tuple(entries) for key, entries in thesaurus.items()}


def _entry(fields: list[str], domains: Mapping[str, frozenset[str]]) -> Entry:
    part_of_speech, tag, expression, before, after, not_near, substitutes = fields
    near = _words(not_near)
    of_domains = [domains[name] for name in near if name.startswith(DOMAIN)]
    return Entry(
        part_of_speech,
        tag,
        tuple(map(intern, expression.split())),
        _condition(before),
        _condition(after),
        near.union(*of_domains),
        tuple(Substitute(text.removeprefix(MUTUAL), text.startswith(MUTUAL)) for text in _items(substitutes)),
    )


def _condition(text: str) -> Condition:
    return _condition_of(text) if text else _NONE


@lru_cache(maxsize=4096)
def _condition_of(text: str) -> Condition:
    items = list(_items(text))
    return Condition(
        frozenset(item for item in items if item[0] != "!"),
        frozenset(item[1:] for item in items if item[0] == "!"),
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(map(intern, _items(text)))


def _items(text: str) -> Iterator[str]:
    return filter(None, text.split(","))


_NONE = Condition(frozenset(), frozenset())
