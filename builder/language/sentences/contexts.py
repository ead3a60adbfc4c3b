"""The context of a word: the span of its text, about a sentence, that models read with it."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from contract.schema.edits import Word

# A shorter sentence is joined with the next one, a longer one is cut.
FEWEST_WORDS = 8
MOST_WORDS = 48

_END = re.compile(r"[.!?…]['\"”’)\]]*\s|\n")


class Context(NamedTuple):
    """A span of a text."""

    start: int
    end: int


def contexts_of(text: str, words: Sequence[Word]) -> list[Context]:
    """Return the context of each word of a text; contexts do not overlap."""
    groups: list[list[Word]] = [[]]
    for number, word in enumerate(words):
        groups[-1].append(word)
        is_last = number + 1 == len(words)
        is_end = not is_last and bool(_END.search(text[word.start : words[number + 1].start]))
        if not is_last and ((is_end and len(groups[-1]) >= FEWEST_WORDS) or len(groups[-1]) == MOST_WORDS):
            groups.append([])
    if len(groups) > 1 and len(groups[-1]) + len(groups[-2]) <= MOST_WORDS and len(groups[-1]) < FEWEST_WORDS:
        last = groups.pop()
        groups[-1] += last
    contexts: list[Context] = []
    for number, group in enumerate(groups):
        start = contexts[-1].end if contexts else 0
        end = groups[number + 1][0].start if number + 1 < len(groups) else len(text)
        contexts += [Context(start, end)] * len(group)
    return contexts
