"""Clefts of objects: "the firm sold the plant" becomes "it was the plant that the firm sold"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import statements
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation
from builder.language.words.inflected_forms import paradigm_of
from builder.language.words.negations import is_negation

_DEFINITE = frozenset({"the", "this", "these", "those", "his", "her", "their"})
_LONGEST = 8


def cleft_objects(parse: Parse) -> Iterator[Draft]:
    """Yield "it is O that S does" for "S does O"."""
    for statement in statements(parse):
        verb, thing = statement.root, parse.child(statement.root.number, "obj")
        span = parse.span(thing.number) if thing else None
        paradigm = paradigm_of(verb.small, verb.tag)
        if thing is None or span is None or paradigm is None or paradigm.forms[0] not in words("actions"):
            continue
        is_clear = (
            statement.begins_with_subject
            and span.start == verb.number + 1
            and _is_definite(parse, thing, span)
            and not parse.children(verb.number, "conj", "parataxis", "ccomp", "xcomp", "iobj", "expl")
            and not any(is_negation(word) for word in parse.words(range(statement.start, statement.end)))
            and parse.tokens[statement.start].small not in words("quantifiers")
        )
        if is_clear:
            be = "was" if statement.finite.tag == "VBD" else "is"
            rest = [*range(statement.start, span.start), *range(span.stop, statement.end)]
            yield Draft(statement.start, statement.end, ("it", be, *span, "that", *rest))


def _is_definite(parse: Parse, thing: Token, span: range) -> bool:
    """Whether a phrase names something known, and has no clause of its own."""
    first = parse.tokens[span.start]
    relations = {child.relation.partition(":")[0] for child in parse.children(thing.number)}
    return (
        (first.small in _DEFINITE or thing.tag == "NNP")
        and len(span) <= _LONGEST
        and relations <= {"det", "amod", "compound", "flat", "nmod", "nummod"}
        and "," not in parse.words(span)
    )


OBJECT_CLEFT = Transformation(
    name="object-cleft", summary="“it is O that S does”", find=cleft_objects, kind="opening"
)
