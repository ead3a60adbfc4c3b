"""What the judge looks at: a word, its place as the masked language model sees it, and a candidate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from builder.language.substitution.relations import Relations, relations_of
from builder.language.substitution.vectors import Vectors, word_vectors

Matrix = NDArray[np.float64]

PARTS = ("n", "v", "a", "r")
# A candidate that the model does not know as one piece, and whatever is less likely than this.
LEAST_LIKELY = -16.0
# Digits that do not differ between machines.
DECIMALS = 3
NAMES = (
    "log_probability",
    "log_probability_of_word",
    "more_likely",
    "is_one_piece",
    "cosine",
    "cosine_with_context",
    "nearer_to_context",
    "begins_alike",
    *Relations._fields,
    *(f"is_{part}" for part in PARTS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A word in its sentence: its form, lemma, part of speech, senses, neighbours, and how likely it is."""

    word: str
    lemma: str
    part_of_speech: str
    around: tuple[str, ...]
    senses: Mapping[int, float]
    log_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A form that may stand in a place, its lemma, and how likely it is there; nothing if that is unknown."""

    form: str
    lemma: str
    log_probability: float | None


def features_of(place: Place, candidates: Sequence[Candidate]) -> Matrix:
    """Return a row for each candidate."""
    vectors = word_vectors([place.word, *(candidate.form for candidate in candidates)])
    context = _mean(word_vectors(place.around))
    cosines = vectors[1:] @ vectors[0]
    with_context = vectors @ context
    before = max(place.log_probability, LEAST_LIKELY)
    rows = []
    for number, candidate in enumerate(candidates):
        known = candidate.log_probability
        after = LEAST_LIKELY if known is None else max(known, LEAST_LIKELY)
        rows.append(
            (
                after,
                before,
                after - before,
                float(known is not None),
                float(cosines[number]),
                float(with_context[number + 1]),
                float(with_context[number + 1] - with_context[0]),
                float(place.word[:4] == candidate.form[:4]),
                *relations_of(place.lemma, candidate.lemma, place.part_of_speech, place.senses),
                *(float(part == place.part_of_speech) for part in PARTS),
            )
        )
    return np.round(np.array(rows, dtype=np.float64).reshape(-1, len(NAMES)), DECIMALS)


def _mean(vectors: Vectors) -> Vectors:
    if not len(vectors):
        return np.zeros(vectors.shape[1], dtype=np.float32)
    mean: Vectors = vectors.mean(axis=0)
    return mean / max(float(np.linalg.norm(mean)), 1e-12)
