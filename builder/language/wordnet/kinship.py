"""Whether two words name things of one kind: their usual senses stand close together in WordNet."""

from functools import lru_cache

from builder.language.wordnet.tables import PARTS, load_tables

# How many of a word's senses, the most usual first, are looked at, and how far up each.
N_SENSES = 2
N_STEPS = 2
# A word that is less often this part of speech is read as another one.
LEAST_AS_PART = 0.5


def are_of_one_kind(lemma: str, other: str, part: str) -> bool:
    """Whether something near stands above usual senses of both lemmas: a year and a season are times."""
    return bool(_kinds(lemma, part) & _kinds(other, part))


def is_narrower(lemma: str, other: str, part: str) -> bool:
    """Whether a lemma says more than the other, which stands above it: a documentary is a film of a kind."""
    own = _usual(lemma, part)
    return bool((_kinds(lemma, part) - own) & _usual(other, part)) and not own & _usual(other, part)


@lru_cache(maxsize=16_384)
def is_mainly(lemma: str, part: str) -> bool:
    """Whether a lemma is mostly this part of speech: "colour" is rather a noun, whatever it can be."""
    counts = {other: _count(lemma, other) for other in PARTS}
    return counts[part] > 0 and counts[part] >= LEAST_AS_PART * sum(counts.values())


def _count(lemma: str, part: str) -> float:
    """Return how often a lemma was met as a part of speech; senses never met count a little."""
    members = (synset.member(lemma) for synset in load_tables().senses_of(lemma, part))
    return sum(member.n_tagged + 0.5 / member.sense for member in members if member is not None)


def _usual(lemma: str, part: str) -> frozenset[int]:
    return frozenset(load_tables().senses.get((lemma, part), ())[:N_SENSES])


@lru_cache(maxsize=16_384)
def _kinds(lemma: str, part: str) -> frozenset[int]:
    """Return the usual senses of a lemma and what stands one or two steps above them."""
    synsets = load_tables().synsets
    found = set(_usual(lemma, part))
    for _ in range(N_STEPS):
        found |= {above for number in found for above in synsets[number].above}
    return frozenset(found)
