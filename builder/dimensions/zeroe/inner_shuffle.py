"""Inner shuffle: the letters between the first and the last one change places."""

from builder.dimensions.zeroe.cores import core_of, in_each_run
from builder.dimensions.zeroe.shuffling import shuffled
from builder.operations.dimension import Attacked, ProbabilityDimension, Turn

SHORTEST = 3


def attack(turn: Turn) -> Attacked | None:
    """Return the word with its inner letters shuffled."""
    core = core_of(turn.word)
    if core is None or len(core.letters) < SHORTEST:
        return None
    return Attacked(
        core.with_letters(
            in_each_run(core.letters, lambda run: run[:1] + shuffled(run[1:-1], turn.draw) + run[1:][-1:])
        )
    )


INNER_SHUFFLE = ProbabilityDimension(
    name="inner-shuffle",
    summary="the letters between the first and the last one of a word change places",
    stands_for="words jumbled to slip past a filter, which people still read",
    tag="malicious",
    group="zeroe",
    attack=attack,
)
