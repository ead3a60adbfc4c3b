"""Possibility: "can a cat eat rice?" becomes "is it possible for a cat to eat rice?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.pronouns import OBJECT_FORMS
from builder.language.clauses.questions import questions
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_LONGEST_SUBJECT = 6


def ask_whether_possible(parse: Parse) -> Iterator[Draft]:
    """Yield "is it possible for S to …" for "can S …", unless it is rather a request."""
    for question in questions(parse):
        helper, span = question.helper, question.subject_span
        if helper is None or helper.number != question.start or helper.small != "can":
            continue
        following = parse.tokens[span.stop]
        is_clear = (
            question.subject.small not in {"you", "someone", "somebody", "anyone", "anybody"}
            and following.number == question.root.number
            and following.tag in {"VB", "VBP"}
            and len(span) <= _LONGEST_SUBJECT
            and span.start == helper.number + 1
        )
        if is_clear:
            who: tuple[Piece, ...] = tuple(span)
            if question.subject.tag == "PRP":
                who = (
                    (OBJECT_FORMS[question.subject.small],) if question.subject.small in OBJECT_FORMS else ()
                )
            if who:
                pieces = ("is it possible for", *who, "to", *range(span.stop, question.end))
                yield Draft(question.start, question.end, pieces)


QUESTION_POSSIBILITY = Transformation(
    name="question-possibility",
    summary="“is it possible for S to …” for “can S …”",
    find=ask_whether_possible,
)
