"""The synonyms of a word in the sense it has in a text, and only those that a reader takes in that sense."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from builder.language.wordnet.glosses import load_glosses
from builder.language.wordnet.tables import PARTS_OF_SPEECH, Synset, load_tables
from builder.models.embedding_cache import Embedding

# A sense never met in tagged text counts as half of one; what is listed first still comes first.
COUNT_OF_UNTAGGED = 0.5
# How much a gloss that fits the text speaks for its sense: a cosine higher by 0.1 makes it e times likelier.
WEIGHT_OF_FIT = 10.0
# A synonym must be one in senses that are together this likely, and be read in these senses this likely.
LEAST_MEANT = 0.6
LEAST_READ = 0.5
LEAST_CERTAIN = 0.5
# Zipf frequencies: a rarer synonym, or one this much rarer than its word, is another register.
LEAST_FREQUENT = 3.0
# A word more frequent than this has more uses than a dictionary tells apart.
MOST_FREQUENT = 4.0
MOST_RARER = 1.7
# A word that is seldom this part of speech is read as another.
LEAST_AS_PART_OF_SPEECH = 0.35

Probabilities = Mapping[int, float]


class Synonym(NamedTuple):
    """A lemma that may stand for another: how surely it is meant and read so, and where it may stand."""

    lemma: str
    certainty: float
    position: str = ""


def synonyms_of(lemma: str, part_of_speech: str, text: Embedding) -> list[Synonym]:
    """Return the synonyms of a lemma in a text that the packaged encoder has read, surest first."""
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
    found = []
    for candidate in sorted(candidates):
        if not _is_usual(candidate, part_of_speech, tables.frequency[lemma]):
            continue
        readings = probabilities_of(candidate, part_of_speech, text)
        shared = [number for number in senses if number in readings]
        meant = sum(senses[number] for number in shared)
        read = sum(readings[number] for number in shared)
        if meant >= LEAST_MEANT and read >= LEAST_READ and meant * read >= LEAST_CERTAIN:
            likeliest = max(shared, key=lambda number: (senses[number], -number))
            position = next(
                member.position for member in tables.synsets[likeliest].members if member.lemma == candidate
            )
            found.append(Synonym(candidate, meant * read, position))
    return sorted(found, key=lambda synonym: (-synonym.certainty, synonym.lemma))


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
    """Whether people write a candidate, about as often as its word, and as this part of speech."""
    tables = load_tables()
    own = tables.frequency[candidate]
    if own < LEAST_FREQUENT or own < frequency - MOST_RARER:
        return False
    by_part_of_speech = {
        other: sum(_count(synset, candidate) for synset in tables.senses_of(candidate, other))
        for other in PARTS_OF_SPEECH
    }
    return by_part_of_speech[part_of_speech] >= LEAST_AS_PART_OF_SPEECH * sum(by_part_of_speech.values())
