"""Entailment-preserving rules on what something is: "Ann Lee is a singer", "a singer is what Ann Lee is"."""

from collections.abc import Iterator
from typing import NamedTuple

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.statements import Statement, statements
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation
from builder.language.words.negations import is_negation

_LONGEST_SUBJECT = 6
_LONGEST_PREDICATE = 14
_PRESENT = {"is": True, "was": False}
# What stands behind a predicate in its sentence would come to stand in the middle.
_CLAUSES = ("conj", "advcl", "ccomp", "parataxis", "advmod", "csubj", "aux", "obl")
_COUNTRIES = {
    "american": "the United States",
    "british": "Britain",
    "english": "England",
    "scottish": "Scotland",
    "irish": "Ireland",
    "french": "France",
    "german": "Germany",
    "italian": "Italy",
    "spanish": "Spain",
    "canadian": "Canada",
    "australian": "Australia",
    "indian": "India",
    "chinese": "China",
    "japanese": "Japan",
    "russian": "Russia",
    "swedish": "Sweden",
    "mexican": "Mexico",
    "brazilian": "Brazil",
}


class _Being(NamedTuple):
    """A statement "S is a P" or "S is P", with nothing before, between or after."""

    statement: Statement
    subject: range
    predicate: range
    is_present: bool


def _beings(parse: Parse) -> Iterator[_Being]:
    """Yield what clearly says what something is, in one clause and without a negation."""
    for statement in statements(parse):
        be, span = statement.finite, statement.subject_span
        predicate = range(be.number + 1, statement.end)
        said = list(parse.words(range(statement.start, statement.end)))
        is_clear = (
            statement.begins_with_subject
            and be.small in _PRESENT
            and be.relation == "cop"
            and be.number == span.stop
            and statement.root.number in predicate
            and len(span) <= _LONGEST_SUBJECT
            and len(predicate) <= _LONGEST_PREDICATE
            and statement.subject.tag in {"NN", "NNP"}
            and statement.root.tag in {"NN", "NNP"}
            and said[0] not in words("quantifiers")
            and not {",", ";", ":", "(", "--", "-", "or", "but", "and"}.intersection(said)
            and not any(is_negation(word) for word in said)
            and not parse.children(statement.root.number, *_CLAUSES)
        )
        if is_clear:
            yield _Being(statement, span, predicate, _PRESENT[be.small])


def _says_a_kind(parse: Parse, being: _Being) -> bool:
    return parse.tokens[being.predicate.start].small in {"a", "an"}


def _has_a_name(parse: Parse, being: _Being) -> bool:
    """Whether all words of the subject are parts of a name."""
    return all(parse.tokens[number].tag == "NNP" for number in being.subject)


def _named_kinds(parse: Parse) -> Iterator[_Being]:
    return (being for being in _beings(parse) if _says_a_kind(parse, being) and _has_a_name(parse, being))


def _draft(being: _Being, *pieces: Piece) -> Draft:
    return Draft(being.statement.start, being.statement.end, pieces)


def say_it_exists(parse: Parse) -> Iterator[Draft]:
    """Yield "there exists a P that goes by the name of S"."""
    for being in _named_kinds(parse):
        opening, link = (
            ("there exists", "that goes by the name of")
            if being.is_present
            else ("there existed", "that went by the name of")
        )
        yield _draft(being, opening, *being.predicate, link, *being.subject)


def say_it_is_called(parse: Parse) -> Iterator[Draft]:
    """Yield "there is a P called S"."""
    for being in _named_kinds(parse):
        opening = "there is" if being.is_present else "there was"
        yield _draft(being, opening, *being.predicate, "called", *being.subject)


def say_the_name(parse: Parse) -> Iterator[Draft]:
    """Yield "a P has the name S"."""
    for being in _named_kinds(parse):
        link = "has the name" if being.is_present else "had the name"
        yield _draft(being, *being.predicate, link, *being.subject)


def say_the_kind_first(parse: Parse) -> Iterator[Draft]:
    """Yield "a P is what S is"."""
    for being in _beings(parse):
        be = being.statement.finite.number
        is_person = any(word in {"who", "whom", "whose"} for word in parse.words(being.predicate))
        if _says_a_kind(parse, being) and not is_person:
            yield _draft(being, *being.predicate, "is", "what", *being.subject, be)


def say_what_it_is(parse: Parse) -> Iterator[Draft]:
    """Yield "what S is is a P"."""
    for being in _beings(parse):
        if _says_a_kind(parse, being) and not _has_a_name(parse, being):
            be = being.statement.finite.number
            yield _draft(being, "what", *being.subject, be, "is", *being.predicate)


def say_one_of(parse: Parse) -> Iterator[Draft]:
    """Yield "among the Ps is S" for "S is one of the Ps"."""
    for statement in statements(parse):
        be, span = statement.finite, statement.subject_span
        predicate = range(be.number + 1, statement.end)
        start = [parse.tokens[number].small for number in predicate[:3]]
        is_clear = (
            statement.begins_with_subject
            and be.small in _PRESENT
            and be.number == span.stop
            and start[:2] == ["one", "of"]
            and start[2:] in (["the"], ["these"], ["those"])
            and len(predicate) <= _LONGEST_PREDICATE
            and not {",", "and", "but", "that", "who", "which"}.intersection(parse.words(predicate))
            and statement.subject.tag in {"NN", "NNP"}
        )
        if is_clear:
            yield Draft(statement.start, statement.end, ("among", *predicate[2:], be.number, *span))


def say_the_country(parse: Parse) -> Iterator[Draft]:
    """Yield "S is a P from the United States" for "S is an American P"."""
    for being in _named_kinds(parse):
        article, adjective = being.predicate[:2] if len(being.predicate) > 2 else (0, 0)
        country = _COUNTRIES.get(parse.tokens[adjective].small)
        noun = being.statement.root.number
        is_whole = noun == being.statement.end - 1
        if country and is_whole and parse.tokens[adjective].head == noun:
            kind = being.predicate[2:]
            link = being.statement.finite.number
            yield _draft(being, *being.subject, link, article, *kind, "from", country)


THERE_EXISTS = Transformation(
    name="there-exists", summary="“there exists a P that goes by the name of S”", find=say_it_exists
)
CALLED = Transformation(name="called", summary="“there is a P called S”", find=say_it_is_called)
NAME_HELD = Transformation(name="name-held", summary="“a P has the name S”", find=say_the_name)
KIND_FIRST = Transformation(name="kind-first", summary="“a P is what S is”", find=say_the_kind_first)
WHAT_IT_IS = Transformation(name="what-it-is", summary="“what S is is a P”", find=say_what_it_is)
AMONG = Transformation(name="among", summary="“among the Ps is S” for “S is one of the Ps”", find=say_one_of)
COUNTRY = Transformation(
    name="country", summary="“a singer from France” for “a French singer”", find=say_the_country
)
