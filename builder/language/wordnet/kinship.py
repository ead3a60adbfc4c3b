"""Whether two words name things of one kind: their usual senses are close together in WordNet."""

from functools import lru_cache

from builder.language.wordnet.tables import PARTS_OF_SPEECH, load_tables

# How many of a word's senses, the most usual first, are looked at, and how far up each.
N_SENSES = 2
N_STEPS = 2
# A word that is more rarely this part of speech counts as another one.
LEAST_AS_PART_OF_SPEECH = 0.5


def are_of_one_kind(lemma: str, other: str, part_of_speech: str) -> bool:
    """Whether the usual senses of both lemmas have a near hypernym in common: years and seasons are times."""
    return bool(_kinds(lemma, part_of_speech) & _kinds(other, part_of_speech))


def is_narrower(lemma: str, other: str, part_of_speech: str) -> bool:
    """Whether the other lemma is a hypernym of this one: a documentary is a kind of film."""
    own = _usual(lemma, part_of_speech)
    return bool((_kinds(lemma, part_of_speech) - own) & _usual(other, part_of_speech)) and not own & _usual(
        other, part_of_speech
    )


@lru_cache(maxsize=16_384)
def is_mainly(lemma: str, part_of_speech: str) -> bool:
    """Whether a lemma is mostly this part of speech: "colour" is mostly a noun."""
    counts = {other: _count(lemma, other) for other in PARTS_OF_SPEECH}
    return counts[part_of_speech] > 0 and counts[part_of_speech] >= LEAST_AS_PART_OF_SPEECH * sum(
        counts.values()
    )


def _count(lemma: str, part_of_speech: str) -> float:
    """Return how often a lemma was tagged as a part of speech; senses never tagged count a little."""
    members = (synset.member(lemma) for synset in load_tables().senses_of(lemma, part_of_speech))
    return sum(member.n_tagged + 0.5 / member.sense for member in members if member is not None)


def _usual(lemma: str, part_of_speech: str) -> frozenset[int]:
    return frozenset(load_tables().senses.get((lemma, part_of_speech), ())[:N_SENSES])


@lru_cache(maxsize=16_384)
def _kinds(lemma: str, part_of_speech: str) -> frozenset[int]:
    """Return the usual senses of a lemma and their hypernyms, one or two steps up."""
    synsets = load_tables().synsets
    kinds = set(_usual(lemma, part_of_speech))
    for _ in range(N_STEPS):
        kinds |= {above for number in kinds for above in synsets[number].above}
    return frozenset(kinds)
