"""Days as newspapers and others write them: on Monday and Monday, March 3 and March 3rd."""

from collections.abc import Iterator

from builder.word_swaps.variants.places import Places, Variant

_WEEKDAYS = frozenset(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"])
_MONTHS = frozenset(
    [
        *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
        *("november", "december", "jan.", "feb.", "aug.", "sept.", "oct.", "nov.", "dec."),
    ]
)
_ENDINGS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
LAST_DAY = 31
_TAGS_BEFORE = frozenset(["VBD", "VBN", "NN", "NNS", "NNP", "RP"])
_TAGS_AFTER = frozenset(["", "IN", "TO", "DT", "VBG", "CC"])
# Days that are names: Black Friday, Super Tuesday.
_NAMES_OF_DAYS = frozenset(
    ["black", "good", "super", "ash", "easter", "palm", "holy", "cyber", "bloody", "fat"]
)


def days_in(places: Places) -> Iterator[Variant]:
    """Yield weekdays with and without "on", and days of a month with and without an ending."""
    for number in range(places.n_words):
        raw = places.raw(number)
        if raw in _WEEKDAYS:
            yield from _weekday(places, number)
        elif places.before(number) in _MONTHS and places.is_name_at(number - 1):
            yield from _day_of_month(places, number)


def _weekday(places: Places, number: int) -> Iterator[Variant]:
    raw = places.raw(number)
    if places.tag_after(number) not in _TAGS_AFTER or places.is_name_at(number + 1):
        return
    if places.before(number) == "on":
        # At the start of a clause the day needs its preposition.
        if places.tag_before(number - 1) in {"VBD", "VBN", "NN", "NNS"} and not places.begins(number - 1):
            yield places.variant(number - 1, number, raw)
    elif places.tag_before(number) in _TAGS_BEFORE and places.before(number) not in _NAMES_OF_DAYS:
        yield places.variant(number, number, f"on {raw}")


def _day_of_month(places: Places, number: int) -> Iterator[Variant]:
    raw = places.raw(number)
    figures = raw if raw.isdigit() else raw[:-2]
    if not figures.isdigit() or not 1 <= int(figures) <= LAST_DAY or places.tag_after(number) == "CD":
        return
    ordinal = figures + _ENDINGS.get(int(figures), "th")
    if raw in {figures, ordinal}:
        yield places.variant(number, number, ordinal if raw == figures else figures)
