"""Fixed phrases: words that mean something only together, so that none of them is replaced."""

from collections.abc import Sequence
from itertools import product

from builder.language.wordnet.tables import load_tables
from builder.language.words.word_families import lemmas_or_itself

LONGEST = 4


def words_in_phrases(words: Sequence[str]) -> set[int]:
    """Return the numbers of the words in small letters that belong to a phrase, in any form."""
    phrases = load_tables().phrases
    variants = [sorted(lemmas_or_itself(word)) for word in words]
    numbers: set[int] = set()
    for start in range(len(words)):
        for end in range(start + 2, min(start + LONGEST, len(words)) + 1):
            if any(" ".join(forms) in phrases for forms in product(*variants[start:end])):
                numbers.update(range(start, end))
    return numbers
