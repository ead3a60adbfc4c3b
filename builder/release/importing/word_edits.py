"""Finds the edits between an original and a case by comparing them word by word."""

import re
from collections.abc import Iterator
from itertools import accumulate, groupby

from rapidfuzz.distance import Levenshtein

from contract.schema.edits import Edit

_WORDS_AND_SPACES = re.compile(r"\s+|\S+")


def word_edits(original: str, text: str) -> list[Edit]:
    """Return the fewest edits of whole words and spaces that turn the original into the text.

    Changes that touch each other are one edit; `apply_edits` gives back the text for any two texts.
    """
    before, after = _WORDS_AND_SPACES.findall(original), _WORDS_AND_SPACES.findall(text)
    starts = [0, *accumulate(len(token) for token in before)]
    return [
        Edit(
            starts[first],
            starts[last],
            "".join(before[first:last]),
            "".join(after[first_after:last_after]),
        )
        for first, last, first_after, last_after in _changes(before, after)
    ]


def _changes(before: list[str], after: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yield each changed stretch: where it begins and ends before and after."""
    opcodes = Levenshtein.opcodes(before, after)
    for is_equal, group in groupby(opcodes, key=lambda opcode: opcode.tag == "equal"):
        stretch = list(group)
        if not is_equal:
            yield (
                stretch[0].src_start,
                stretch[-1].src_end,
                stretch[0].dest_start,
                stretch[-1].dest_end,
            )
