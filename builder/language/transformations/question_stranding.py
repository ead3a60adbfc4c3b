"""Prepositions of questions: "in what year did it end?" and "what year did it end in?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.questions import Question, questions
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_PREPOSITIONS = frozenset({"in", "on", "at", "from", "with", "to", "by", "for", "about", "of"})
_LONGEST_ASKED = 5


def strand(parse: Parse) -> Iterator[Draft]:
    """Yield questions that begin with a preposition with it at their end, and the other way round."""
    for question in questions(parse):
        if question.helper is None or not 1 <= len(question.asked) <= _LONGEST_ASKED:
            continue
        first = parse.tokens[question.start]
        if first.small in _PREPOSITIONS and first.tag in {"IN", "TO"}:
            yield from _moved_last(parse, question)
        elif first.small in {"what", "which", "who", "whom"}:
            yield from _moved_first(parse, question)


def _moved_last(parse: Parse, question: Question) -> Iterator[Draft]:
    """Yield "what year did it end in" for "in what year did it end"."""
    # After anything but a verb the preposition would belong to something else.
    is_last = question.root.number == question.end - 1 and question.root.universal_tag == "VERB"
    second = parse.tokens[question.start + 1].small
    if is_last and second in {"what", "which"} and len(question.asked) > 2:
        pieces = (*range(question.start + 1, question.end), question.start)
        yield Draft(question.start, question.end, pieces)


def _moved_first(parse: Parse, question: Question) -> Iterator[Draft]:
    """Yield "for whom did he work" for "who did he work for"."""
    last, verb = parse.tokens[question.end - 1], parse.tokens[question.end - 2]
    is_clear = (
        last.small in _PREPOSITIONS
        and last.tag in {"IN", "TO"}
        and verb.universal_tag == "VERB"
        and last.relation in {"case", "obl", "mark", "advmod"}
        and verb.number == question.root.number
        and not parse.children(question.root.number, "compound:prt", "xcomp", "ccomp", "obj")
    )
    if is_clear:
        asked: tuple[Piece, ...] = ("whom",) if question.asks(parse, "who") else tuple(question.asked)
        pieces = (last.number, *asked, *range(question.asked.stop, last.number))
        yield Draft(question.start, question.end, pieces)


QUESTION_PREPOSITION = Transformation(
    name="question-preposition",
    summary="the preposition of a question changes between first and last",
    find=strand,
)
