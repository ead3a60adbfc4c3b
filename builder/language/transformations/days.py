"""Days of the week: "said Tuesday" and "said on Tuesday"; "on Tuesday, X said" for "X said Tuesday"."""

import re
from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import body_end, follows_a_stop
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation

_DAY = re.compile(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day")
_BOUND_AFTER = frozenset({"POS", "NN", "NNS", "NNP", "CD", "HYPH", "CC", "JJ", ":"})
_BEFORE = frozenset({"NN", "NNS", "NNP", "NNPS", "VBD", "VBZ", "VBN", "RB", "CD", "RP"})
_FINITE = frozenset({"VBD", "VBZ"})
_LONGEST_SUBJECT = 14


def change_preposition(parse: Parse) -> Iterator[Draft]:
    """Yield days with the "on" they lack, or without the one they have."""
    for day in _days(parse):
        before = parse.tokens[day.number - 1]
        if before.small == "on" and day.number > 1:
            earlier = parse.tokens[day.number - 2]
            if earlier.tag in {"VBD", "VBZ", "VBN"}:
                yield Draft(before.number, day.number + 1, (day.number,))
        elif before.tag in _BEFORE:
            yield Draft(day.number, day.number + 1, ("on", day.number))


def front_days(parse: Parse) -> Iterator[Draft]:
    """Yield sentences that begin with the day that stood beside their first verb."""
    for sentence in parse.sentences:
        verb = _first_verb(parse, sentence)
        if verb is None or not follows_a_stop(parse, sentence):
            continue
        for day in _days(parse, sentence):
            start = day.number - 1 if parse.tokens[day.number - 1].small == "on" else day.number
            if start == verb.number + 1 or (day.number == verb.number - 1 and start > sentence.start):
                end = body_end(parse, sentence)
                rest = [*range(sentence.start, start), *range(day.number + 1, end)]
                yield Draft(sentence.start, end, ("on", day.number, ",", *rest))


def _days(parse: Parse, numbers: range | None = None) -> Iterator[Token]:
    """Yield the days that stand alone: no "Friday night", "Friday's", "Friday and Saturday"."""
    for number in numbers or range(len(parse.tokens)):
        day = parse.tokens[number]
        after = parse.tokens[number + 1].tag if number + 1 < len(parse.tokens) else "."
        if number and _DAY.fullmatch(day.text) and after not in _BOUND_AFTER:
            yield day


def _first_verb(parse: Parse, sentence: range) -> Token | None:
    """Return the first finite verb of a sentence if only a short subject stands before it."""
    for number in sentence[: _LONGEST_SUBJECT + 1]:
        token = parse.tokens[number]
        if token.tag in _FINITE and token.universal_tag == "VERB":
            return token if number > sentence.start else None
        if token.universal_tag in {"PUNCT", "SCONJ", "CCONJ", "AUX"} or token.tag in {
            "WDT",
            "WP",
            "WRB",
            "VBG",
            "PRP",
        }:
            return None
    return None


DAY_PREPOSITION = Transformation(
    name="day-preposition",
    summary="“on” before a day comes or goes",
    find=change_preposition,
    weight=2.0,
)
DAY_FRONTING = Transformation(
    name="day-fronting", summary="a sentence begins with the day that stood beside its verb", find=front_days
)
