"""Cores: what of a word the attacks may change, between the punctuation on both sides."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

# Letters, in which apostrophes and hyphens may stand. Words with digits are left alone, where the paper
# attacks them: another number is another fact. So are addresses, and letters with marks of their own.
_CORE = re.compile(r"([^\w]*)([^\W\d_]+(?:['’-][^\W\d_]+)*)([^\w]*)")
_RUN = re.compile(r"[^\W\d_]+")
# What a page's code leaves of quotation marks and the like.
_ENTITY = re.compile(r"(amp|apos|gt|lt|nbsp|quot);", re.IGNORECASE)
VOWELS = "aeiouAEIOU"


class Core(NamedTuple):
    """A word cut into the punctuation before, the letters, and the punctuation after."""

    before: str
    letters: str
    after: str

    def with_letters(self, letters: str) -> str:
        """Return the word with other letters."""
        return self.before + letters + self.after


@lru_cache(maxsize=65_536)
def core_of(word: str) -> Core | None:
    """Return the parts of a word; None for what is more than letters with punctuation around them."""
    found = _CORE.fullmatch(word)
    if found is None or _ENTITY.search(word):
        return None
    core = Core(*found.groups())
    return None if any(map(_belongs_to_a_letter, core.before + core.after)) else core


def _belongs_to_a_letter(character: str) -> bool:
    """Whether a character beside letters changes how they are drawn: a mark, a joiner."""
    category = unicodedata.category(character)
    return category.startswith("M") or category == "Cf"


def in_each_run(letters: str, change: Callable[[str], str]) -> str:
    """Return letters with every run between apostrophes and hyphens changed."""
    return _RUN.sub(lambda found: change(found.group()), letters)


def in_case_of(original: str, written: str) -> str:
    """Return a spelling in capitals, or with a capital, where the original has them."""
    if original.isupper() and len(original) > 1:
        return written.upper()
    return written[:1].upper() + written[1:] if original[:1].isupper() else written
