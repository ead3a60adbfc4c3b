"""Clause split and join: one sentence becomes two, two become one."""

from collections.abc import Iterator
from itertools import pairwise

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.statements import (
    Statement,
    agrees,
    body_end,
    finite_of,
    statement_of,
    statements,
)
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation


def split(parse: Parse) -> Iterator[Draft]:
    """Yield two sentences for two statements that a conjunction or semicolon joins."""
    for statement in statements(parse):
        if (
            parse.children(statement.root.number, "ccomp", "xcomp", "advcl")
            or len(statement.sentence) == statement.end - statement.start
        ):
            continue
        for other in parse.children(statement.root.number, "conj", "parataxis"):
            yield from _split_at(parse, statement, other)


def _split_at(parse: Parse, statement: Statement, other: Token) -> Iterator[Draft]:
    span = parse.span(other.number)
    subject, finite = parse.child(other.number, "nsubj"), finite_of(parse, other)
    if span is None or span.stop != statement.end or subject is None or finite is None:
        return
    first = span.start
    while parse.tokens[first].text in {",", ";"}:
        first += 1
    link: Token | None = parse.tokens[first] if parse.tokens[first].relation == "cc" else None
    mark = parse.tokens[first - 1].text
    begin = first + 1 if link else first
    is_clear = (
        (mark == ";" or (mark == "," and link is not None))
        and parse.subtree(subject.number)[0] == begin
        and parse.tokens[begin].tag in {"DT", "PRP", "PRP$", "NNP", "NN", "NNS", "JJ"}
        and subject.number < finite.number
        and agrees(parse, subject, finite)
        and (link is None or link.small in {"and", "but", "yet"})
        and first - 1 - statement.start >= 3
    )
    if is_clear:
        opening: tuple[Piece, ...] = () if link is None or link.small == "and" else (link.number,)
        pieces = (*range(statement.start, first - 1), ".", *opening, *range(begin, statement.end))
        yield Draft(statement.start, statement.end, pieces)


def join(parse: Parse) -> Iterator[Draft]:
    """Yield one sentence for two statements that follow each other."""
    for one, other in pairwise(parse.sentences):
        first, second = statement_of(parse, one), statement_of(parse, other)
        if first is None or second is None or parse.tokens[other.start].small in words("connectives"):
            continue
        marks = [parse.tokens[number].text for number in range(body_end(parse, one), one.stop)]
        is_whole = (first.start, second.start) == (one.start, other.start)
        if is_whole and marks == ["."] and len(one) + len(other) <= 40:
            for joint in ((";",), (",", "and")):
                pieces = (*range(first.start, first.end), *joint, *range(second.start, second.end))
                yield Draft(first.start, second.end, pieces)


SPLIT = Transformation(
    name="split", summary="a sentence of two clauses becomes two", find=split, undoes="join"
)
JOIN = Transformation(name="join", summary="two sentences become one", find=join, undoes="split")
