"""Clefts: "it is the cast that saves the film", "what saves the film is the cast", "what it has is …"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import Statement, is_plural, statements
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_CLAUSES = ("conj", "parataxis", "advcl", "expl", "csubj")
_LONGEST_PREDICATE = 14


def cleft(parse: Parse) -> Iterator[Draft]:
    """Yield "it is S that does" for "S does"."""
    for statement in statements(parse):
        if not _is_doing(parse, statement) or parse.children(statement.root.number, "parataxis", "expl"):
            continue
        span, first = statement.subject_span, parse.tokens[statement.subject_span.start]
        if statement.root.small in words("uncleft") or statement.subject.small in words("topics"):
            continue
        is_definite = (
            first.small in {"the", "this", "these", "that", "those", "its", "his", "her", "their"}
            or first.tag == "NNP"
        )
        prepositions = {parse.tokens[number].small for number in span if parse.tokens[number].tag == "IN"}
        if (
            is_definite
            and prepositions <= {"of"}
            and len(span) <= 8
            and statement.subject.tag in {"NN", "NNS", "NNP"}
        ):
            be = "was" if statement.finite.tag == "VBD" else "is"
            yield Draft(
                statement.start, statement.end, ("it", be, *span, "that", *range(span.stop, statement.end))
            )


def pseudo_cleft(parse: Parse) -> Iterator[Draft]:
    """Yield "what does it is S" for "S does it", and "what S has is O" for "S has O"."""
    for statement in statements(parse):
        if not _is_doing(parse, statement) or parse.children(statement.root.number, *_CLAUSES):
            continue
        yield from _of_subject(parse, statement)
        yield from _of_object(parse, statement)


def _of_subject(parse: Parse, statement: Statement) -> Iterator[Draft]:
    span, verb = statement.subject_span, statement.finite
    predicate = range(span.stop, statement.end)
    plural = is_plural(parse, statement.subject)
    is_clear = (
        statement.subject.small in words("things") - words("topics")
        and statement.root.small not in words("uncleft")
        and parse.tokens[span.start].small in {"the", "this", "its"}
        and plural is False
        and len(span) <= 6
        and 3 <= len(predicate) <= _LONGEST_PREDICATE
        and statement.end < statement.sentence.stop
        and parse.tokens[statement.end - 1].tag not in {"IN", "TO", "DT", "CC"}
        and not parse.children(statement.root.number, "ccomp")
    )
    if is_clear:
        be = "was" if verb.tag == "VBD" else "is"
        yield Draft(statement.start, statement.end, ("what", *predicate, be, *span))


def _of_object(parse: Parse, statement: Statement) -> Iterator[Draft]:
    verb = statement.root
    thing = parse.child(verb.number, "obj")
    span = parse.span(thing.number) if thing else None
    if thing is None or span is None or verb.small not in words("telling") or statement.finite != verb:
        return
    is_last = span.start == verb.number + 1 and span.stop == statement.end
    is_indefinite = parse.tokens[span.start].small in {"a", "an"} and thing.tag == "NN"
    others = parse.children(verb.number, "iobj", "xcomp", "ccomp", "obl")
    if is_last and is_indefinite and not others:
        be = "was" if verb.tag == "VBD" else "is"
        yield Draft(statement.start, statement.end, ("what", *range(statement.start, span.start), be, *span))


def _is_doing(parse: Parse, statement: Statement) -> bool:
    """Whether a statement begins with its subject, has a full verb, and neither quantifies nor negates."""
    said = set(parse.words(range(statement.start, statement.end)))
    return (
        statement.begins_with_subject
        and statement.root.universal_tag == "VERB"
        and statement.root.tag in {"VBZ", "VBD", "VBP", "VB"}
        and statement.finite.number == statement.subject_span.stop
        and not parse.children(statement.subject.number, "acl", "conj", "appos")
        and not said & {"not", "n't", "never", "no", "nothing", "nor", "neither"}
        and parse.tokens[statement.start].small not in words("quantifiers")
    )


CLEFT = Transformation(name="cleft", summary="“it is … that …”", find=cleft, kind="opening")
PSEUDO_CLEFT = Transformation(name="pseudo-cleft", summary="“what … is …”", find=pseudo_cleft, kind="opening")
