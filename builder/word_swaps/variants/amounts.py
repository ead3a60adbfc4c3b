"""Shares and sums of money with a sign and with a word: 5% and 5 percent, $3 and 3 dollars."""

import re
from collections.abc import Iterator

from builder.word_swaps.variants.places import Places, Variant

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SHARE = re.compile(r"(\d+(?:[.,]\d+)*)%")
_MONEY = re.compile(r"\\?\$(\d+(?:[.,]\d+)*)")
_LARGE = frozenset(["million", "billion", "trillion"])
# What may follow a sum that is no attribute: "a $3 million deal" has a noun there.
_TAGS_AFTER = frozenset(["", "IN", "CC", "TO", "VBD", "VBZ", "VBP", "MD", "WDT", "RP"])


def amounts_in(places: Places) -> Iterator[Variant]:
    """Yield shares and sums of money, with a word for a sign and a sign for a word."""
    for number in range(places.n_words):
        raw, small = places.raw(number), places.small(number)
        share = _SHARE.fullmatch(raw)
        if share and places.tag_after(number) != "CD":
            yield places.variant(number, number, f"{share.group(1)} percent")
            yield places.variant(number, number, f"{share.group(1)} per cent", 0.5)
        elif small == "percent":
            yield from _percent(places, number, number)
        elif small == "per" and places.after(number) == "cent":
            yield from _percent(places, number, number + 1)
        elif _MONEY.fullmatch(raw):
            yield from _in_dollars(places, number)
        elif small == "dollars":
            yield from _with_sign(places, number)


def _percent(places: Places, first: int, last: int) -> Iterator[Variant]:
    """Yield the sign after a number in figures, and the other spelling."""
    if not places.is_joined(first - 1) or places.raw(last) != places.small(last):
        return
    if _NUMBER.fullmatch(places.raw(first - 1)):
        yield places.variant(first - 1, last, f"{places.raw(first - 1)}%")
    yield places.variant(first, last, "per cent" if first == last else "percent")


def _in_dollars(places: Places, number: int) -> Iterator[Variant]:
    figures = places.raw(number).lstrip("\\$")
    last = number + (places.after(number) in _LARGE)
    is_attribute = places.tag_before(number) in {"DT", "PRP$", "JJ"}
    # "$1" would be one dollar; "$5 per share" and "$5 a share" keep their sign.
    is_rate = places.after(last) in {"per", "a", "an"}
    if is_attribute or is_rate or figures == "1" or places.tag_after(last) not in _TAGS_AFTER:
        return
    amount = " ".join([figures, *([places.raw(last)] if last > number else [])])
    yield places.variant(number, last, f"{amount} dollars")


def _with_sign(places: Places, number: int) -> Iterator[Variant]:
    first = number - 1 - (places.before(number) in _LARGE)
    is_whole = all(places.is_joined(each) for each in range(first, number))
    if is_whole and _NUMBER.fullmatch(places.raw(first)) and places.tag_before(first) != "CD":
        middle = f" {places.raw(number - 1)}" if first < number - 1 else ""
        yield places.variant(first, number, f"${places.raw(first)}{middle}")
