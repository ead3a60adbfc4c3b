"""Clefts of questions: "what did they buy?" becomes "what is it that they bought?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.questions import Question, in_clause_order, questions
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

# "How is it that …" wonders rather than asks; of "it" and "there" nothing is set apart.
_NOT_SET_APART = frozenset({"it", "there", "this", "that"})


def ask_what_it_is(parse: Parse) -> Iterator[Draft]:
    """Yield "what is it that …" for "what …"."""
    for question in questions(parse):
        clause = in_clause_order(parse, question)
        if clause is None or not _can_be_cleft(parse, question):
            continue
        be = "was" if question.is_past(parse) else "is"
        yield Draft(question.start, question.end, (*question.asked, be, "it that", *clause))


def _can_be_cleft(parse: Parse, question: Question) -> bool:
    said = [parse.tokens[number] for number in question.asked]
    return (
        bool(said)
        and question.root.universal_tag == "VERB"
        and not question.asks_what_something_is
        and question.subject.small not in _NOT_SET_APART
        and not any(token.small == "how" or token.tag in {"NNS", "NNPS"} for token in said)
    )


QUESTION_CLEFT = Transformation(
    name="question-cleft", summary="“what is it that …” for “what …”", find=ask_what_it_is
)
