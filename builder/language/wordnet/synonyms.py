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
# Zipf frequencies: a rarer synonym, or one this much rarer than its word, is another register.
LEAST_FREQUENT = 3.0
MOST_RARER = 1.7
# A word more frequent than this has more uses than a dictionary tells apart.
MOST_FREQUENT = 4.0
# A word that is rarely this part of speech is understood as another.
LEAST_AS_PART_OF_SPEECH = 0.35
# Both words must have the shared sense this often, multiplied, where the text is not asked.
LEAST_ALWAYS = 0.7

Probabilities = Mapping[int, float]


class Synonym(NamedTuple):
    """A lemma that may replace another, how certain that is, and where it may stand if an adjective."""

    lemma: str
    certainty: float
    position: str = ""


@lru_cache(maxsize=65_536)
def certain_synonyms(lemma: str, part_of_speech: str) -> tuple[Synonym, ...]:
    """Return the synonyms of a lemma that nearly always mean what it nearly always means, in any text."""
    tables = load_tables()
    frequency = tables.frequency.get(lemma, 0.0)
    senses = frequencies_of(lemma, part_of_speech)
    synonyms = []
    for number, of_word in senses.items():
        for member in tables.synsets[number].members:
            if member.lemma == lemma or not _is_usual(member.lemma, part_of_speech, frequency):
                continue
            certainty = of_word * frequencies_of(member.lemma, part_of_speech)[number]
            if certainty >= LEAST_ALWAYS:
                synonyms.append(Synonym(member.lemma, certainty, member.position))
    return tuple(sorted(synonyms, key=lambda synonym: (-synonym.certainty, synonym.lemma)))


@lru_cache(maxsize=65_536)
def frequencies_of(lemma: str, part_of_speech: str) -> Probabilities:
    """Return how likely a lemma has each of its senses, by their frequency alone."""
    counts = {
        synset.number: _count(synset, lemma) for synset in load_tables().senses_of(lemma, part_of_speech)
    }
    total = sum(counts.values()) or 1.0
    return {number: count / total for number, count in counts.items()}


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
