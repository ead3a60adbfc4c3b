"""Which code points of a word may be touched: letters and digits that stand alone."""

import unicodedata

ZERO_WIDTH_JOINER = "\u200d"
# Of longer "words" only the start is touched: thousands of letters without a space have more operations than
# anybody could draw from in time, and nobody reads them.
LONGEST_READ = 128


def is_editable(word: str, index: int) -> bool:
    """Whether a code point is a letter or digit that a reader gets to and that has no marks or joiners."""
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
