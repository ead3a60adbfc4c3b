"""Numbers in figures and in words: 3 and three, 10,000 and ten thousand, 4th and fourth."""

import re
from collections.abc import Iterator

from builder.word_swaps.variants.places import Places, Variant, as_cased
from builder.word_swaps.word_uses import words_in

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = (
    *(
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
    ),
    *("thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
    "twentieth",
)
_SCALES = {100: "hundred", 1_000: "thousand"}
_ORDER = {word: place for place, word in enumerate(_ORDINALS, start=1)}
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_PLAIN = re.compile(r"[1-9]\d{0,2}(?:,\d{3})*|[1-9]\d+")
_ORDINAL = re.compile(r"([1-9]\d?)(?:st|nd|rd|th)")
_LONG = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
FIRST_YEAR, LAST_YEAR = 1000, 2100
# What a number counts, in whole words: a unit that is cut short wants figures.
_LEAST_LETTERS = 4
_COUNTED_TAGS = frozenset(["NN", "NNS", "JJ"])
_LARGE = frozenset(["million", "billion", "trillion"])
# Before a number that is not a label: "chapter 3" and "Windows 7" have a noun there.
_TAGS_BEFORE = frozenset(
    ["", "DT", "IN", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "PRP$", "CC", "RB", "JJ", "TO", "PRP", "MD"]
)
_WITH_ORDINAL = words_in(
    """
    aid amendment avenue base class cousin cousins degree estate family few fiddle glance guess half hand home
    impression impressions instance lady language life light look love man name nature opinion order party
    person place rail reich sector sight step steps street thing thought thoughts wheel wife wind world
    """
)
_NOT_COUNTED = words_in(
    "january february march april may june july august september october november december"
)


def _words_of(value: int) -> str:
    """Return a number in words if that is short."""
    if value < len(_ONES):
        return _ONES[value]
    if value < 100:
        tens, ones = divmod(value, 10)
        return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")
    for scale, word in _SCALES.items():
        if value % scale == 0 and value // scale < scale and (value // scale < 20 or scale > 100):
            first = _words_of(value // scale) if value // scale < 100 else ""
            return f"{first} {word}" if first else ""
    return ""


_VALUES = {_words_of(value): value for value in range(2, 100)}


def value_of(text: str) -> int | None:
    """Return the value of a whole number in figures or in words; of a third, three."""
    small = text.lower().strip()
    if _PLAIN.fullmatch(small):
        return int(small.replace(",", ""))
    ordinal = _ORDINAL.fullmatch(small)
    if ordinal:
        return int(ordinal.group(1))
    if small in _VALUES or small in _ORDER:
        return _VALUES.get(small, _ORDER.get(small))
    first, _, scale = small.partition(" ")
    for factor, word in _SCALES.items():
        if scale == word and (first in _VALUES or first == "one"):
            return _VALUES.get(first, 1) * factor
    return None


def are_same_number(one: str, other: str) -> bool:
    """Whether two spans of text are the same number; an ordinal is not the same as a cardinal."""
    value = value_of(one)
    return value is not None and value == value_of(other) and _is_ordinal(one) == _is_ordinal(other)


def _is_ordinal(text: str) -> bool:
    return text.lower() in _ORDER or bool(_ORDINAL.fullmatch(text.lower()))


def figures_in(places: Places) -> Iterator[Variant]:
    """Yield the numbers of a text that count something, in words for figures and in figures for words."""
    for number in range(places.n_words):
        raw, small = places.raw(number), places.small(number)
        if _PLAIN.fullmatch(raw) and _counts(places, number):
            yield from _spelt_out(places, number, int(raw.replace(",", "")))
        elif small in _VALUES and not raw[1:].isupper() and _counts(places, number):
            yield places.variant(number, number, str(_VALUES[small]))
        elif _is_ordinal(small) and _orders(places, number):
            value = value_of(small) or 0
            if small not in _ORDER and 1 <= value <= len(_ORDINALS):
                yield places.variant(number, number, _ORDINALS[value - 1])
            elif small in _ORDER:
                yield places.variant(number, number, f"{value}{_ENDINGS.get(value, 'th')}")


def _spelt_out(places: Places, number: int, value: int) -> Iterator[Variant]:
    raw, in_words = places.raw(number), _words_of(value)
    if FIRST_YEAR <= value <= LAST_YEAR and "," not in raw:
        return
    if in_words and value > 1:
        yield places.variant(number, number, as_cased("A" if places.begins(number) else "a", in_words))
    if _LONG.fullmatch(raw) and value < 10_000:
        yield places.variant(number, number, raw.replace(",", ""))


def _counts(places: Places, number: int) -> bool:
    """Whether what follows is counted by the number."""
    after, tag = places.after(number).removesuffix("."), places.tag_after(number)
    if after in _LARGE:
        return not places.raw(number - 1).startswith("$") and places.before(number) != "$"
    if tag not in _COUNTED_TAGS or len(after) < _LEAST_LETTERS or not after.isalpha():
        return False
    if places.is_name_at(number + 1) or after in _NOT_COUNTED:
        return False
    is_name_before = places.is_name_at(number - 1) and not places.begins(number - 1)
    is_free = places.is_joined(number - 1) and not is_name_before
    return places.tag_before(number) in _TAGS_BEFORE and (
        is_free or places.begins(number) or _follows_mark(places, number)
    )


def _follows_mark(places: Places, number: int) -> bool:
    """Whether a comma or another mark stands before, and no number before that."""
    return not places.is_joined(number - 1) and not any(map(str.isdigit, places.raw(number - 1)))


def _orders(places: Places, number: int) -> bool:
    """Whether an ordinal stands between an article and what it orders."""
    after, tag = places.after(number), places.tag_after(number)
    return (
        places.tag_before(number) in {"DT", "PRP$"}
        and tag in {"NN", "NNS", "JJ"}
        and after.isalpha()
        and not places.is_name_at(number + 1)
        and not places.is_name_at(number)
        and after not in _WITH_ORDINAL
    )
