"""Word families: a word with all forms of the lemmas it may belong to."""

from functools import lru_cache

from builder.language.words.inflected_forms import TAGS_OF_PART_OF_SPEECH, lemmas_of, load_paradigms


@lru_cache(maxsize=65_536)
def family_of(word: str) -> frozenset[str]:
    """Return a word in small letters with all forms of every lemma that it may be a form of."""
    paradigms = load_paradigms()
    of_word = (paradigms.get((word, part_of_speech)) for part_of_speech in TAGS_OF_PART_OF_SPEECH)
    forms = {form for paradigm in of_word if paradigm for form in paradigm.forms if form}
    return frozenset(forms | {word})


@lru_cache(maxsize=65_536)
def lemmas_or_itself(word: str) -> frozenset[str]:
    """Return the lemmas of which a word in small letters may be a form, and the word."""
    return lemmas_of(word) | {word}
