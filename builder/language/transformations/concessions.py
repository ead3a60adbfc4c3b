"""Concessions as main clauses: "although X, Y" becomes "X, but Y", and the other way round."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import finite_of, statements
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_MARKS = frozenset({"although", "though"})


def change(parse: Parse) -> Iterator[Draft]:
    """Yield "X, but Y" for "although X, Y" and for "Y, although X"; "although X, Y" for "X, but Y"."""
    for statement in statements(parse):
        yield from _with_but(parse, statement.start, statement.end, statement.root.number)
        yield from _with_although(parse, statement.start, statement.end, statement.root.number)


def _with_but(parse: Parse, start: int, end: int, root: int) -> Iterator[Draft]:
    clause = parse.child(root, "advcl")
    span = parse.span(clause.number) if clause else None
    if clause is None or span is None or parse.children(root, "conj", "parataxis"):
        return
    begin = span.start + 1 if parse.tokens[span.start].text == "," else span.start
    mark = parse.tokens[begin]
    has_clause = mark.small in _MARKS and mark.head == clause.number and finite_of(parse, clause) is not None
    if not has_clause or not parse.children(clause.number, "nsubj", "expl"):
        return
    if begin == start:
        stop = span.stop if parse.tokens[span.stop - 1].text != "," else span.stop - 1
        inner = range(begin + 1, stop)
        if parse.tokens[stop].text == "," and "," not in parse.words(inner) and stop < root:
            yield Draft(start, end, (*inner, ",", "but", *range(stop + 1, end)))
    elif span.stop == end and begin > root:
        main = range(start, begin - 1 if parse.tokens[begin - 1].text == "," else begin)
        inner = range(begin + 1, end)
        pronoun = any(parse.tokens[number].tag in {"PRP", "PRP$"} for number in inner)
        if not pronoun and "," not in parse.words([*main, *inner]):
            yield Draft(start, end, (*inner, ",", "but", *main))


def _with_although(parse: Parse, start: int, end: int, root: int) -> Iterator[Draft]:
    other = parse.child(root, "conj")
    span = parse.span(other.number) if other else None
    if other is None or span is None or span.stop != end or parse.children(root, "parataxis", "advcl"):
        return
    begin = span.start + 1 if parse.tokens[span.start].text == "," else span.start
    but, subject = parse.tokens[begin], parse.child(other.number, "nsubj", "expl")
    is_clear = (
        but.small == "but"
        and but.relation == "cc"
        and subject is not None
        and parse.subtree(subject.number)[0] == begin + 1
        and finite_of(parse, other) is not None
        and parse.tokens[begin - 1].text == ","
        and "," not in parse.words([*range(start, begin - 1), *range(begin, end)])
        and not {"not", "n't", "only"}.intersection(parse.words(range(start, begin)))
    )
    if is_clear:
        yield Draft(start, end, ("although", *range(start, begin - 1), ",", *range(begin + 1, end)))


CONCESSION = Transformation(name="concession", summary="“X, but Y” and “although X, Y”", find=change)
