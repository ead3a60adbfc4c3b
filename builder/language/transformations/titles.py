"""Titles: "French President Ann Lee said" becomes "Ann Lee, the French president, said"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_NATIONAL = ("an", "ese", "ish", "qi", "li", "ch")
_FINITE = frozenset({"VBD", "VBZ", "MD"})


def name_first(parse: Parse) -> Iterator[Draft]:
    """Yield "N N, the title," for "title N N"."""
    for title in parse.tokens:
        small = title.small
        if small not in words("titles") or title.number + 3 >= len(parse.tokens):
            continue
        start = title.number
        if start and parse.tokens[start - 1].small in {
            "prime",
            "foreign",
            "defense",
            "finance",
            "chief",
            "vice",
        }:
            start -= 1
        first = start - 1 if start and _is_nation(parse, start - 1) else start
        names = range(title.number + 1, title.number + 3)
        after = parse.tokens[names.stop]
        before = parse.tokens[first - 1] if first else None
        is_clear = (
            all(_is_name(parse, number) for number in names)
            and after.tag in _FINITE
            and after.universal_tag in {"VERB", "AUX"}
            and (before is None or before.text in {".", ","} or first in parse.firsts)
        )
        if is_clear:
            nation = (parse.tokens[first].text,) if first < start else ()
            office = tuple(parse.tokens[number].small for number in range(start, title.number + 1))
            yield Draft(first, names.stop, (*names, ",", "the", *nation, *office, ","))


def _is_nation(parse: Parse, number: int) -> bool:
    token = parse.tokens[number]
    return token.text[0].isupper() and token.text.endswith(_NATIONAL) and len(token.text) > 4


def _is_name(parse: Parse, number: int) -> bool:
    token = parse.tokens[number]
    return (
        token.tag == "NNP" and token.text[0].isupper() and token.text.isalpha() and not token.text.isupper()
    )


TITLE = Transformation(
    name="title", summary="“Ann Lee, the president,” for “President Ann Lee”", find=name_first
)
