"""Keyboard typos: letters replaced by keys beside them."""

from builder.dimensions.typo import NEIGHBOURS
from builder.dimensions.zeroe.cores import core_of
from builder.operations.dimension import Attacked, ProbabilityDimension, Turn


def attack(turn: Turn) -> Attacked | None:
    """Return the word with each of its letters replaced, with the probability, by a neighbour."""
    core = core_of(turn.word)
    if core is None:
        return None
    draw = turn.draw
    pieces = []
    for letter in core.letters:
        near = NEIGHBOURS.get(letter.lower(), "")
        if near and draw.fraction() < turn.probability:
            key = draw.choice(near)
            pieces.append(key.upper() if letter.isupper() else key)
        else:
            pieces.append(letter)
    return Attacked(core.with_letters("".join(pieces)))


KEYBOARD_TYPO = ProbabilityDimension(
    name="keyboard-typo",
    summary="letters of a word are replaced by keys beside them on a keyboard",
    stands_for="fast typing, small screens, gloves",
    tag="general",
    group="zeroe",
    attack=attack,
)
