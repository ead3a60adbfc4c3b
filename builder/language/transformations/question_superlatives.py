"""Superlatives in questions: "what is the best way home?" becomes "which way home is the best?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.questions import questions
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_LONGEST_NAME = 12
# "What is the most common": without "of all" it is a matter of order, and stays where it is.
_NOT_LAST = frozenset({"latest", "last", "first", "least", "next", "most"})


def ask_which_is_best(parse: Parse) -> Iterator[Draft]:
    """Yield "which N is the best" for "what is the best N"."""
    for question in questions(parse):
        be, span = question.helper, question.subject_span
        if (
            be is None
            or be.small not in {"is", "are", "was", "were"}
            or not question.asks(parse, "what", "which")
        ):
            continue
        if not question.asks_what_something_is or span.stop != question.end:
            continue
        article, best = parse.tokens[span.start], parse.tokens[span.start + 1]
        stop = best.number + 1
        if best.small == "most" and parse.tokens[stop].tag == "JJ":
            stop += 1
        elif best.tag != "JJS" or best.small in _NOT_LAST:
            continue
        rest = range(stop, question.end)
        noun = question.subject
        is_clear = (
            article.small == "the"
            and noun.tag in {"NN", "NNS"}
            and noun.number >= stop
            and (noun.tag == "NNS") == (be.small in {"are", "were"})
            and all(parse.tokens[number].tag in {"JJ", "NN", "NNP"} for number in range(stop, noun.number))
            and 1 < len(rest) <= _LONGEST_NAME
            and not {",", "and", "that", "you", "have", "has"}.intersection(parse.words(rest))
        )
        if is_clear:
            pieces = ("which", *rest, be.number, *range(article.number, stop))
            yield Draft(question.start, question.end, pieces)


QUESTION_SUPERLATIVE = Transformation(
    name="question-superlative",
    summary="“which N is the best” for “what is the best N”",
    find=ask_which_is_best,
)
