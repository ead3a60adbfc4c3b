"""Identities: "Paris is the capital of France" and "the capital of France is Paris"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import Statement, statements
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation
from builder.language.words.negations import is_negation


def turn(parse: Parse) -> Iterator[Draft]:
    """Yield "B is A" for "A is B" where one of both is a name and the other says the only thing it is."""
    for statement in statements(parse):
        be, span = statement.finite, statement.subject_span
        predicate = range(be.number + 1, statement.end)
        is_clear = (
            statement.begins_with_subject
            and be.small in {"is", "was"}
            and be.relation == "cop"
            and be.number == span.stop
            and bool(predicate)
            and statement.root.number in predicate
            and not any(is_negation(word) for word in parse.words(range(statement.start, statement.end)))
            and not {",", "and", "or", "but", "that", "which", "who"}.intersection(
                parse.words([*span, *predicate])
            )
            and not parse.children(statement.root.number, "advcl", "conj", "ccomp", "parataxis", "advmod")
        )
        if is_clear and _is_identity(parse, statement, predicate):
            yield Draft(statement.start, statement.end, (*predicate, be.number, *span))


def _is_identity(parse: Parse, statement: Statement, predicate: range) -> bool:
    span = statement.subject_span
    subject_is_name = all(parse.tokens[number].tag == "NNP" for number in span)
    predicate_is_name = all(parse.tokens[number].tag == "NNP" for number in predicate)
    one, other = (span, predicate) if predicate_is_name else (predicate, span)
    is_only = parse.tokens[one.start].small == "the" and bool(
        {"of", "first", "only", "capital"}.intersection(parse.words(one))
        or any(parse.tokens[number].tag in {"JJS", "RBS"} for number in one)
    )
    return (subject_is_name != predicate_is_name) and is_only and len(other) <= 4


IDENTITY = Transformation(name="identity", summary="“B is A” for “A is B” where both are one", find=turn)
