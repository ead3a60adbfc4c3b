"""Which code points of a word may be touched: letters and digits that stand alone."""

import unicodedata

ZERO_WIDTH_JOINER = "\u200d"


def is_editable(word: str, index: int) -> bool:
    """Whether a code point is a letter or digit that stands alone, without combining marks or joiners."""
    return (
        word[index].isalnum()
        and not _joins(word[index])
        and not _joins(word[index + 1 : index + 2])
        and word[index - 1 : index] != ZERO_WIDTH_JOINER
    )


def _joins(character: str) -> bool:
    """Whether a code point belongs to the one before it."""
    return bool(character) and (
        character == ZERO_WIDTH_JOINER or unicodedata.category(character).startswith("M")
    )
