"""Respellings of sections of a word that sound the same, from how its letters and sounds align."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import exp

from builder.language.pronunciation.graphemes import Graphemes, Place, Unit, load_graphemes, phonemes_of
from builder.language.pronunciation.phonemes import VOWELS, sounds_like
from builder.language.pronunciation.reader import Reader, Span

# A spelling is kept if no pronunciation of it is more than this (a logarithm) likelier than the wanted one.
MOST_MARGIN = 2.0
# Rare spellings of a sound are still written this often, next to 1 for all its spellings together.
RAREST = 0.05
ENDING = 0.5
SILENT = 0.5
WITH_SILENT_E = 0.3
# A consonant is doubled after a short vowel; elsewhere it is rarely, next to 1.
RARELY_DOUBLED = 0.2
# How many respellings a word keeps, best first; few for each section of it, so that they lie apart.
MOST_KEPT = 12
MOST_FOR_A_SECTION = 3

_LONG_VOWELS = {"A": "a", "i": "e", "I": "i", "O": "o"}
_LONG_SOUNDS = frozenset({*_LONG_VOWELS, "u", "ju"})
# Vowels without stress that people mix up; others look too different.
_UNSTRESSED = {"a": "eu", "e": "ai", "i": "ea", "o": "aeu", "u": "ao"}
# Only these are read as the weak last vowel of "happy".
_LIKE_Y = frozenset({"y", "ie", "ey", "i"})
_SILENT_E = Unit("e", "")
_DOUBLES = frozenset(
    {"bb", "dd", "ff", "gg", "ll", "mm", "nn", "pp", "rr", "ss", "tt", "vv", "zz", "ck", "tch", "dg"}
)
_NEVER_DOUBLE = frozenset("ahijkquvwxy")


@dataclass(frozen=True, slots=True)
class Respelling:
    """A span of a word, the letters written there instead, and a weight: how likely people write so."""

    span: Span
    weight: float


@dataclass(frozen=True, slots=True)
class _Draft:
    """A respelling whose sound is not checked yet, with the phonemes that the word should then have."""

    span: Span
    heard: str
    weight: float


def respell(
    word: str, units: Sequence[Unit], reader: Reader, is_other_word: Callable[[str], bool]
) -> list[Respelling]:
    """Return respellings of sections of a lower-case word that are still pronounced like the word."""
    drafts: dict[str, _Draft] = {}
    for draft in _drafts(units, load_graphemes(), reader):
        spelling = draft.span.apply(word)
        if draft.weight and spelling != word and _is_plausible(spelling) and not is_other_word(spelling):
            known = drafts.get(spelling)
            if known is None or draft.weight > known.weight:
                drafts[spelling] = draft
    checked: list[Respelling] = []
    by_sound: dict[str, list[_Draft]] = defaultdict(list)
    for draft in drafts.values():
        by_sound[draft.heard].append(draft)
    for heard, alike in by_sound.items():
        margins = reader.margins(word, heard, [draft.span for draft in alike])
        checked += [
            Respelling(draft.span, draft.weight * exp(-max(0.0, margin)))
            for draft, margin in zip(alike, margins, strict=True)
            if margin <= MOST_MARGIN
        ]
    return _keep(checked)


def _drafts(units: Sequence[Unit], graphemes: Graphemes, reader: Reader) -> Iterator[_Draft]:
    """Yield every respelling of a unit, of a vowel with its silent e, and of a known ending."""
    phonemes = phonemes_of(units)
    shares = _shares(reader)
    starts = [0]
    for unit in units:
        starts.append(starts[-1] + len(unit.letters))
    for index, unit in enumerate(units):
        start, end = starts[index], starts[index + 1]
        place = _place(units, index)
        if unit.letters == "'":
            continue
        if not unit.phonemes and not _is_needed(units, index):
            yield _Draft(Span(start, end, ""), phonemes, SILENT)
        for letters in graphemes.written.get((unit.phonemes, place), ()):
            weight = max(RAREST, shares.get((letters, unit.phonemes), 0.0))
            yield _Draft(Span(start, end, letters), phonemes, weight * _fit(units, index, letters))
        yield from _with_silent_e(units, index, starts, phonemes, graphemes)
    yield from _endings(units, starts, graphemes)


def _with_silent_e(
    units: Sequence[Unit], index: int, starts: Sequence[int], phonemes: str, graphemes: Graphemes
) -> Iterator[_Draft]:
    """Yield "naim" for "name", "luv" for "love" and "trete" for "treat": a silent e goes or comes."""
    vowel = units[index]
    following = units[index + 1 : index + 3]
    if vowel.phonemes not in VOWELS or not following or set(following[0].phonemes) & VOWELS:
        return
    consonant = following[0].letters
    if len(vowel.letters) == 1 and following[1:] == [_SILENT_E]:
        for letters in graphemes.written.get((vowel.phonemes, "middle"), ()):
            # Without its e, a single letter is no long vowel.
            if len(letters) > 1 or vowel.phonemes not in _LONG_SOUNDS:
                span = Span(starts[index], starts[index + 3], letters + consonant)
                yield _Draft(span, phonemes, WITH_SILENT_E)
    elif (
        vowel.phonemes in _LONG_VOWELS
        and len(following) == len(consonant) == 1 < len(vowel.letters)
        # "citese" would lose its plural.
        and consonant != "s"
    ):
        written = _LONG_VOWELS[vowel.phonemes] + consonant + "e"
        yield _Draft(Span(starts[index], starts[index + 2], written), phonemes, WITH_SILENT_E)


def _endings(units: Sequence[Unit], starts: Sequence[int], graphemes: Graphemes) -> Iterator[_Draft]:
    """Yield the respellings of longer endings, where their letters are whole units that sound as expected."""
    word = "".join(unit.letters for unit in units)
    places = {start: index for index, start in enumerate(starts)}
    for ending in graphemes.endings:
        start = word.rfind(ending.letters)
        end = start + len(ending.letters)
        if start < 1 or (ending.is_last_only and end != len(word)):
            continue
        if start not in places or end not in places:
            continue
        before = phonemes_of(units[: places[start]])
        here = phonemes_of(units[places[start] : places[end]])
        is_a_syllable_apart = not set(here) & VOWELS or set(before) & VOWELS
        if is_a_syllable_apart and sounds_like(ending.phonemes, here):
            heard = before + (here if ending.heard == ending.phonemes else ending.heard)
            heard += phonemes_of(units[places[end] :])
            yield _Draft(Span(start, end, ending.written), heard, ENDING)


def _keep(respellings: Sequence[Respelling]) -> list[Respelling]:
    """Return the best respellings, few for each section of the word."""
    kept: list[Respelling] = []
    n_of_section: dict[int, int] = defaultdict(int)
    ranked = sorted(respellings, key=lambda item: (-item.weight, item.span.start, item.span.written))
    for item in ranked:
        if n_of_section[item.span.start] < MOST_FOR_A_SECTION and len(kept) < MOST_KEPT:
            n_of_section[item.span.start] += 1
            kept.append(item)
    return kept


@lru_cache(maxsize=1)
def _shares(reader: Reader) -> dict[tuple[str, str], float]:
    """Return how often each unit is what is written for its phonemes."""
    likelihoods = {unit: exp(reader.scores[code]) for unit, code in reader.codes.items()}
    totals: dict[str, float] = defaultdict(float)
    for unit, likelihood in likelihoods.items():
        totals[unit.phonemes] += likelihood
    return {
        (unit.letters, unit.phonemes): likelihood / totals[unit.phonemes]
        for unit, likelihood in likelihoods.items()
    }


def _place(units: Sequence[Unit], index: int) -> Place:
    """Return whether a unit begins, ends or stands within the word, and whether that is a short one."""
    if index == 0:
        return "first"
    is_short = sum(bool(set(unit.phonemes) & VOWELS) for unit in units) == 1
    if index + 1 < len(units):
        return "short middle" if is_short else "middle"
    return "short last" if is_short else "last"


def _is_needed(units: Sequence[Unit], index: int) -> bool:
    """Whether the e that begins a unit makes letters before it soft or long: so in "peace" and "names"."""
    before = units[max(0, index - 2) : index]
    if not before or not units[index].letters.startswith("e"):
        return False
    makes_soft = before[-1].letters[-1] in "cg"
    makes_long = len(before) > 1 and before[0].phonemes in _LONG_SOUNDS and len(before[0].letters) == 1
    return makes_soft or makes_long


def _fit(units: Sequence[Unit], index: int, letters: str) -> float:
    """Return how well letters fit between the units beside them, 0 where they do not."""
    here = units[index]
    before = units[index - 1] if index else None
    after = units[index + 1] if index + 1 < len(units) else None
    if set(here.phonemes) & VOWELS:
        return float(_fits_vowel(here, before, after, letters))
    if here.letters in ("ed", "es") and _is_needed(units, index):
        return 0.0
    if letters not in _DOUBLES:
        return 1.0
    if before is None or before.phonemes not in VOWELS or len(before.letters) > 1:
        return 0.0
    return 1.0 if after is None or set(after.phonemes) & VOWELS else RARELY_DOUBLED


def _fits_vowel(here: Unit, before: Unit | None, after: Unit | None, letters: str) -> bool:
    """Whether letters may stand for a vowel between other units."""
    if here.phonemes == "ə" and letters not in _UNSTRESSED.get(here.letters, letters):
        return False
    if letters in _LIKE_Y and here.letters in ("ee", "ea"):
        return False
    # Two vowels in a row are read as one when the letters are many: "gloreaous".
    has_vowel_beside = any(beside and set(beside.phonemes) & VOWELS for beside in (before, after))
    return not has_vowel_beside or len(letters) == 1


def _is_plausible(spelling: str) -> bool:
    """Whether no letter stands twice that never does, or thrice."""
    doubled = any(letter == after and letter in _NEVER_DOUBLE for letter, after in pairwise(spelling))
    thrice = any(spelling[i] == spelling[i + 1] == spelling[i + 2] for i in range(len(spelling) - 2))
    return not doubled and not thrice
