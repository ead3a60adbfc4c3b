"""Sentences, lines and signs that have nothing to do with any task, from data/neutral.yaml."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from builder.values.associations import cores_of
from builder.values.randomness import Draw
from contract.machine.hashes import hash_of_file

POOL_PATH = Path(__file__).parent / "data" / "neutral.yaml"
# Units are keyed by the hash of the code, which through this constant covers the file.
POOL_SHA256 = "6635814bbe5cba2c10478060c565fb858a3e48012151f2da759b932a123e6757"

SLOT = re.compile(r"\{([a-z ]+)\d?\}")
# What a quotation quotes.
_STATEMENT = "{statement}"
_ARTICLE = re.compile(r"\ba (?=[aeiou])")
# The article stays before what sounds like "you" or "one".
_NO_ARTICLE = re.compile(r"\ban (?=(?:eu|one|uni)\w)")


@dataclass(frozen=True, slots=True)
class NeutralSentences:
    """The pool without words that must not be used."""

    topics: tuple[tuple[str, ...], ...]
    fillers: Mapping[str, tuple[str, ...]]
    boilerplate: tuple[str, ...]
    quotations: tuple[str, ...]
    # True of anything: those that say next to nothing, those that bring a thing to mind, and StressTest's.
    empty_tautologies: tuple[str, ...]
    tautologies: tuple[str, ...]
    statements: tuple[str, ...]
    emoji: tuple[str, ...]

    def sentence(self, topic: Sequence[str], draw: Draw) -> str:
        """Return a sentence of a topic in small letters, without its full stop."""
        return self._filled(draw.choice(topic), draw)

    def any_sentence(self, draw: Draw) -> str:
        """Return a sentence of any topic."""
        return self.sentence(draw.choice(self.topics), draw)

    def line(self, draw: Draw) -> str:
        """Return a line as letters, pages and pictures have them."""
        return self._filled(draw.choice(self.boilerplate), draw)

    def quotation(self, draw: Draw) -> str:
        """Return a sentence that quotes another one."""
        around = self._filled(draw.choice(self.quotations), draw)
        return around.replace(_STATEMENT, self.any_sentence(draw))

    def word(self, draw: Draw) -> str | None:
        """Return the name of a thing that is one word; nothing if none may be used."""
        words = _single_words(tuple(self.fillers.values()))
        return draw.choice(words) if words else None

    def _filled(self, template: str, draw: Draw) -> str:
        taken: list[str] = []

        def fill(slot: re.Match[str]) -> str:
            if slot.group() == _STATEMENT:
                return _STATEMENT
            fillers = self.fillers[slot.group(1)]
            taken.append(draw.choice([filler for filler in fillers if filler not in taken] or fillers))
            return taken[-1]

        return with_articles(SLOT.sub(fill, template))


def with_articles(text: str) -> str:
    """Return a text in which "a" is "an" before a vowel."""
    return _NO_ARTICLE.sub("a ", _ARTICLE.sub("an ", text))


@lru_cache(maxsize=1)
def whole_pool() -> NeutralSentences:
    """Return everything in the file."""
    if hash_of_file(POOL_PATH) != POOL_SHA256:
        raise ValueError(f"{POOL_PATH} is not the file this code was made for; install the package again")
    raw: Mapping[str, Any] = yaml.safe_load(POOL_PATH.read_text(encoding="utf-8"))
    fillers = {name: tuple(str(words).split(", ")) for name, words in raw["fillers"].items()}
    of = {name: tuple(str(clauses).split(", ")) for name, clauses in raw["tautologies"].items()}
    things = (*fillers["day"], *fillers["month"], *fillers["number"], *fillers["colour"], *of["things"])
    return NeutralSentences(
        topics=tuple(tuple(templates) for templates in raw["topics"].values()),
        fillers=fillers,
        boilerplate=tuple(line for lines in raw["boilerplate"].values() for line in lines),
        quotations=tuple(raw["quotations"]),
        empty_tautologies=tuple(f"and {clause}" for clause in of["empty"]),
        tautologies=tuple(f"and {thing} is {thing}" for thing in dict.fromkeys(things)),
        statements=tuple(f"and {clause}" for clause in of["statements"]),
        emoji=tuple(raw["emoji"].split()),
    )


@lru_cache(maxsize=16)
def neutral_sentences(avoid: frozenset[str]) -> NeutralSentences:
    """Return the pool without the words to avoid; what cannot be said without them is left out."""
    pool = whole_pool()
    fillers = {name: _without(words, avoid) for name, words in pool.fillers.items()}

    def sayable(templates: Sequence[str]) -> tuple[str, ...]:
        return tuple(
            template
            for template in _without(templates, avoid)
            if all(fillers[name] for name in SLOT.findall(template) if name != "statement")
        )

    topics = tuple(topic for topic in map(sayable, pool.topics) if topic)
    return NeutralSentences(
        topics=topics,
        fillers=fillers,
        boilerplate=sayable(pool.boilerplate),
        quotations=sayable(pool.quotations) if topics else (),
        empty_tautologies=_without(pool.empty_tautologies, avoid),
        tautologies=_without(pool.tautologies, avoid),
        statements=_without(pool.statements, avoid),
        emoji=pool.emoji,
    )


def phrases_of(pool: NeutralSentences) -> Iterator[str]:
    """Yield every fixed phrase and every filler of a pool, but for StressTest's statements."""
    for templates in (*pool.topics, pool.boilerplate, pool.quotations):
        yield from (SLOT.sub(" ", template) for template in templates)
    for words in pool.fillers.values():
        yield from words
    yield from pool.empty_tautologies
    yield from pool.tautologies


def n_negated_statements(text: str) -> int:
    """Return how many of StressTest's negated statements a text has."""
    return len(_negated_statement().findall(" ".join(cores_of(text)))) if "not" in text.casefold() else 0


@lru_cache(maxsize=1)
def _negated_statement() -> re.Pattern[str]:
    negated = [statement for statement in whole_pool().statements if " not " in statement]
    return re.compile(rf"\b(?:{'|'.join(negated)})\b")


@lru_cache(maxsize=16)
def _single_words(fillers: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    return tuple(sorted({word for words in fillers for word in words if word.isalpha()}))


def _without(phrases: Sequence[str], avoid: frozenset[str]) -> tuple[str, ...]:
    return tuple(phrase for phrase in phrases if avoid.isdisjoint(cores_of(SLOT.sub(" ", phrase))))
