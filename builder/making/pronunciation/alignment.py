"""Aligns letters with phonemes: which letters of a word stand for which of its sounds."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping

from builder.language.pronunciation.graphemes import Graphemes, Unit
from builder.language.pronunciation.phonemes import TAP

# Units are learned from every nth word and then used on all.
LEARN_FROM_EVERY = 8
ROUNDS = 5
_SPOKEN, _SILENT, _UNSEEN = -3.0, -6.0, -16.0

Likelihoods = Mapping[Unit, float]


def align_words(words: Mapping[str, str], graphemes: Graphemes) -> dict[str, tuple[Unit, ...]]:
    """Return the likeliest units of every word that has any; likelihoods are learned from the words."""
    likelihoods: Likelihoods = {
        Unit(letters, phonemes): _SPOKEN if phonemes else _SILENT
        for letters, options in graphemes.by_letters.items()
        for phonemes in options
    }
    sample = sorted(words)[::LEARN_FROM_EVERY]
    for _ in range(ROUNDS):
        counts = Counter(
            unit for word in sample for unit in align(word, words[word], likelihoods, graphemes) or ()
        )
        total = counts.total()
        likelihoods = {
            unit: math.log(counts[unit] / total) if counts[unit] else _UNSEEN for unit in likelihoods
        }
    aligned = {word: align(word, words[word], likelihoods, graphemes) for word in sorted(words)}
    return {word: units for word, units in aligned.items() if units}


def align(
    word: str, phonemes: str, likelihoods: Likelihoods, graphemes: Graphemes
) -> tuple[Unit, ...] | None:
    """Return the likeliest units that spell the word and sound as the phonemes, or nothing."""
    best: list[dict[int, tuple[float, int, int, Unit | None]]] = [defaultdict() for _ in range(len(word) + 1)]
    best[0][0] = (0.0, 0, 0, None)
    for start in range(len(word)):
        for spoken, (score, *_) in best[start].items():
            for end in range(start + 1, min(len(word), start + graphemes.most_letters) + 1):
                letters = word[start:end]
                for sound in graphemes.by_letters.get(letters, ()):
                    if not _sounds(sound, phonemes[spoken : spoken + len(sound)], letters):
                        continue
                    unit = Unit(letters, sound)
                    reached = score + likelihoods[unit]
                    known = best[end].get(spoken + len(sound))
                    if known is None or reached > known[0]:
                        best[end][spoken + len(sound)] = (reached, start, spoken, unit)
    return _trace(best, len(word), len(phonemes))


def _sounds(sound: str, heard: str, letters: str) -> bool:
    """Whether a unit's sound equals the phonemes; a tap equals t or d, as its letter is."""
    return sound == heard or (heard == TAP and sound in ("t", "d") and letters[0] == sound)


def _trace(
    best: list[dict[int, tuple[float, int, int, Unit | None]]], end: int, spoken: int
) -> tuple[Unit, ...] | None:
    if spoken not in best[end]:
        return None
    units: list[Unit] = []
    while end:
        _, end, spoken, unit = best[end][spoken]
        if unit is not None:
            units.append(unit)
    return tuple(reversed(units))
