"""Figures: numbers written in digits, which no slip and no disguise may turn into other numbers."""

import re
import unicodedata

_FIGURE = re.compile(r"[^\W_]*\d[^\W_]*")


def keeps_figures(original: str, changed: str) -> bool:
    """Whether a changed word shows the numbers of the original.

    A digit may become a look-alike that is no digit (2O04), or the same digit of another alphabet; nothing
    else may happen to it, and no letter beside it may become a digit. A word without digits may get some
    (gr8), unless all of it becomes a number.
    """
    if original.isascii() and original.isalpha():
        return not (len(changed) > 1 and changed.isdecimal())
    figures = _FIGURE.findall(original)
    if not figures:
        return not (len(changed) > 1 and changed.isdecimal())
    if len(original) != len(changed):
        return _FIGURE.findall(changed) == figures
    return all(_is_same_figure(original, changed, place) for place in range(len(original)))


def _is_same_figure(original: str, changed: str, place: int) -> bool:
    before, after = _value(original[place]), _value(changed[place])
    if before is not None:
        return after is None or after == before
    is_beside = any(_value(beside) is not None for beside in original[max(0, place - 1) : place + 2])
    return after is None or not is_beside


def _value(character: str) -> int | None:
    return unicodedata.digit(character, None)
