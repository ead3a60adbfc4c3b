"""Words that can be replaced as a whole: where they stand, and how their replacement is written."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from builder.language.tagger import Token
from builder.operations.dimension import WordsOfText

# A capital after any of these begins a sentence; elsewhere it makes a name.
_BEFORE_A_SENTENCE = ".!?:;\"'“”‘’([-–—…"
_PRONOUN = re.compile(r"\bi\b")
_VOWELS = "aeiou"
# Words whose first letter does not tell the article: an hour, a union, a european, a one-off.
_ODD_STARTS = ("eu", "ewe", "heir", "hon", "hour", "one", "once", "u")


class WholeWord(NamedTuple):
    """A word that can be replaced as a whole: its number, where it stands, and its part-of-speech tag."""

    number: int
    start: int
    end: int
    text: str
    tag: str


def whole_words_of(text: WordsOfText, cores: Sequence[Token | None]) -> Iterator[WholeWord]:
    """Yield the words of a text that can be replaced whole; film's, isn't, 3D and Wasabi cannot."""
    is_shouting = text.text.isupper()
    for number, (word, core) in enumerate(zip(text.words, cores, strict=True)):
        if core is None or not core.text.isalpha():
            continue
        around = word.text[: core.start - word.start] + word.text[core.end - word.start :]
        if not any(map(str.isalnum, around)) and _is_common(text.text, core, is_shouting=is_shouting):
            yield WholeWord(number, core.start, core.end, core.text, core.tag)


def _is_common(text: str, core: Token, *, is_shouting: bool) -> bool:
    if core.text.islower():
        return True
    if core.text.isupper() and len(core.text) > 1:
        return is_shouting
    before = text[max(0, core.start - 3) : core.start].rstrip()
    begins = core.start == 0 or not text[: core.start].strip() or before.endswith(tuple(_BEFORE_A_SENTENCE))
    return begins and core.text[1:].islower()


def in_casing_of(model: str, form: str) -> str:
    """Return a form in capitals, with a capital or in small letters, as the model is."""
    if model.isupper() and len(model) > 1:
        return form.upper()
    # The pronoun is written with a capital in a text that has capitals.
    cased = f"{form[:1].upper()}{form[1:]}" if model[0].isupper() else form
    return _PRONOUN.sub("I", cased)


def fits_article(before: str, original: str, candidate: str) -> bool:
    """Whether a candidate may follow the word before it: after "a" or "an", only one that begins alike."""
    if before.lower() not in {"a", "an"}:
        return True
    if candidate.startswith(_ODD_STARTS) or original.lower().startswith(_ODD_STARTS):
        return False
    return (candidate[0] in _VOWELS) == (original[0].lower() in _VOWELS)
