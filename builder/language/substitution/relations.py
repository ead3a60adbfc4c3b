"""How two lemmas are related: by WordNet, by the thesaurus, by frequency and by valence."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from builder.language.substitution.thesaurus_pairs import load_pairs
from builder.language.wordnet.antonyms import are_opposed
from builder.language.wordnet.tables import PARTS_OF_SPEECH, load_tables
from builder.language.words.valence import valence_of

# How many of a lemma's senses, the most usual first, are looked at for hypernyms.
N_SENSES = 4
# The frequency of what the tables do not hold.
UNKNOWN_FREQUENCY = 2.0


class Relations(NamedTuple):
    """What lexicons say about a lemma and another that would stand for it."""

    shared_of_word: float
    shared_of_candidate: float
    is_similar: float
    is_above: float
    is_far_above: float
    is_below: float
    are_siblings: float
    are_opposed: float
    share_as_part_of_speech: float
    is_known: float
    frequency: float
    frequency_of_candidate: float
    listed: float
    listed_reversely: float
    n_common: float
    valence_apart: float
    n_senses: float


def relations_of(
    lemma: str, other: str, part_of_speech: str, probabilities: Mapping[int, float]
) -> tuple[float, ...]:
    """Return all relations, given how likely the first lemma has each of its senses in its text."""
    fixed = _fixed_relations(lemma, other, part_of_speech)
    of_other = frozenset(load_tables().senses.get((other, part_of_speech), ()))
    return (sum(share for number, share in probabilities.items() if number in of_other), *fixed[1:])


@lru_cache(maxsize=131_072)
def _fixed_relations(lemma: str, other: str, part_of_speech: str) -> Relations:
    """Return what does not depend on the text."""
    tables, pairs = load_tables(), load_pairs()
    ours, theirs = _usual(lemma, part_of_speech), _usual(other, part_of_speech)
    all_ours = frozenset(tables.senses.get((lemma, part_of_speech), ()))
    above, their_above = _above(ours), _above(theirs)
    counts = {one: _count(other, one) for one in PARTS_OF_SPEECH}
    listed = pairs.get((lemma, part_of_speech), ())
    reversely = pairs.get((other, part_of_speech), ())
    before, after = valence_of(lemma), valence_of(other)
    return Relations(
        shared_of_word=0.0,
        shared_of_candidate=_share_of(other, part_of_speech, all_ours),
        is_similar=float(any(set(tables.synsets[number].similar) & theirs for number in ours)),
        is_above=float(bool(above & theirs)),
        is_far_above=float(bool(_above(above) & theirs)),
        is_below=float(bool(their_above & ours)),
        are_siblings=float(bool(above & their_above)),
        are_opposed=float(are_opposed(lemma, other)),
        share_as_part_of_speech=counts.get(part_of_speech, 0.0) / max(sum(counts.values()), 1e-9),
        is_known=float(bool(theirs)),
        frequency=tables.frequency.get(lemma, UNKNOWN_FREQUENCY),
        frequency_of_candidate=tables.frequency.get(other, UNKNOWN_FREQUENCY),
        listed=1.0 / (1 + listed.index(other)) if other in listed else 0.0,
        listed_reversely=1.0 / (1 + reversely.index(lemma)) if lemma in reversely else 0.0,
        n_common=float(len(set(listed) & set(reversely))),
        valence_apart=abs((before or 0.0) - (after or 0.0)),
        n_senses=float(min(len(all_ours), 20)),
    )


def _usual(lemma: str, part_of_speech: str) -> frozenset[int]:
    return frozenset(load_tables().senses.get((lemma, part_of_speech), ())[:N_SENSES])


def _above(numbers: frozenset[int]) -> frozenset[int]:
    synsets = load_tables().synsets
    return frozenset(above for number in numbers for above in synsets[number].above)


@lru_cache(maxsize=65_536)
def _count(lemma: str, part_of_speech: str) -> float:
    """Return how often a lemma was tagged as a part of speech; senses never tagged count a little."""
    members = (synset.member(lemma) for synset in load_tables().senses_of(lemma, part_of_speech))
    return sum(member.n_tagged + 0.5 / member.sense for member in members if member is not None)


def _share_of(lemma: str, part_of_speech: str, numbers: frozenset[int]) -> float:
    """Return how much of a lemma's use, as one part of speech, is in some senses."""
    total = shared = 0.0
    for synset in load_tables().senses_of(lemma, part_of_speech):
        member = synset.member(lemma)
        if member is not None:
            count = member.n_tagged + 0.5 / member.sense
            total += count
            shared += count * (synset.number in numbers)
    return shared / total if total else 0.0
