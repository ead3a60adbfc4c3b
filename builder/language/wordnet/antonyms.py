"""Opposites: words that WordNet lists as antonyms, and words that a prefix or an ending negates."""

from functools import lru_cache

from builder.language.wordnet.tables import PARTS_OF_SPEECH, load_tables
from builder.language.words.word_families import family_of, lemmas_or_itself

# What negates a word when it is put before it, or replaces its ending.
_PREFIXES = ("anti", "counter", "de", "dis", "il", "im", "in", "ir", "mis", "non", "over", "un", "under")
_ENDINGS = (("less", "ful"), ("less", ""), ("fewer", "more"), ("lessly", "fully"), ("lessness", "fulness"))
# In front of a shorter word, a prefix proves nothing: "on" is no opposite of "iron".
_SHORTEST = 3


def are_opposed(word: str, other: str) -> bool:
    """Whether two words in small letters, in any of their forms and senses, can mean opposites."""
    ours, theirs = lemmas_or_itself(word), lemmas_or_itself(other)
    if any(theirs & opposites_of(lemma) for lemma in sorted(ours)):
        return True
    return any(_is_negated(one, two) for one in ours for two in theirs)


@lru_cache(maxsize=16_384)
def spelled_opposites(word: str) -> frozenset[str]:
    """Return the forms of a word's opposites, and what negating prefixes and endings make of the word.

    Not all of these are words; whoever looks for a word among them finds only words.
    """
    opposites = {other for lemma in lemmas_or_itself(word) for other in opposites_of(lemma)}
    found = {form for other in opposites for form in family_of(other)}
    for prefix in (*_PREFIXES, "a"):
        found |= {prefix + word} if len(word) >= _SHORTEST else set()
        rest = word.removeprefix(prefix)
        if rest != word and len(rest) >= _SHORTEST:
            found.add(rest)
    for ending, instead in _ENDINGS:
        for this, that in ((ending, instead), (instead, ending)):
            if this and word.endswith(this):
                found.add(word.removesuffix(this) + that)
    return frozenset(found - {word})


@lru_cache(maxsize=65_536)
def opposites_of(lemma: str) -> frozenset[str]:
    """Return the lemmas opposed to a lemma in any sense, directly or through those that are like them."""
    synsets = load_tables().synsets
    opposites: set[str] = set()
    for part_of_speech in PARTS_OF_SPEECH:
        for synset in load_tables().senses_of(lemma, part_of_speech):
            heads = [synset, *(synsets[number] for number in synset.similar)]
            opposed = {number for head in heads for number in head.opposed}
            around = {near for number in opposed for near in synsets[number].similar}
            opposites.update(
                member.lemma for number in opposed | around for member in synsets[number].members
            )
    return frozenset(opposites - {lemma})


def _is_negated(one: str, two: str) -> bool:
    """Whether one word is the other with a prefix or an ending that negates it."""
    short, long = sorted((one, two), key=len)
    if len(short) >= _SHORTEST and any(long == prefix + short for prefix in _PREFIXES):
        return True
    return any(
        one.endswith(this) and two.endswith(that) and one.removesuffix(this) == two.removesuffix(that)
        for ending, instead in _ENDINGS
        for this, that in ((ending, instead), (instead, ending))
    )
