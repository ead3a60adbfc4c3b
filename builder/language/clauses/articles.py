"""Which article a word wants: "a" or "an"."""

import re

# Written with a vowel that is spoken as a consonant, and the other way round.
_SPOKEN_CONSONANT = re.compile(
    r"(?:uni(?!n|m)|us[aeiu]|ut[ei]|eu|ewe|one\b|once|ubi|ura|u-|u\.)", re.IGNORECASE
)
_SILENT = re.compile(r"(?:hour|honest|honou?r|heir)", re.IGNORECASE)
# Read letter by letter.
_LETTERS = re.compile(r"[A-Z]{2,}(?![a-z])")


def article_before(word: str) -> str:
    """Return "a" or "an"."""
    if _LETTERS.match(word) and word[0] in "AEFHILMNORSX":
        return "an"
    if re.match(r"(?:8|11\b|18\b)", word):
        return "an"
    begins_with_vowel = word[:1].lower() in "aeiou" and not _SPOKEN_CONSONANT.match(word)
    return "an" if begins_with_vowel or _SILENT.match(word) else "a"
