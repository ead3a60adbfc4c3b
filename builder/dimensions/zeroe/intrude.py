"""Intruders: one symbol, or a space, between letters of a word."""

import string

from builder.dimensions.zeroe.cores import core_of
from builder.operations.dimension import Attacked, ProbabilityDimension, Turn

SHORTEST = 3
# ASCII's punctuation and the space: the paper prints this set, with marks that its typesetting blurs.
SYMBOLS = string.punctuation + " "


def attack(turn: Turn) -> Attacked | None:
    """Return the word with one symbol in some of its gaps, each with the probability."""
    core = core_of(turn.word)
    if core is None or len(core.letters) < SHORTEST:
        return None
    draw = turn.draw
    symbol = draw.choice(string.punctuation if turn.stays_one_token else SYMBOLS)
    pieces = [core.letters[0]]
    for letter in core.letters[1:]:
        pieces += [symbol, letter] if draw.fraction() < turn.probability else [letter]
    return Attacked(core.with_letters("".join(pieces)))


INTRUDE = ProbabilityDimension(
    name="intrude",
    summary="one symbol, or a space, between letters of a word",
    stands_for="words broken up by symbols to slip past a filter: abuse, spam",
    tag="malicious",
    group="zeroe",
    attack=attack,
)
