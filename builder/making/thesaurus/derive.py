"""Derives the shipped table: `python -m builder.making.thesaurus.derive`.

Reads the senses of general English, the expressions and the domains; writes one line an entry, and prints
the hash that `builder.language.words.thesaurus` has to hold.
"""

import gzip
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from builder.language.words.negations import is_negation
from builder.language.words.thesaurus import THESAURUS_PATH
from builder.making.thesaurus.expressions import Expression, read_expressions
from builder.making.thesaurus.senses import Fault, Sense, Substitute, read_senses
from contract.machine.errors import bad_inputs
from contract.machine.hashes import hash_of_file

DOMAINS_PATH = Path(__file__).parent / "domains.txt"
Key = tuple[str, str]
_BRACKETS = re.compile(r"\(([^)]*)\)")
_OPENING = re.compile(r"^(?:keeps|followed by|with) ")
_GOVERNED = frozenset(
    ["about", "against", "as", "at", "for", "from", "in", "into", "of", "on", "that", "to", "with"]
)
_AFTER = {
    "before an adjective": ("JJ",),
    "before adjective": ("JJ", "RB"),
    "before a noun": ("NN",),
    "before a plural noun": ("NNS",),
    "before plural noun": ("NNS",),
    "before a that-clause": ("that", "PRP", "DT", "NNP"),
    "before a clause": ("that", "PRP", "DT", "NNP"),
    'before "to"': ("to",),
}


class Line(NamedTuple):
    """An entry of the table."""

    part_of_speech: str
    tag: str
    text: str
    before: Sequence[str]
    after: Sequence[str]
    not_near: Sequence[str]
    substitutes: Sequence[Substitute]

    def written(self) -> str:
        """Return the line as it stands in the table."""
        substitutes = [f"{'=' if each.is_mutual else ''}{each.text}" for each in self.substitutes]
        near = sorted({word.lower() for word in self.not_near})
        lists = (self.before, self.after, near, substitutes)
        return "\t".join([self.part_of_speech, self.tag, self.text, *map(",".join, lists)])


@click.command(help=__doc__)
def main() -> None:
    """Write the table and print its size and hash."""
    text = table()
    # Without a time, so that the same table has the same bytes.
    THESAURUS_PATH.write_bytes(gzip.compress(text.encode(), mtime=0))
    click.echo(f"{len(text.splitlines()):,} lines, {THESAURUS_PATH.stat().st_size:,} bytes")
    click.echo(f"THESAURUS_SHA256 = {hash_of_file(THESAURUS_PATH)!r}")


def table() -> str:
    """Return the table that the kept lines make."""
    lines = [*read_senses(), *read_expressions()]
    faults = [f"{line.place}: {line.text}" for line in lines if isinstance(line, Fault)]
    if faults:
        raise bad_inputs(faults)
    senses = [line for line in lines if isinstance(line, Sense)]
    expressions = [line for line in lines if isinstance(line, Expression)]
    written = dict.fromkeys(line.written() for line in _without_negations(entries(senses, expressions)))
    return "\n".join([*_domains(), *written])


def _without_negations(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines without what negates: a text that gains or loses a negation may mean the opposite."""
    for line in lines:
        kept = [each for each in line.substitutes if not any(map(is_negation, each.text.split()))]
        if kept and not any(map(is_negation, line.text.split())):
            yield line._replace(substitutes=kept)


def entries(senses: Sequence[Sense], expressions: Sequence[Expression]) -> Iterator[Line]:
    """Yield the entries of the table: expressions first, then words by sense, then what they imply.

    A word that is listed without a neighbourhood is refused near whatever a sense of it is refused near.
    """
    near_of: dict[Key, tuple[str, ...]] = {}
    listed: dict[Key, set[str]] = {}
    for sense in senses:
        key = (sense.word, sense.part_of_speech)
        near_of[key] = near_of.get(key, ()) + sense.not_near
        listed.setdefault(key, set()).update(each.text for each in sense.substitutes)
    of_expressions = list(_of_expressions(expressions))
    for line in of_expressions:
        key = (line.text, line.part_of_speech)
        if line.before or line.after or line.tag:
            yield line
            continue
        new = [each for each in line.substitutes if each.text not in listed.get(key, ())]
        if new:
            yield line._replace(not_near=(*line.not_near, *near_of.get(key, ())), substitutes=new)
    for sense in senses:
        if sense.substitutes:
            after = _after(sense.gloss)
            yield Line(sense.part_of_speech, "", sense.word, (), after, sense.not_near, sense.substitutes)
        yield from _reversed(sense, listed, near_of)


def _after(gloss: str) -> tuple[str, ...]:
    """Return what a gloss says must follow: (keeps "to"), (with "on"), (of), before an adjective."""
    for inside in _BRACKETS.findall(gloss):
        words = _OPENING.sub("", inside).replace('"', "").replace(" and verb", "").split(", ")
        if all(word in _GOVERNED for word in words):
            return tuple(words)
    return next((after for text, after in _AFTER.items() if text in gloss), ())


def _of_expressions(expressions: Sequence[Expression]) -> Iterator[Line]:
    for each in expressions:
        line = Line(
            each.part_of_speech,
            each.tag,
            each.text,
            each.before,
            each.after,
            each.not_near,
            each.substitutes,
        )
        yield line
        for other in each.substitutes:
            if other.is_mutual:
                yield line._replace(text=other.text, substitutes=(Substitute(each.text, is_mutual=True),))


def _reversed(
    sense: Sense, listed: dict[Key, set[str]], near_of: dict[Key, tuple[str, ...]]
) -> Iterator[Line]:
    """Yield the reverse of the mutual pairs, unless the other word's own line says that nothing is safe."""
    for other in sense.substitutes:
        key = (other.text, sense.part_of_speech)
        own = listed.get(key)
        if other.is_mutual and (own is None or (own and sense.word not in own)):
            near = (*sense.not_near, *near_of.get(key, ()))
            back = Substitute(sense.word, is_mutual=True)
            yield Line(sense.part_of_speech, "", other.text, (), (), near, (back,))


def _domains() -> Iterator[str]:
    for line in DOMAINS_PATH.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, words = line.split(" | ")
            yield f"{name}\t{words.replace(', ', ',')}"


if __name__ == "__main__":
    main()
