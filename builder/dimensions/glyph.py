"""Glyphs: a character replaced by one that looks like it, or a pair by the letter it runs together to."""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from builder.label_guard.misreadings import propose_legible
from builder.models.resources import Resources
from builder.operations.dimension import ALL_DEGREES, Dimension, WordsOfText
from builder.operations.letters import is_editable
from builder.operations.operation import Operation, Operations, shared_operation

TABLE_PATH = Path(__file__).parent / "data" / "glyph_table.json"
# Units are keyed by the hash of the code, which through this constant covers the table.
TABLE_SHA256 = "0113f097ac1318936219420e0b661a423f4e1c3cc5f1e40bd3e150f2c730cc3d"

# How often each kind of replacement is drawn in general text, wherever a word allows it.
MIX = {"accent": 0.5, "digit": 0.2, "digraph": 0.15, "ligature": 0.15, "apostrophe": 0.15}
# In malicious text every character counts 1 and each of these beside it:
BESIDE_LOOK_ALIKES = 0.1
# A look-alike is drawn half as often as one that is more alike by this much.
HALVED_BY = 0.02

# The letters that keyboards and their long-press menus offer for a letter.
ACCENTS = {
    "a": "àáâäãå",
    "c": "çćč",
    "d": "đ",
    "e": "èéêëę",
    "g": "ğ",
    "i": "ìíîï",
    "l": "ł",
    "n": "ñńň",
    "o": "òóôöõø",
    "r": "ř",
    "s": "śşš",
    "t": "ţť",
    "u": "ùúûü",
    "y": "ýÿ",
    "z": "źżž",
}
# What people type, and scanners read, for one another.
DIGITS = {"0": "O", "1": "l", "I": "l", "O": "0", "l": "1I", "o": "0"}
APOSTROPHES = {"'": "’`´", "’": "'`´"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Digraph:
    """Characters that look like others; shorter words (without a plural s) would not be recognised."""

    original: str
    replacement: str
    least_letters: int


# By rendered likeness rn is an m (0.8). A w is two v whatever space a font sets between them (0.6). What cl
# makes of d (0.7) is read as c and l, and spells other words too often: clear, dear.
DIGRAPHS = (
    Digraph(original="m", replacement="rn", least_letters=4),
    Digraph(original="rn", replacement="m", least_letters=5),
    Digraph(original="w", replacement="vv", least_letters=3),
    Digraph(original="W", replacement="VV", least_letters=3),
)
# Words that rn and m make of one another, without their plurals.
RN_OR_M = frozenset(
    {"bum", "burn", "chum", "churn", "comer", "comet", "coming", "corner", "cornet", "corning", "dam", "darn"}
    | {"gamer", "garner", "modem", "modern", "mom", "morn", "stem", "stern", "tom", "torn"}
    | {"unicom", "unicorn", "yam", "yarn"}
)
# Fonts set these by themselves; text copied out of documents keeps them.
LIGATURES = {"ff": "ﬀ", "ffi": "ﬃ", "ffl": "ﬄ", "fi": "ﬁ", "fl": "ﬂ"}


@lru_cache(maxsize=1)
def look_alikes() -> dict[str, list[tuple[str, float]]]:
    """Return the derived table: for each character its look-alikes and how alike they are, best first."""
    raw = json.loads(TABLE_PATH.read_text(encoding="utf-8"))
    return {character: [(other, alike) for other, alike in pairs] for character, pairs in raw.items()}


@lru_cache(maxsize=4096)
def general_operations_of(word: str) -> Operations:
    """Return what a person may have typed, or a font may have set, instead of letters of a word."""
    items = list(_typed(word))
    n_of = Counter(item.name for item in items)
    return Operations(items, [MIX[item.name] / n_of[item.name] for item in items])


@lru_cache(maxsize=4096)
def malicious_operations_of(word: str) -> Operations:
    """Return the look-alikes of every character, the most alike most often, and what a person types."""
    items: list[Operation] = []
    weights: list[float] = []
    for index, character in enumerate(word):
        others = look_alikes().get(character, [])
        if not others or not is_editable(word, index):
            continue
        likely = [0.5 ** ((1 - alike) / HALVED_BY) for _, alike in others]
        items += [_replacement("look-alike", index, character, other) for other, _ in others]
        weights += [likelihood / sum(likely) for likelihood in likely]
    listed = {item.edits for item in items}
    typed = [item for item in _typed(word) if item.name != "accent" and item.edits not in listed]
    return Operations([*items, *typed], [*weights, *[BESIDE_LOOK_ALIKES] * len(typed)])


def _typed(word: str) -> Iterator[Operation]:
    """Yield what a person types or a font sets, the cheapest first, since they compete for positions."""
    editable = [is_editable(word, index) for index in range(len(word))]
    for index, character in enumerate(word):
        if editable[index]:
            for name, others in (("accent", accents_of(character)), ("digit", DIGITS.get(character, ""))):
                for other in others:
                    yield _replacement(name, index, character, other)
        elif _is_apostrophe(word, index):
            for other in APOSTROPHES[character]:
                yield _replacement("apostrophe", index, character, other)
    yield from _joined(word, editable)


def _joined(word: str, editable: Sequence[bool]) -> Iterator[Operation]:
    """Yield the digraphs and ligatures of a word."""
    letters = "".join(character for character in word.casefold() if character.isalnum())
    singular = letters.removesuffix("s")
    for digraph in DIGRAPHS:
        original = digraph.original
        if len(singular) >= digraph.least_letters and singular not in RN_OR_M:
            for index in _positions(word, original, editable):
                yield _replacement("digraph", index, original, digraph.replacement)
    for original, other in LIGATURES.items():
        for index in _positions(word, original, editable):
            yield _replacement("ligature", index, original, other)


def _positions(word: str, letters: str, editable: Sequence[bool]) -> Iterator[int]:
    if letters not in word:
        return
    for index in range(len(word) - len(letters) + 1):
        if word.startswith(letters, index) and all(editable[index : index + len(letters)]):
            yield index


def _replacement(name: str, index: int, original: str, other: str) -> Operation:
    return shared_operation(name, index, original, other, _cost(original, other))


@lru_cache(maxsize=4096)
def _cost(original: str, other: str) -> int:
    return Levenshtein.distance(original, other)


@lru_cache(maxsize=1024)
def accents_of(character: str) -> str:
    """Return the accented forms of a letter; of an accented letter, the plain one."""
    accents = ACCENTS.get(character.lower(), "")
    if accents:
        return accents.upper() if character.isupper() else accents
    plain = unicodedata.normalize("NFD", character)[0]
    return plain if plain.isascii() and plain != character else ""


def _is_apostrophe(word: str, index: int) -> bool:
    """Whether an apostrophe stands between letters, where it is no quotation mark."""
    return (
        word[index] in APOSTROPHES
        and word[index - 1 : index].isalpha()
        and word[index + 1 : index + 2].isalpha()
    )


def propose_malicious(texts: Sequence[WordsOfText], resources: Resources) -> list[list[Operations]]:
    """Return the look-alikes of every word of every text."""
    return propose_legible(malicious_operations_of, texts, resources)


def propose_general(texts: Sequence[WordsOfText], resources: Resources) -> list[list[Operations]]:
    """Return the typed look-alikes of every word of every text."""
    return propose_legible(general_operations_of, texts, resources)


GLYPH_MALICIOUS = Dimension(
    name="glyph-malicious",
    summary="look-alike characters from any script, counted in characters",
    stands_for="text disguised to slip past a filter while people still read it: spam, abuse, phishing",
    level="char",
    tag="malicious",
    measure="edit",
    degrees=ALL_DEGREES,
    uses=("associations",),
    propose=propose_malicious,
)
GLYPH_GENERAL = Dimension(
    name="glyph-general",
    summary="at most one accent, digit, ligature or run-together letter a word, counted in words",
    stands_for="foreign keyboards, accents typed or lost, scanned pages, text copied out of documents",
    level="char",
    tag="general",
    measure="words",
    degrees=ALL_DEGREES,
    uses=("associations",),
    propose=propose_general,
)
