"""Manner: "how do I learn to swim?" becomes "what is the way for me to learn to swim?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.pronouns import OBJECT_FORMS
from builder.language.clauses.questions import questions
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_LONGEST_SUBJECT = 5
_NO_MANNER = frozenset(
    {"feel", "do", "look", "sound", "know", "come", "think", "like", "mean", "spell", "pronounce"}
)


def ask_for_way(parse: Parse) -> Iterator[Draft]:
    """Yield "what is the way for S to V" for "how can S V"."""
    for question in questions(parse):
        helper, span = question.helper, question.subject_span
        if helper is None or helper.small not in {"do", "can"} or not question.asks(parse, "how"):
            continue
        who: tuple[Piece, ...] = tuple(span)
        if question.subject.tag == "PRP":
            who = (OBJECT_FORMS[question.subject.small],) if question.subject.small in OBJECT_FORMS else ()
        is_clear = (
            question.subject.small in {"i", "we", "you", "one"}
            and question.root.number == span.stop == helper.number + len(span) + 1
            and question.root.tag in {"VB", "VBP"}
            and question.root.small not in _NO_MANNER
            and len(span) <= _LONGEST_SUBJECT
        )
        if is_clear and who:
            pieces = ("what is the way for", *who, "to", *range(question.root.number, question.end))
            yield Draft(question.start, question.end, pieces)


QUESTION_MANNER = Transformation(
    name="question-manner", summary="“what is the way for S to V” for “how can S V”", find=ask_for_way
)
