"""Dates: "in 1990" and "in the year 1990"; "on May 4" and "on the 4th of May"."""

import re
from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation

_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")
_MONTH = re.compile(
    r"January|February|March|April|May|June|July|August|September|October|November|December", re.IGNORECASE
)
_BOUND = frozenset({"NN", "NNS", "NNP", "HYPH", "CD", "JJ", "POS", "SYM", ":", "''"})


def change(parse: Parse) -> Iterator[Draft]:
    """Yield years with "the year" before them, or without, and days of a month in their other order."""
    for number in range(1, len(parse.tokens)):
        token, before = parse.tokens[number], parse.tokens[number - 1]
        after = parse.tokens[number + 1] if number + 1 < len(parse.tokens) else None
        if _YEAR.fullmatch(token.text) and (after is None or after.tag not in _BOUND):
            yield from _year(parse, token, before, after)
        elif _MONTH.fullmatch(before.text) and before.text[0].isupper() and number > 1:
            yield from _day(parse, token, before, after)


def _year(parse: Parse, year: Token, before: Token, after: Token | None) -> Iterator[Draft]:
    # "In 1990 and 1991", "in 1990-95": more than one year.
    if after is not None and after.small in {"and", "or", "to", "-", "–", "/"}:
        return
    if before.small in {"in", "since", "until"} and before.tag == "IN":
        yield Draft(year.number, year.number + 1, ("the year", year.number))
    elif year.number > 2 and before.small == "year":
        preposition, article = parse.tokens[year.number - 3], parse.tokens[year.number - 2]
        if preposition.small in {"in", "since", "until"} and article.small == "the":
            yield Draft(year.number - 2, year.number + 1, (year.number,))


def _day(parse: Parse, day: Token, month: Token, after: Token | None) -> Iterator[Draft]:
    if not re.fullmatch(r"[12]?\d|3[01]", day.text) or (after is not None and after.tag in _BOUND):
        return
    is_closed = after is None or after.text in {".", ";", "!", "?"} or after.tag in {"IN", "TO", "VBD", "WDT"}
    if parse.tokens[month.number - 1].small == "on" and is_closed:
        yield Draft(
            month.number, day.number + 1, ("the", day.text + _ending(int(day.text)), "of", month.number)
        )


def _ending(day: int) -> str:
    if day in {11, 12, 13}:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


DATE = Transformation(
    name="date", summary="“in the year 1990”, “the 4th of May”", find=change, weight=2.0, is_repeated=True
)
