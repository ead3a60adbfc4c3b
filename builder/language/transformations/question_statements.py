"""Questions in the order of statements: "does the app work offline?" becomes "the app works offline?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.questions import in_clause_order, questions
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_PERSONAL = frozenset(
    {"i", "you", "we", "it", "there", "anyone", "anybody", "any", "someone", "this", "that"}
)
_REFUSED = frozenset({"any", "ever", "or", "anyone", "anything", "n't", "either", "if"})


def state(parse: Parse) -> Iterator[Draft]:
    """Yield questions for yes or no with the subject first."""
    for question in questions(parse):
        clause = in_clause_order(parse, question)
        said = set(parse.words(question.sentence))
        is_clear = (
            not question.asked and question.helper is not None and question.subject.small not in _PERSONAL
        )
        if clause is not None and is_clear and not said & _REFUSED and question.root.universal_tag == "VERB":
            yield Draft(question.start, question.end, clause)


QUESTION_STATEMENT = Transformation(
    name="question-statement",
    summary="a question for yes or no in the order of a statement",
    find=state,
    weight=2.0,
)
