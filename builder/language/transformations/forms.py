"""The forms of words, from the table that the dimension of inflection goes by.

Imported when asked for: the list of dimensions, which comes with that table, holds the one that is made here.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from builder.language.inflected_forms import Paradigm


def paradigm_of(word: str, tag: str) -> "Paradigm | None":
    """Return the paradigm in which a word in small letters has a tag; of verbs VB, VBZ, VBD, VBN, VBG."""
    from builder.language import inflected_forms

    return inflected_forms.paradigm_of(word, tag)


def is_known(word: str) -> bool:
    """Whether a word in small letters is a form of a common noun, verb, adjective or adverb."""
    from builder.language import inflected_forms

    return bool(inflected_forms.lemmas_of(word))
