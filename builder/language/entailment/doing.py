"""Entailment-preserving rules on what somebody does, has, can do, or made."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.statements import Statement, is_plural, statements
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation
from builder.language.words.inflected_forms import paradigm_of
from builder.language.words.negations import is_negation

_LONGEST_SUBJECT = 6
_LONGEST_OBJECT = 12
# Who has done it, where one word says so and nothing else.
_MAKERS = {
    "direct": "director",
    "write": "writer",
    "produce": "producer",
    "found": "founder",
    "invent": "inventor",
    "compose": "composer",
    "design": "designer",
    "publish": "publisher",
    "create": "creator",
    "own": "owner",
    "win": "winner",
}
_CLAUSES = ("conj", "parataxis", "ccomp", "xcomp", "advcl", "expl", "iobj", "obl", "advmod", "compound:prt")
_OBJECT_PRONOUNS = {
    "he": "him",
    "she": "her",
    "they": "them",
    "we": "us",
    "i": "me",
    "it": "it",
    "you": "you",
}


def _plain(parse: Parse, statement: Statement) -> bool:
    """Whether a statement begins with a short subject, quantifies nothing and denies nothing."""
    body = list(parse.words(range(statement.start, statement.end)))
    return (
        statement.begins_with_subject
        and len(statement.subject_span) <= _LONGEST_SUBJECT
        and "," not in parse.words(statement.subject_span)
        and body[0] not in words("quantifiers")
        and not any(is_negation(word) for word in body)
    )


def _object(parse: Parse, statement: Statement) -> range | None:
    """Return the object if it follows the finite verb at once and ends the statement."""
    verb = statement.root
    thing = parse.child(verb.number, "obj")
    span = parse.span(thing.number) if thing else None
    is_whole = (
        span is not None
        and statement.finite == verb
        and verb.number == statement.subject_span.stop
        and span.start == verb.number + 1
        and span.stop == statement.end
        and len(span) <= _LONGEST_OBJECT
        and not parse.children(verb.number, *_CLAUSES)
    )
    return span if is_whole else None


def say_there_is_what_it_has(parse: Parse) -> Iterator[Draft]:
    """Yield "there is a P that S has" for "S has a P"."""
    for statement in statements(parse):
        span = _object(parse, statement)
        if span is None or not _plain(parse, statement) or statement.root.small not in {"has", "have", "had"}:
            continue
        relations = {child.relation.partition(":")[0] for child in parse.children(span.stop - 1)}
        if parse.tokens[span.start].small in {"a", "an"} and relations <= {"det", "amod", "compound"}:
            opening = "there was" if statement.root.small == "had" else "there is"
            pieces = (opening, *span, "that", *statement.subject_span, statement.root.number)
            yield Draft(statement.start, statement.end, pieces)


def _maker(parse: Parse, statement: Statement, verb: Token) -> str | None:
    paradigm = paradigm_of(verb.small, verb.tag)
    name = _MAKERS.get(paradigm.forms[0]) if paradigm else None
    return name if name and _plain(parse, statement) else None


def name_the_maker(parse: Parse) -> Iterator[Draft]:
    """Yield "S is the director of O" for "S directed O"."""
    for statement in statements(parse):
        span, maker = _object(parse, statement), _maker(parse, statement, statement.root)
        if span is None or maker is None or not _is_named(parse, span):
            continue
        if is_plural(parse, statement.subject) is False and statement.subject.tag in {"NNP", "NN"}:
            be = "was" if statement.root.tag == "VBD" else "is"
            pieces = (*statement.subject_span, be, "the", maker, "of", *span)
            yield Draft(statement.start, statement.end, pieces)


def name_the_maker_last(parse: Parse) -> Iterator[Draft]:
    """Yield "the director of S is O" for "S was directed by O"."""
    for statement in statements(parse):
        verb, be = statement.root, statement.finite
        maker = _maker(parse, statement, verb)
        rest = range(verb.number + 1, statement.end)
        is_clear = (
            maker is not None
            and verb.tag == "VBN"
            and be.small in {"is", "was"}
            and be.number == statement.subject_span.stop
            and verb.number == be.number + 1
            and 1 < len(rest) <= _LONGEST_SUBJECT
            and parse.tokens[rest.start].small == "by"
            and all(parse.tokens[number].tag in {"NNP", "DT", "NN"} for number in rest[1:])
            and _is_named(parse, statement.subject_span)
        )
        if is_clear and maker:
            pieces = ("the", maker, "of", *statement.subject_span, be.number, *rest[1:])
            yield Draft(statement.start, statement.end, pieces)


def _is_named(parse: Parse, span: range) -> bool:
    """Whether a phrase names one known thing."""
    return parse.tokens[span.start].small in {"the", "this"} or parse.tokens[span.stop - 1].tag == "NNP"


def _can(parse: Parse) -> Iterator[tuple[Statement, Token]]:
    """Yield statements on what somebody can do, with the modal."""
    for statement in statements(parse):
        modal, verb = statement.finite, statement.root
        is_clear = (
            _plain(parse, statement)
            and modal.small == "can"
            and modal.number == statement.subject_span.stop
            and verb.tag == "VB"
            and verb.number == modal.number + 1
            and not parse.children(verb.number, "conj", "parataxis", "expl", "aux:pass")
        )
        if is_clear:
            yield statement, modal


def say_it_is_able(parse: Parse) -> Iterator[Draft]:
    """Yield "S is able to V" for "S can V"."""
    for statement, modal in _can(parse):
        plural = is_plural(parse, statement.subject)
        be = "am" if statement.subject.small == "i" else "are" if plural else "is"
        if plural is not None or be == "am":
            yield Draft(modal.number, modal.number + 1, (be, "able", "to"))


def say_it_is_possible(parse: Parse) -> Iterator[Draft]:
    """Yield "it is possible for S to V" for "S can V"."""
    for statement, modal in _can(parse):
        first = parse.tokens[statement.start].small
        subject: tuple[Piece, ...] = tuple(statement.subject_span)
        if statement.subject.tag == "PRP":
            subject = (_OBJECT_PRONOUNS[first],) if first in _OBJECT_PRONOUNS else ()
        if subject:
            rest = range(modal.number + 1, statement.end)
            yield Draft(statement.start, statement.end, ("it is possible for", *subject, "to", *rest))


def say_it_is_true(parse: Parse) -> Iterator[Draft]:
    """Yield "it is true that S V" for a whole statement."""
    for statement in statements(parse):
        body = range(statement.start, statement.end)
        # "It is true that A, but B" concedes A; of oneself it is not said.
        is_apart = parse.tokens[statement.start].small != "i" and "but" not in parse.words(body)
        if _plain(parse, statement) and statement.start in parse.firsts and is_apart:
            yield Draft(statement.start, statement.end, ("it is true that", *body))


OWNED = Transformation(
    name="owned", summary="“there is a P that S has” for “S has a P”", find=say_there_is_what_it_has
)
MAKER = Transformation(
    name="maker", summary="“S was the director of O” for “S directed O”", find=name_the_maker
)
MAKER_LAST = Transformation(
    name="maker-last", summary="“the director of S was O” for “S was directed by O”", find=name_the_maker_last
)
ABLE = Transformation(name="able", summary="“S is able to V” for “S can V”", find=say_it_is_able)
POSSIBLE = Transformation(
    name="possible", summary="“it is possible for S to V” for “S can V”", find=say_it_is_possible
)
TRUE = Transformation(name="true", summary="“it is true that S V”", find=say_it_is_true, kind="frame")
