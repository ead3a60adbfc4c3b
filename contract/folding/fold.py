"""The fold of a text: six steps, each of which takes back one kind of disguise.

Two texts that people read the same way have the same fold, as far as these steps reach. A fold is for
comparing, or for a classifier to read instead of the text; it is not always what the writer meant: "№"
becomes "No", and "a1c" becomes "aic".
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from contract.machine.registry import Registry

# What is written for a letter, and what it stands for.
LEET = {"4": "a", "@": "a", "3": "e", "1": "i", "!": "i", "0": "o", "5": "s", "$": "s", "7": "t"}
RIGHT_TO_LEFT_OVERRIDE = "\u202e"
END_OF_OVERRIDE = "\u202c"
# What may stand between letters that are spaced out.
SEPARATORS = " .-_*"

# What is ended as an override is: embeddings, and the override from left to right.
_OTHER_STARTS = "\u202a\u202b\u202d"
# Marks, embeddings, overrides and isolates of the bidirectional algorithm; none of them is seen.
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Zero-width characters, the soft hyphen, variation selectors and tags. After a character that is not ASCII
# they may belong to it: they join emoji, shape Indic and Arabic letters, and spell the flags of regions.
_UNSEEN = re.compile(
    "(?<![^\x00-\x7f])[\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]+"
)
# Combining marks of no script; those that belong to a letter are part of it after composition.
_MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+")
_SPACED = re.compile(rf"(?<!\w)[^\W\d_](?:([{re.escape(SEPARATORS)}])[^\W\d_])(?:\1[^\W\d_])+(?!\w)")
_LEET_RUN = re.compile(rf"(?<=[^\W\d_])[{re.escape(''.join(LEET))}]+(?=[^\W\d_])")
_UNLEET = str.maketrans(LEET)


@dataclass(frozen=True, kw_only=True)
class Fold:
    """One step: what it takes back, and how."""

    name: str
    summary: str
    apply: Callable[[str], str]


def in_reading_order(text: str) -> str:
    """Return the text with what was written backwards turned round, without marks of direction.

    As a screen does it: an override lasts until it is ended, or until the end of the line; one inside another
    changes nothing.
    """
    pieces: list[str] = []
    backwards: list[str] = []
    depth = 0
    for character in text if RIGHT_TO_LEFT_OVERRIDE in text else ():
        if character == RIGHT_TO_LEFT_OVERRIDE or (depth and character in _OTHER_STARTS):
            depth += 1
        elif depth and (character == "\n" or (character == END_OF_OVERRIDE and depth == 1)):
            pieces += [*reversed(backwards), character]
            backwards, depth = [], 0
        elif depth:
            depth -= character == END_OF_OVERRIDE
            backwards.append(character)
        else:
            pieces.append(character)
    return _DIRECTIONS.sub("", "".join([*pieces, *reversed(backwards)]) or text)


def without_unseen(text: str) -> str:
    """Return the text without characters that take no room."""
    return _UNSEEN.sub("", text)


def in_plain_letters(text: str) -> str:
    """Return the text with fullwidth, mathematical and other forms as the letters they stand for (NFKC)."""
    return unicodedata.normalize("NFKC", text)


def without_marks(text: str) -> str:
    """Return the text without combining marks that make no letter with what stands before them."""
    return _MARKS.sub("", unicodedata.normalize("NFC", text))


def respaced(text: str) -> str:
    """Return the text with three or more single letters joined, where one separator stands between them."""
    return _SPACED.sub(lambda found: found.group().replace(found.group(1), ""), text)


def unleeted(text: str) -> str:
    """Return the text with letters for the digits and symbols between letters."""
    return _LEET_RUN.sub(lambda found: found.group().translate(_UNLEET), text)


FOLDS: Registry[Fold] = Registry(
    "fold",
    [
        Fold(name="direction", summary="text written backwards is turned round", apply=in_reading_order),
        Fold(name="unseen", summary="characters that take no room are taken out", apply=without_unseen),
        Fold(name="plain-letters", summary="forms of letters become plain ones", apply=in_plain_letters),
        Fold(name="marks", summary="marks that make no letter are taken out", apply=without_marks),
        Fold(name="respacing", summary="letters that are spaced out are joined", apply=respaced),
        Fold(name="unleeting", summary="digits and symbols become letters", apply=unleeted),
    ],
)


def fold(text: str) -> str:
    """Return the text after all steps, in the order of `FOLDS`."""
    for step in FOLDS.values():
        text = step.apply(text)
    return text


def restoring_folds(original: str, case: str) -> list[str]:
    """Return the names of the steps of which each, alone, makes the original of a case; none when all fail.

    A classifier that reads texts after such a step answers the case as it answers the original.
    """
    return [name for name, step in FOLDS.items() if step.apply(case) == step.apply(original)]
