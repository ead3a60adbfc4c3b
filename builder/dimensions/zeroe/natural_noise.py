"""Natural noise: words as people have misspelt them."""

from builder.dimensions.zeroe.cores import core_of, in_case_of
from builder.language.words.misspellings import load_misspellings
from builder.operations.dimension import Attacked, ProbabilityDimension, Turn


def attack(turn: Turn) -> Attacked | None:
    """Return the word with one of its listed misspellings."""
    core = core_of(turn.word)
    if core is None:
        return None
    listed = load_misspellings(turn.resources.misspellings).get(core.letters.lower().replace("’", "'"))
    if listed is None:
        return None
    return Attacked(core.with_letters(in_case_of(core.letters, turn.draw.choice(listed))))


NATURAL_NOISE = ProbabilityDimension(
    name="natural-noise",
    summary="a word is written as people misspell it, from a list",
    stands_for="spelling mistakes and slips of real people",
    tag="general",
    group="zeroe",
    uses=("misspellings",),
    attack=attack,
)
