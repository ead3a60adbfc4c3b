"""Finds phrases of time that belong to a whole statement: "on Tuesday", "in 1990", "last week"."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from builder.language.clauses.statements import Statement
from builder.language.parser.parse import Parse

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_YEAR = r"(?:1[5-9]|20)\d\d"
_PART = r"(?:night|morning|afternoon|evening)"
_PERIOD = r"(?:week|month|year|night|season|summer|winter|spring|autumn|fall|quarter|decade|weekend)"
_TIME = re.compile(
    rf"(?:on )?{_DAY}(?: {_PART})?|(?:on |in )?{_MONTH}(?: \d{{1,2}})?(?: {_YEAR})?|in (?:the )?{_YEAR}s?"
    rf"|(?:last|this|next) (?:{_PERIOD}|{_DAY}|{_MONTH})|yesterday(?: {_PART})?|today|tonight|tomorrow"
    rf"|(?:in|on|during|after|before|since) the (?:past |last |early |late )?(?:\w+ )?{_PERIOD}"
)
_BARE_DAY = re.compile(_DAY)


class TimePhrase(NamedTuple):
    """The numbers of a phrase of time; a bare day is written with "on" when it stands first."""

    span: range
    is_bare_day: bool


def time_phrases(parse: Parse, statement: Statement) -> Iterator[TimePhrase]:
    """Yield the phrases of time after the verb that can belong to nothing but the whole statement."""
    root = statement.root
    for phrase in parse.children(root.number, "obl", "advmod", "nmod"):
        span = parse.span(phrase.number)
        if span is None or span.start <= statement.finite.number or span.start <= root.number:
            continue
        said = " ".join(parse.words(span))
        between = [parse.tokens[number] for number in range(root.number + 1, span.start)]
        is_free = span.start == root.number + 1 or (
            span.stop == statement.end
            and not any(
                token.universal_tag in {"VERB", "AUX", "SCONJ"} or token.text == "," for token in between
            )
        )
        after = parse.tokens[span.stop] if span.stop < len(parse.tokens) else None
        is_closed = after is None or after.tag not in {
            "POS",
            "NN",
            "NNS",
            "NNP",
            ",",
            "CC",
            "HYPH",
            "CD",
            "DT",
        }
        if _TIME.fullmatch(said) and is_free and (is_closed or span.stop == statement.end):
            yield TimePhrase(span, bool(_BARE_DAY.fullmatch(said)))
