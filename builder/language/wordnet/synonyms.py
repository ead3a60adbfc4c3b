"""The synonyms of a word in the sense it has in a text, if readers understand them in that sense."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from builder.language.wordnet.glosses import load_glosses
from builder.language.wordnet.tables import PARTS_OF_SPEECH, Synset, load_tables
from builder.models.embedding_cache import Embedding

# A sense never met in tagged text counts as half of one; what is listed first still comes first.
COUNT_OF_UNTAGGED = 0.5
# How much a gloss that fits the text favours its sense: a cosine higher by 0.1 makes it e times likelier.
WEIGHT_OF_FIT = 10.0
# The senses that a synonym shares with its word must be together this likely for the word, and for it.
LEAST_OF_WORD = 0.6
LEAST_OF_CANDIDATE = 0.5
LEAST_CERTAIN = 0.5
# Zipf frequencies: a rarer synonym, or one this much rarer than its word, is another register.
LEAST_FREQUENT = 3.0
# A word more frequent than this has more uses than a dictionary tells apart.
MOST_FREQUENT = 4.0
MOST_RARER = 1.7
# A word that is rarely this part of speech is understood as another.
LEAST_AS_PART_OF_SPEECH = 0.35

Probabilities = Mapping[int, float]


class Synonym(NamedTuple):
    """A lemma that may replace another, how certain that is, and where it may stand if an adjective."""

    lemma: str
    certainty: float
    position: str = ""


def synonyms_of(lemma: str, part_of_speech: str, text: Embedding) -> list[Synonym]:
    """Return the synonyms of a lemma in a text embedded by the packaged encoder, most certain first."""
    tables = load_tables()
    if tables.frequency.get(lemma, 0.0) > MOST_FREQUENT:
        return []
    senses = probabilities_of(lemma, part_of_speech, text)
    candidates = {
        member.lemma
        for number in senses
        for member in tables.synsets[number].members
        if member.lemma != lemma
    }
    synonyms = []
    for candidate in sorted(candidates):
        if not _is_usual(candidate, part_of_speech, tables.frequency[lemma]):
            continue
        senses_of_candidate = probabilities_of(candidate, part_of_speech, text)
        shared = [number for number in senses if number in senses_of_candidate]
        of_word = sum(senses[number] for number in shared)
        of_candidate = sum(senses_of_candidate[number] for number in shared)
        certainty = of_word * of_candidate
        if of_word >= LEAST_OF_WORD and of_candidate >= LEAST_OF_CANDIDATE and certainty >= LEAST_CERTAIN:
            likeliest = max(shared, key=lambda number: (senses[number], -number))
            position = next(
                member.position for member in tables.synsets[likeliest].members if member.lemma == candidate
            )
            synonyms.append(Synonym(candidate, certainty, position))
    return sorted(synonyms, key=lambda synonym: (-synonym.certainty, synonym.lemma))


@lru_cache(maxsize=65_536)
def has_synonyms(lemma: str, part_of_speech: str) -> bool:
    """Whether a lemma may have synonyms in some text."""
    tables = load_tables()
    frequency = tables.frequency.get(lemma, 0.0)
    return frequency <= MOST_FREQUENT and any(
        member.lemma != lemma and _is_usual(member.lemma, part_of_speech, frequency)
        for synset in tables.senses_of(lemma, part_of_speech)
        for member in synset.members
    )


def probabilities_of(lemma: str, part_of_speech: str, text: Embedding) -> Probabilities:
    """Return how likely a lemma has each of its senses in a text, by their frequency and by their gloss."""
    senses = load_tables().senses_of(lemma, part_of_speech)
    if len(senses) < 2:
        return dict.fromkeys((synset.number for synset in senses), 1.0)
    fits = load_glosses().fits(text, [synset.number for synset in senses])
    weights = [
        _count(synset, lemma) * math.exp(WEIGHT_OF_FIT * fit)
        for synset, fit in zip(senses, fits, strict=True)
    ]
    total = sum(weights)
    return {synset.number: weight / total for synset, weight in zip(senses, weights, strict=True)}


def _count(synset: Synset, lemma: str) -> float:
    """Return how often a lemma was tagged with a sense; the untagged ones fall off with their number."""
    member = synset.member(lemma)
    if member is None:
        return 0.0
    return member.n_tagged + COUNT_OF_UNTAGGED / member.sense


def _is_usual(candidate: str, part_of_speech: str, frequency: float) -> bool:
    """Whether a candidate is frequent, about as frequent as its word, and mostly this part of speech."""
    tables = load_tables()
    of_candidate = tables.frequency[candidate]
    if of_candidate < LEAST_FREQUENT or of_candidate < frequency - MOST_RARER:
        return False
    by_part_of_speech = {
        other: sum(_count(synset, candidate) for synset in tables.senses_of(candidate, other))
        for other in PARTS_OF_SPEECH
    }
    return by_part_of_speech[part_of_speech] >= LEAST_AS_PART_OF_SPEECH * sum(by_part_of_speech.values())
