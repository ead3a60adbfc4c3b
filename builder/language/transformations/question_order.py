"""Order of questions: "who was the first king of Spain?" becomes "the first king of Spain was who?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.questions import questions
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_LONGEST = 12


def ask_last(parse: Parse) -> Iterator[Draft]:
    """Yield "the N is what" for "what is the N"."""
    for question in questions(parse):
        be, span = question.helper, question.subject_span
        is_clear = (
            be is not None
            and be.small in {"is", "was", "are", "were"}
            and question.asks(parse, "what", "who")
            and question.asks_what_something_is
            and span.stop == question.end
            and parse.tokens[span.start].small == "the"
            and question.subject.tag in {"NN", "NNS"}
            and 4 <= len(span) <= _LONGEST
            and not {",", "and", "you", "i", "between"}.intersection(parse.words(span))
            and not any(parse.tokens[number].tag in {"JJS", "RBS"} for number in span)
            # "The name of the town was what made it …".
            and not any(parse.tokens[number].universal_tag == "VERB" for number in span)
        )
        if be is not None and is_clear:
            yield Draft(question.start, question.end, (*span, be.number, *question.asked))


QUESTION_ORDER = Transformation(
    name="question-order", summary="what is asked for stands last", find=ask_last, weight=1.0
)
