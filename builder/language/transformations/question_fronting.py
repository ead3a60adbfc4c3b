"""Fronting in questions: "in 1990, what did the firm buy?", "if it rains, what should I do?"."""

import re
from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.questions import Question, questions
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_PREPOSITIONS = frozenset({"in", "on", "at", "during", "after", "before", "since", "according", "under"})
_MARKS = frozenset({"if", "when", "after", "before", "while", "because", "since", "once"})
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_RELATIONS = frozenset({"obl", "nmod", "obl:tmod"})
_POINTING = frozenset({"its", "his", "her", "their", "it", "he", "she", "they", "them", "him"})


def front(parse: Parse) -> Iterator[Draft]:
    """Yield questions with the time, place or clause that ends them at their head."""
    for question in questions(parse):
        span = _last_clause(parse, question) or _last_phrase(parse, question)
        if span is None or any(word in _POINTING for word in parse.words(span)):
            continue
        rest = list(range(question.start, span.start))
        if parse.tokens[rest[-1]].text == ",":
            rest.pop()
        if len(rest) >= 3 and "," not in parse.words(rest):
            yield Draft(question.start, question.end, (*span, ",", *rest))


def _last_clause(parse: Parse, question: Question) -> range | None:
    clause = parse.child(question.root.number, "advcl")
    span = parse.span(clause.number) if clause else None
    if clause is None or span is None or span.stop != question.end or span.start <= question.root.number:
        return None
    first = parse.tokens[span.start]
    span = range(span.start + 1, span.stop) if first.text == "," else span
    mark = parse.tokens[span.start]
    has_subject = bool(parse.children(clause.number, "nsubj"))
    # "How do I check if it is true": what is checked, no condition.
    if mark.small == "if" and parse.tokens[span.start - 1].small in words("wondering"):
        return None
    return span if mark.small in _MARKS and mark.head == clause.number and has_subject else None


def _last_phrase(parse: Parse, question: Question) -> range | None:
    """Return the numbers of a time or place that ends a question and can be said of the whole of it."""
    last = parse.tokens[question.end - 1]
    noun = last
    while noun.relation in {"flat", "compound", "fixed"} or noun.relation.startswith("nmod:poss"):
        noun = parse.tokens[noun.head]
    span = parse.span(noun.number)
    if noun.relation not in _RELATIONS or span is None or span.stop != question.end:
        return None
    is_named = noun.tag == "NNP" or bool(_YEAR.fullmatch(noun.text))
    is_alone = all(
        token.relation.partition(":")[0] in {"case", "det", "flat", "compound", "amod", "nummod"}
        for token in parse.children(noun.number)
    )
    # "Who won the prize in 1990 in Paris": only the last would move, and the first stay.
    before = parse.tokens[span.start - 1]
    is_first = parse.tokens[span.start].small in {"in", "during"} and before.universal_tag != "ADP"
    belongs = parse.tokens[noun.head].number in question.asked or noun.head >= question.root.number
    is_free = question.root.small not in {"live", "born", "interested", "believe", "come", "go"}
    has_verb = question.root.universal_tag in {"VERB", "PRON", "ADV"}
    # "The book that was published in 1990": the time of another verb.
    is_free = is_free and not any(
        parse.tokens[number].universal_tag == "VERB" for number in range(question.root.number + 1, span.start)
    )
    return span if is_named and is_alone and is_first and belongs and is_free and has_verb else None


QUESTION_FRONTING = Transformation(
    name="question-fronting",
    summary="a question begins with the time, place or clause that ended it",
    find=front,
)
