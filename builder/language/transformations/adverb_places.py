"""Adverbs of time: "the firm recently moved" and "recently, the firm moved"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import statements
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation
from builder.language.words.negations import is_negation


def move_adverbs(parse: Parse) -> Iterator[Draft]:
    """Yield statements with an adverb of time before the subject instead of before the verb, or after it."""
    for statement in statements(parse):
        if any(is_negation(word) for word in parse.words(range(statement.start, statement.end))):
            continue
        before_subject = parse.tokens[statement.start]
        place = statement.subject_span.start
        if statement.begins_with_subject:
            yield from _first(parse, statement.start, statement.end, statement.subject_span.stop)
        elif before_subject.small in words("time-adverbs") and before_subject.head == statement.root.number:
            # "Recently, the firm has moved": after the helping verb, or before the only one.
            comma = parse.tokens[statement.start + 1].text == ","
            finite = statement.finite
            is_next = (
                place == statement.start + (2 if comma else 1)
                and finite.number == statement.subject_span.stop
            )
            if is_next and finite.universal_tag == "AUX":
                head = (*statement.subject_span, finite.number, statement.start)
                yield Draft(statement.start, statement.end, (*head, *range(finite.number + 1, statement.end)))
            elif is_next and finite == statement.root:
                head = (*statement.subject_span, statement.start)
                yield Draft(statement.start, statement.end, (*head, *range(finite.number, statement.end)))


def _first(parse: Parse, start: int, end: int, verb: int) -> Iterator[Draft]:
    for place in (verb, verb + 1):
        if place + 1 >= end:
            continue
        adverb, following = parse.tokens[place], parse.tokens[place + 1]
        is_clear = (
            adverb.small in words("time-adverbs")
            and adverb.relation == "advmod"
            and following.universal_tag in {"VERB", "AUX"}
            and (place == verb or parse.tokens[verb].universal_tag == "AUX")
            and adverb.head >= place
        )
        if is_clear:
            rest = [*range(start, place), *range(place + 1, end)]
            yield Draft(start, end, (place, ",", *rest))


ADVERB_PLACE = Transformation(
    name="adverb-place", summary="an adverb of time stands first, or before the verb", find=move_adverbs
)
