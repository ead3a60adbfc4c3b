"""Tokens that say nothing, written at the nodes of a parsed text: fillers, pauses, a word said twice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from builder.language.clauses.style import style_of
from builder.language.parser.parsing import parse
from builder.language.scattering.nodes import Level, Node, nodes_of
from builder.values.associations import cores_of
from contract.schema.edits import words_of

# What people say while they think, and what is written for a pause; none of it tells anything.
FILLERS: dict[Level, tuple[str, ...]] = {
    "phrase": ("um", "uh", "er", "erm"),
    "clause": ("um", "uh", "you know", "you see", "I mean", "well", "er"),
    "sentence": ("well", "so", "now", "okay", "um", "you know", "you see"),
}
# Of fillers for a sentence, those that can stand at its end.
FILLERS_LAST = ("you know", "you see", "um", "uh", "okay")
PAUSES = ("...", "--")
REPEATED = "word-repeated"
# At most so many tokens: one for each of these words, so that a text stays easy to read.
WORDS_A_TOKEN = 5
MOST_TOKENS = 6


@dataclass(frozen=True, slots=True)
class Insertion:
    """A token at a place of a text, with the spaces and commas around it."""

    place: int
    # A first word that loses its capital, else nothing.
    original: str
    text: str
    # What it is made of: the level of its node and the kind of token.
    kind: str


def insertions(text: str, parser: str, avoid: frozenset[str]) -> tuple[Insertion, ...]:
    """Return every token at every node of a text, without the words to avoid."""
    return tuple(
        insertion
        for insertion in _insertions(text, parser)
        if insertion.kind == REPEATED or avoid.isdisjoint({*cores_of(insertion.text)} - {*cores_of(text)})
    )


def most_insertions(text: str) -> int:
    """Return how many tokens a text may get."""
    return max(1, min(MOST_TOKENS, len(words_of(text)) // WORDS_A_TOKEN))


def together(chosen: Sequence[Insertion], most: int) -> list[Insertion]:
    """Return insertions in the order of the text, the first of each place, no two beside each other."""
    kept: dict[int, Insertion] = {}
    for insertion in chosen:
        if len(kept) < most and not any(abs(place - insertion.place) < _NEAR for place in kept):
            kept[insertion.place] = insertion
    return [kept[place] for place in sorted(kept)]


# Characters between two tokens, at least: two fillers around one short word are not how people speak.
_NEAR = 8


@lru_cache(maxsize=20_000)
def _insertions(text: str, parser: str) -> tuple[Insertion, ...]:
    (parsed,) = parse([text], parser)
    is_spaced = style_of(text).is_spaced
    return tuple(
        insertion for node in nodes_of(parsed) for insertion in _of_node(text, node, is_spaced=is_spaced)
    )


def _of_node(text: str, node: Node, *, is_spaced: bool) -> Iterator[Insertion]:
    comma = " ," if is_spaced else ","
    if node.level == "word":
        yield Insertion(node.place, "", f" {node.word}", REPEATED)
    elif node.level == "sentence" and node.edge == "start":
        first = text[node.place : node.place + len(node.word)]
        for filler in FILLERS["sentence"]:
            opening = filler.capitalize() if first[0].isupper() else filler
            yield Insertion(node.place, first, f"{opening}{comma} {node.word}", "sentence-first")
    elif node.level == "sentence":
        for filler in FILLERS_LAST:
            yield Insertion(node.place, "", f"{comma} {filler}", "sentence-last")
    else:
        for filler in FILLERS[node.level]:
            yield Insertion(node.place, "", f"{comma} {filler}{comma}", f"{node.level}-filler")
        for pause in PAUSES:
            yield Insertion(node.place, "", f" {pause}", f"{node.level}-pause")
