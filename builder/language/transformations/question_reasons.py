"""Questions for reasons: "why do people dream?" becomes "what is the reason that people dream?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.questions import in_clause_order, questions
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation


def ask_for_reason(parse: Parse) -> Iterator[Draft]:
    """Yield "what is the reason that …" for "why …"."""
    for question in questions(parse):
        clause = in_clause_order(parse, question)
        # With nothing after it, the subject may well have swallowed the predicate.
        is_whole = question.subject_span.stop < question.end
        if clause is not None and question.asks(parse, "why") and is_whole:
            be = "was" if question.is_past(parse) else "is"
            yield Draft(question.start, question.end, ("what", be, "the reason that", *clause))


QUESTION_REASON = Transformation(
    name="question-reason", summary="“what is the reason that …” for “why …”", find=ask_for_reason
)
