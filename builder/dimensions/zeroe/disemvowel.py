"""Disemvowelling: all vowels of a word are left out."""

from builder.dimensions.zeroe.cores import VOWELS, core_of
from builder.operations.dimension import Attacked, ProbabilityDimension, Turn

# The paper skips words of up to three letters, though its Table 1 writes r for are.
LONGEST_SKIPPED = 3
# The paper skips words of vowels only; what is left of Ohio is no word either.
FEWEST_LEFT = 2
_WITHOUT_VOWELS = str.maketrans("", "", VOWELS)


def attack(turn: Turn) -> Attacked | None:
    """Return the word without its vowels, unless hardly anything else is in it."""
    core = core_of(turn.word)
    if core is None or len(core.letters) <= LONGEST_SKIPPED:
        return None
    left = core.letters.translate(_WITHOUT_VOWELS)
    n_left = sum(map(str.isalpha, left))
    return Attacked(core.with_letters(left)) if n_left >= FEWEST_LEFT else None


DISEMVOWEL = ProbabilityDimension(
    name="disemvowel",
    summary="the vowels of a word are left out",
    stands_for="short messages and chats: txt lk ths",
    tag="general",
    group="zeroe",
    attack=attack,
)
