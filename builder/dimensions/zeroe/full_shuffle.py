"""Full shuffle: all letters of a word change places."""

from builder.dimensions.zeroe.cores import core_of, in_each_run
from builder.dimensions.zeroe.shuffling import shuffled
from builder.operations.dimension import Attacked, ProbabilityDimension, Turn

SHORTEST = 2


def attack(turn: Turn) -> Attacked | None:
    """Return the word with all its letters shuffled."""
    core = core_of(turn.word)
    if core is None or len(core.letters) < SHORTEST:
        return None
    return Attacked(core.with_letters(in_each_run(core.letters, lambda run: shuffled(run, turn.draw))))


FULL_SHUFFLE = ProbabilityDimension(
    name="full-shuffle",
    summary="all letters of a word change places",
    stands_for="the extreme of jumbled words: many readers give up, so a low score here says little",
    tag="malicious",
    group="zeroe",
    attack=attack,
)
