"""Invisible disguises: words that look the same, or nearly, and are other characters for a machine."""

import string
from collections.abc import Callable, Sequence

from builder.dimensions.zeroe.cores import core_of
from builder.operations.dimension import Attacked, ProbabilityDimension, Turn
from builder.values.randomness import Draw
from contract.folding import fold
from contract.folding.fold import END_OF_OVERRIDE, LEET, RIGHT_TO_LEFT_OVERRIDE, SEPARATORS

SHORTEST = 3
# Zero-width space, non-joiner and joiner, word joiner, soft hyphen, combining grapheme joiner.
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\u00ad\u034f"
# Strokes through a letter, and dots, rings and lines below it, of which Unicode has no letter as a whole.
MARKS = "\u0335\u0336\u0337\u0338\u0347\u0348\u0349\u0353\u0354\u0355"
# Each hides its own letters of a to z.
TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in string.ascii_lowercase)
# The first capital of alphabets that have all letters: bold, bold italic, bold script, bold fraktur,
# sans-serif, bold sans-serif, monospace.
MATHEMATICAL = (0x1D400, 0x1D468, 0x1D4D0, 0x1D56C, 0x1D5A0, 0x1D5D4, 0x1D670)
_LETTERS = string.ascii_uppercase + string.ascii_lowercase
FULLWIDTH = str.maketrans({letter: chr(ord(letter) + 0xFEE0) for letter in _LETTERS})
_ALPHABETS = [
    str.maketrans({letter: chr(first + place) for place, letter in enumerate(_LETTERS)})
    for first in MATHEMATICAL
]
_LEET = {letter: "".join(sign for sign, of in LEET.items() if of == letter) for letter in LEET.values()}


def spaced_out(letters: str, _probability: float, draw: Draw) -> str:
    """Return the letters with one separator between all of them."""
    return draw.choice(SEPARATORS).join(letters)


def zero_width(letters: str, probability: float, draw: Draw) -> str:
    """Return the letters with characters of no width in some gaps."""
    return _in_gaps(letters, probability, draw, ZERO_WIDTH)


def tagged(letters: str, probability: float, draw: Draw) -> str:
    """Return the letters with tag characters, which are not seen, in some gaps."""
    return _in_gaps(letters, probability, draw, TAGS)


def fullwidth(letters: str, _probability: float, _draw: Draw) -> str:
    """Return the letters in the form that East Asian text has for them."""
    return letters.translate(FULLWIDTH)


def mathematical(letters: str, _probability: float, draw: Draw) -> str:
    """Return the letters in an alphabet for formulas."""
    return letters.translate(draw.choice(_ALPHABETS))


def combining_marks(letters: str, probability: float, draw: Draw) -> str:
    """Return the letters with a mark on some of them."""
    return _on_some(letters, probability, draw, lambda letter: letter + draw.choice(MARKS))


def written_backwards(letters: str, _probability: float, _draw: Draw) -> str:
    """Return the letters in reverse order, between controls that make them look right again."""
    return RIGHT_TO_LEFT_OVERRIDE + letters[::-1] + END_OF_OVERRIDE


def leetspeak(letters: str, probability: float, draw: Draw) -> str:
    """Return the letters with digits and symbols for some small ones that stand inside."""

    def write(letter: str) -> str:
        return draw.choice(_LEET[letter]) if letter in _LEET else letter

    return letters[0] + _on_some(letters[1:-1], probability, draw, write) + letters[-1]


SPACED_OUT = "spaced-out"
METHODS: dict[str, Callable[[str, float, Draw], str]] = {
    SPACED_OUT: spaced_out,
    "zero-width": zero_width,
    "fullwidth": fullwidth,
    "mathematical": mathematical,
    "combining-marks": combining_marks,
    "bidirectional": written_backwards,
    "tags": tagged,
    "leetspeak": leetspeak,
}


def attack(turn: Turn) -> Attacked | None:
    """Return the word disguised by the method of its case; only words of plain letters are."""
    core = core_of(turn.word)
    if (
        core is None
        or len(core.letters) < SHORTEST
        or not (core.letters.isascii() and core.letters.isalpha())
    ):
        return None
    if turn.method == SPACED_OUT and turn.stays_one_token:
        return Attacked(core.with_letters(turn.draw.choice(SEPARATORS.strip()).join(core.letters)))
    return Attacked(core.with_letters(METHODS[turn.method](core.letters, turn.probability, turn.draw)))


def is_restorable(original: str, case: str) -> bool:
    """Whether the shipped fold makes the same text of both."""
    return fold(original) == fold(case)


def _in_gaps(letters: str, probability: float, draw: Draw, hidden: Sequence[str]) -> str:
    """Return the letters with hidden characters in some gaps, at least one."""
    chosen = _chosen(len(letters) - 1, probability, draw)
    return "".join(
        letter + (draw.choice(hidden) if place in chosen else "") for place, letter in enumerate(letters)
    )


def _on_some(letters: str, probability: float, draw: Draw, write: Callable[[str], str]) -> str:
    """Return the letters with some of them written in another way, at least one."""
    chosen = _chosen(len(letters), probability, draw)
    return "".join(write(letter) if place in chosen else letter for place, letter in enumerate(letters))


def _chosen(n: int, probability: float, draw: Draw) -> set[int]:
    """Return places, each with the probability, and one where the coins leave none."""
    return {place for place in range(n) if draw.fraction() < probability} or {draw.below(n)}


INVISIBLE = ProbabilityDimension(
    name="invisible",
    summary="words disguised by characters that people do not see, or read through",
    stands_for="text that hides from a guardrail: zero-width characters, odd alphabets, leetspeak",
    tag="malicious",
    group="invisible",
    attack=attack,
    methods=tuple(METHODS),
    is_restorable=is_restorable,
)
