"""Purposes: "the firm cut jobs to save money", "… in order to save money", "to save money, the firm …"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import statements
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_POINTING = frozenset(
    {"its", "his", "her", "their", "it", "he", "she", "they", "them", "him", "himself", "itself"}
)


def move_purposes(parse: Parse) -> Iterator[Draft]:
    """Yield statements with their purpose first, or with "in order" before it."""
    for statement in statements(parse):
        for clause in parse.children(statement.root.number, "advcl"):
            span = parse.span(clause.number)
            if span is None or span.start < statement.root.number + 2 or span.stop != statement.end:
                continue
            mark, verb = parse.tokens[span.start], parse.tokens[span.start + 1]
            is_purpose = mark.small == "to" and verb.number == clause.number and verb.tag == "VB"
            if not is_purpose or verb.small not in words("purposes"):
                continue
            if parse.tokens[span.start - 1].small in {"enough", "order", "ready", "able", "as"}:
                continue
            yield Draft(mark.number, mark.number + 1, ("in order", mark.number))
            points_back = any(word in _POINTING for word in parse.words(span))
            if statement.begins_with_subject and not (points_back and statement.subject.tag != "PRP"):
                rest = range(statement.start, span.start)
                yield Draft(statement.start, statement.end, (*span, ",", *rest))


PURPOSE = Transformation(
    name="purpose", summary="what something is done for comes first, or after “in order”", find=move_purposes
)
