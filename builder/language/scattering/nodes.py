"""The nodes of a parsed text at whose edges a token can stand, by their level in the tree."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from builder.language.clauses.draft import in_small_letters
from builder.language.clauses.statements import body_end, follows_a_stop
from builder.language.parser.parse import Parse, Token
from builder.language.words.negations import is_negation

Level = Literal["word", "phrase", "clause", "sentence"]
Edge = Literal["start", "end"]

# Relations inside of names, numbers and fixed expressions: nothing may stand between their words.
_FIXED = frozenset({"flat", "fixed", "compound", "goeswith", "nummod", "punct", "aux", "cop", "cc", "clf"})
_PHRASES = frozenset({"obl", "nmod", "obj", "iobj", "nsubj", "advmod", "amod", "xcomp", "appos"})
_CLAUSES = frozenset({"advcl", "acl", "ccomp", "conj", "parataxis", "csubj"})
# Words that people say twice by accident; saying other words twice makes them stronger or counts them twice.
_REPEATED_TAGS = frozenset({"DT", "IN", "TO", "PRP$", "CC"})
_NOT_REPEATED = frozenset(
    {"all", "both", "no", "so", "that", "like", "neither", "nor", "but", "than", "not", "out"}
)


@dataclass(frozen=True, slots=True)
class Node:
    """An edge of a node: the offset in the text at which a token can be inserted."""

    level: Level
    edge: Edge
    place: int
    # The word itself, or the first word of a sentence as it is written after others.
    word: str = ""


def nodes_of(parse: Parse) -> list[Node]:
    """Return the places at which tokens can be scattered, in the order of the text; one a place."""
    places: dict[int, Node] = {}
    for node in _all_nodes(parse):
        # A clause's edge is often a phrase's, too: the highest node has the place.
        kept = places.get(node.place)
        if kept is None or _RANK[node.level] > _RANK[kept.level]:
            places[node.place] = node
    return [places[place] for place in sorted(places)]


_RANK: dict[Level, int] = {"word": 0, "phrase": 1, "clause": 2, "sentence": 3}


def _all_nodes(parse: Parse) -> Iterator[Node]:
    for sentence in parse.sentences:
        yield from _sentence_nodes(parse, sentence)
        end = body_end(parse, sentence)
        for number in range(sentence.start + 1, end):
            token, before = parse.tokens[number], parse.tokens[number - 1]
            if not _is_free(parse, before, token):
                continue
            if _can_be_repeated(before):
                yield Node("word", "end", before.end, before.text)
            level = _level_starting(parse, number)
            if level is not None:
                yield Node(level, "start", before.end)


def _sentence_nodes(parse: Parse, sentence: range) -> Iterator[Node]:
    first, end = parse.tokens[sentence.start], body_end(parse, sentence)
    if end - sentence.start < 3 or not follows_a_stop(parse, sentence):
        return
    small = in_small_letters(parse, first) if first.text[0].isalpha() else None
    # A sentence that begins with "and" or "oh" has such a token already.
    if small is not None and first.tag not in {"CC", "UH"}:
        yield Node("sentence", "start", first.start, small)
    last = parse.tokens[end - 1]
    closing = [parse.tokens[number].text for number in range(end, sentence.stop)]
    if last.text[-1].isalnum() and closing in ([], ["."], ["!"], ["?"]):
        yield Node("sentence", "end", last.end)


def _level_starting(parse: Parse, number: int) -> Level | None:
    """Return the level of the highest node whose subtree begins at a piece; None if none does."""
    level: Level | None = None
    node = parse.tokens[number]
    while True:
        span = parse.span(node.number)
        if span is None or span.start != number:
            return level
        relation = _relation(node)
        if relation in _CLAUSES and len(span) > 2:
            level = "clause"
        elif relation in _PHRASES and len(span) > 1 and level is None:
            level = "phrase"
        if node.head == node.number:
            return level
        node = parse.tokens[node.head]


def _is_free(parse: Parse, before: Token, token: Token) -> bool:
    """Whether something can stand between two pieces: words with white space between them, not a unit."""
    between = parse.text[before.end : token.start]
    is_spaced = between != "" and not between.strip() and "\n" not in between
    are_words = before.text[-1].isalnum() and token.text[0].isalnum()
    is_name = before.universal_tag == "PROPN" and token.universal_tag == "PROPN"
    is_unit = _relation(token) in _FIXED or _relation(before) in {"fixed", "flat"}
    has_number = before.universal_tag == "NUM" or token.universal_tag == "NUM"
    is_denied = is_negation(before.small) or is_negation(token.small)
    return is_spaced and are_words and not is_name and not is_unit and not has_number and not is_denied


def _relation(token: Token) -> str:
    return token.relation.partition(":")[0]


def _can_be_repeated(token: Token) -> bool:
    return (
        token.tag in _REPEATED_TAGS
        and token.small not in _NOT_REPEATED
        and token.text == token.small
        and token.text.isalpha()
        and token.relation in {"det", "case", "mark", "cc", "nmod:poss"}
    )
