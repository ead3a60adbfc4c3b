"""The valence of words, from -4 (bad) to 4 (good), by the lexicon of vaderSentiment."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from builder.language.words.word_families import family_of


@lru_cache(maxsize=65_536)
def valence_of(word: str) -> float | None:
    """Return the valence of a word in small letters, or that of its other forms or of what it comes from."""
    lexicon = _lexicon()
    for family in _families(word):
        valences = [lexicon[form] for form in sorted(family) if form in lexicon]
        if valences:
            return sum(valences) / len(valences)
    return None


def _families(word: str) -> Iterator[frozenset[str]]:
    """Yield the word alone, then its forms, then those of the adjective it comes from."""
    yield frozenset({word})
    yield family_of(word)
    for ending in ("ly", "ness"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2:
            yield family_of(stem)
            yield family_of(f"{stem}e" if ending == "ly" and not stem.endswith("i") else f"{stem[:-1]}y")


@lru_cache(maxsize=1)
def _lexicon() -> Mapping[str, float]:
    # The package is slow to import and reads its files at once.
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    lexicon: dict[str, float] = SentimentIntensityAnalyzer().lexicon
    return {word: valence for word, valence in lexicon.items() if word.isalpha()}
