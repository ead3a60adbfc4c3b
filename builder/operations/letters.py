"""Which characters of a word may be changed: letters and digits without marks or joiners."""

import re
import unicodedata

ZERO_WIDTH_JOINER = "\u200d"
# Only the start of a longer "word" is changed: thousands of letters without a space have too many operations
# to search, and are not read.
LONGEST_READ = 128

# Digits, and the letters that stand with them: "500", "10pm", "mp3".
_FIGURE = re.compile(r"[^\W_]*\d[^\W_]*")


def figures_of(word: str) -> frozenset[int]:
    """Return the places of the characters of a word that belong to a number."""
    if word.isalpha():
        return frozenset()
    return frozenset(place for figure in _FIGURE.finditer(word) for place in range(*figure.span()))


def is_editable(word: str, index: int) -> bool:
    """Whether a character is a letter or digit near the start of its word, without marks or joiners."""
    return (
        index < LONGEST_READ
        and word[index].isalnum()
        and not _joins(word[index])
        and not _joins(word[index + 1 : index + 2])
        and word[index - 1 : index] != ZERO_WIDTH_JOINER
    )


def _joins(character: str) -> bool:
    """Whether a code point belongs to the one before it."""
    return bool(character) and (
        character == ZERO_WIDTH_JOINER or unicodedata.category(character).startswith("M")
    )
