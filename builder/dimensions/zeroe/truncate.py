"""Truncation: the last letter of a word is left out."""

from builder.dimensions.zeroe.cores import core_of
from builder.operations.dimension import Attacked, ProbabilityDimension, Turn

SHORTEST = 3


def attack(turn: Turn) -> Attacked | None:
    """Return the word without its last letter."""
    core = core_of(turn.word)
    if core is None or len(core.letters) < SHORTEST or not core.letters[-2].isalpha():
        return None
    return Attacked(core.with_letters(core.letters[:-1]))


TRUNCATE = ProbabilityDimension(
    name="truncate",
    summary="the last letter of a word is left out",
    stands_for="words cut short by haste, and fields that are too narrow",
    tag="general",
    group="zeroe",
    attack=attack,
)
