"""Entailment-preserving rules on where something is, when something happened, and where people were born."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import Statement, statements
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation
from builder.language.words.negations import is_negation

_LONGEST_SUBJECT = 8
_SITUATED = frozenset({"located", "situated", "based", "found"})
_IN = frozenset({"in"})


def _plain(parse: Parse, statement: Statement) -> bool:
    """Whether a statement has a short subject before its verb, one clause, and denies nothing."""
    body = list(parse.words(range(statement.start, statement.end)))
    return (
        statement.begins_with_subject
        and statement.finite.number == statement.subject_span.stop
        and len(statement.subject_span) <= _LONGEST_SUBJECT
        and body[0] not in words("quantifiers")
        and not {",", ";", "and", "but"}.intersection(body)
        and not any(is_negation(word) for word in body)
        and not parse.children(statement.root.number, "conj", "parataxis", "ccomp", "advcl")
    )


def _name_after_in(parse: Parse, statement: Statement) -> range | None:
    """Return the name that ends a statement after "in"."""
    start = statement.end
    while start > statement.finite.number + 1 and parse.tokens[start - 1].tag == "NNP":
        start -= 1
    name = range(start, statement.end)
    before = parse.tokens[start - 1]
    return name if name and before.small in _IN and before.tag == "IN" else None


def say_where_it_is(parse: Parse) -> Iterator[Draft]:
    """Yield "P is where S is located" for "S is located in P", and "P is where S is" for "S is in P"."""
    for statement in statements(parse):
        name, be = _name_after_in(parse, statement), statement.finite
        if name is None or not _plain(parse, statement) or be.small not in {"is", "was"}:
            continue
        between = [parse.tokens[number].small for number in range(be.number + 1, name.start - 1)]
        if between == [] or (len(between) == 1 and between[0] in _SITUATED):
            verb = range(be.number, name.start - 1)
            yield Draft(
                statement.start, statement.end, (*name, "is", "where", *statement.subject_span, *verb)
            )


def say_where_born(parse: Parse) -> Iterator[Draft]:
    """Yield "the place where S was born is P" for "S was born in P"."""
    for statement in statements(parse):
        name, verb = _name_after_in(parse, statement), statement.root
        is_clear = (
            name is not None
            and _plain(parse, statement)
            and verb.small in {"born", "raised"}
            and verb.number == statement.finite.number + 1
            and name.start == verb.number + 2
        )
        if is_clear and name:
            body = range(statement.start, verb.number + 1)
            yield Draft(statement.start, statement.end, ("the place where", *body, "is", *name))


def say_the_year(parse: Parse) -> Iterator[Draft]:
    """Yield "1990 was the year in which S V-ed" for "S V-ed in 1990"."""
    for statement in statements(parse):
        year, before = parse.tokens[statement.end - 1], parse.tokens[statement.end - 2]
        is_clear = (
            _plain(parse, statement)
            and _is_year(year)
            and before.small == "in"
            and statement.finite.tag == "VBD"
            # Of a phrase it would be the year of a thing, not of what happened.
            and parse.tokens[year.head].number == statement.root.number
        )
        if is_clear:
            body = range(statement.start, before.number)
            yield Draft(statement.start, statement.end, (year.number, "was", "the year in which", *body))


def _is_year(token: Token) -> bool:
    return len(token.text) == 4 and token.text.isascii() and token.text.isdigit() and token.text[0] in "12"


def say_it_was_that_year(parse: Parse) -> Iterator[Draft]:
    """Yield "it was in 1990 that S V-ed" for "S V-ed in 1990"."""
    for statement in statements(parse):
        year, before = parse.tokens[statement.end - 1], parse.tokens[statement.end - 2]
        is_clear = (
            _plain(parse, statement)
            and _is_year(year)
            and before.small == "in"
            and statement.finite.tag == "VBD"
            and parse.tokens[year.head].number == statement.root.number
        )
        if is_clear:
            body = range(statement.start, before.number)
            pieces = ("it was", before.number, year.number, "that", *body)
            yield Draft(statement.start, statement.end, pieces)


WHERE_IT_IS = Transformation(
    name="where-it-is", summary="“P is where S is” for “S is in P”", find=say_where_it_is
)
WHERE_BORN = Transformation(
    name="where-born", summary="“the place where S was born is P”", find=say_where_born
)
YEAR = Transformation(name="year", summary="“1990 was the year in which S V-ed”", find=say_the_year)
YEAR_CLEFT = Transformation(
    name="year-cleft", summary="“it was in 1990 that S V-ed”", find=say_it_was_that_year
)
