"""Trains the reader: unit n-grams with Witten-Bell smoothing, rare long ones left out."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping

from builder.language.pronunciation.graphemes import Unit
from builder.language.pronunciation.reader import END, ORDER, START, Reader

# An n-gram this long or longer is kept if it was seen this often.
RARE_FROM = 3
FEWEST_SEEN = 2


def train_reader(words: Collection[tuple[Unit, ...]]) -> Reader:
    """Return a reader that has learned from aligned words."""
    units = tuple(sorted({unit for word in words for unit in word}))
    codes = Reader(units, {}, {}).codes
    counts = _count(["".join([START, *(codes[unit] for unit in word), END]) for word in words])
    probabilities = _smooth(counts, len(units) + 1)
    kept = _prune(counts)
    shorter: dict[str, float] = defaultdict(float)
    longer: dict[str, float] = defaultdict(float)
    for gram in kept:
        if len(gram) > 1:
            longer[gram[:-1]] += probabilities[gram]
            shorter[gram[:-1]] += probabilities[gram[1:]]
    return Reader(
        units,
        {gram: math.log(probabilities[gram]) for gram in kept},
        {
            history: math.log(max(1e-4, 1 - longer[history]) / max(1e-4, 1 - shorter[history]))
            for history in longer
        },
    )


def _count(sentences: list[str]) -> Counter[str]:
    """Return how often each n-gram up to the reader's order occurs."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        for end in range(2, len(sentence) + 1):
            for start in range(max(0, end - ORDER), end):
                counts[sentence[start:end]] += 1
    return counts


def _smooth(counts: Mapping[str, int], n_units: int) -> dict[str, float]:
    """Return each n-gram's probability, mixed with that of the shorter one by Witten and Bell's weights."""
    seen: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for gram, n in counts.items():
        seen[gram[:-1]] += n
        kinds[gram[:-1]] += 1
    probabilities: dict[str, float] = {}
    for gram in sorted(counts, key=len):
        history = gram[:-1]
        shorter = probabilities[gram[1:]] if history else 1 / n_units
        probabilities[gram] = (counts[gram] + kinds[history] * shorter) / (seen[history] + kinds[history])
    return probabilities


def _prune(counts: Mapping[str, int]) -> list[str]:
    """Return the n-grams to keep; with each its shorter ending, from which backing off starts."""
    kept: set[str] = set()
    for gram in sorted(counts, key=lambda gram: (len(gram), gram)):
        if len(gram) < RARE_FROM or (counts[gram] >= FEWEST_SEEN and gram[1:] in kept):
            kept.add(gram)
    return sorted(kept)
