"""Shouting: whole words in capital letters."""

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from builder.models.resources import Resources
from builder.operations.dimension import ALL_DEGREES, Dimension, WordsOfText
from builder.operations.operation import Operations, operation
from contract.schema.edits import Edit


def operations_of(word: str) -> Operations:
    """Return the one operation that a word allows, or none where it is in capitals already."""
    loud = word.upper()
    if loud == word:
        return Operations([], [])
    edit = Edit(0, len(word), word, loud)
    return Operations([operation("capitals", edit, cost=Levenshtein.distance(word, loud))], [1.0])


def propose(texts: Sequence[WordsOfText], _resources: Resources) -> list[list[Operations]]:
    """Return the operations on every word of every text."""
    return [[operations_of(word.text) for word in text.words] for text in texts]


SHOUT = Dimension(
    name="shout",
    summary="whole words in capital letters, counted in words",
    stands_for="people who shout, and headlines",
    level="char",
    tag="general",
    measure="words",
    degrees=ALL_DEGREES,
    propose=propose,
)
