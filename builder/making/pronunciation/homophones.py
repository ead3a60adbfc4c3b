"""Other words that sound the same, without those that would change what the text says."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import Levenshtein

from builder.language.pronunciation.graphemes import DATA_PATH, Unit, phonemes_of
from builder.language.words.negations import is_negation
from builder.making.pronunciation.lexicon import Lexicon

# How frequent a homophone has to be (its rank), so that people really confuse the two.
COMMON_HOMOPHONE = 15_000
# Words of this rank are never what another word is respelled to, even if they are names.
COMMON_WORD = 8_000
# A homophone still has to look like the word: "ewe" does not look like "you".
MOST_CHANGED = 0.67
_NUMBERS = frozenset({"one", "two", "three", "four", "six", "eight", "ten", "won", "ate"})


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """The words one may write by mistake, and those that one may not."""

    lexicon: Lexicon
    aligned: Mapping[str, tuple[Unit, ...]]
    # Words of opinion and their valence; positive ones above 0.
    valence: Mapping[str, float]
    # Respellings that people use, and the word that each is known for.
    listed: Mapping[str, str]

    @cached_property
    def words(self) -> frozenset[str]:
        """Dictionary words, and names that are as common."""
        return self.lexicon.plain | frozenset(self.lexicon.by_frequency[:COMMON_WORD])

    @cached_property
    def _unwanted(self) -> tuple[frozenset[str], tuple[str, ...]]:
        lines = (DATA_PATH / "unwanted.txt").read_text(encoding="utf-8").split("\n")
        marks = [line for line in lines if line and not line.startswith("#")]
        parts = tuple(mark.strip("*") for mark in marks if mark.startswith("*"))
        return frozenset(mark for mark in marks if not mark.startswith("*")), parts

    @cached_property
    def _by_sound(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for word in self.lexicon.by_frequency[:COMMON_HOMOPHONE]:
            if word in self.lexicon.plain and "'" not in word:
                found[self.sound(word)].append(word)
        return found

    def sound(self, word: str) -> str:
        """Return how a word sounds, with its taps told apart where it could be aligned."""
        units = self.aligned.get(word)
        return phonemes_of(units) if units else self.lexicon.phonemes[word]

    def homophones(self, word: str) -> list[str]:
        """Return common words that sound like a word and may stand for it, most frequent first."""
        if "'" in word or word not in self.lexicon.phonemes:
            return []
        return [
            other
            for other in self._by_sound.get(self.sound(word), ())
            if other != word
            and Levenshtein.normalized_distance(word, other) <= MOST_CHANGED
            and not self.misleads(word, other)
        ]

    def is_other_word(self, word: str, spelling: str) -> bool:
        """Whether a spelling is another word than the original, or must not be written."""
        if self.misleads(word, spelling) or self.listed.get(spelling, word) != word:
            return True
        if spelling not in self.words:
            return False
        return is_negation(word) or self.sound(spelling) != self.sound(word)

    def misleads(self, word: str, spelling: str) -> bool:
        """Whether a spelling insults, negates, counts or has an opinion where the word does not."""
        unwanted, parts = self._unwanted
        if spelling in unwanted or any(part in spelling and part not in word for part in parts):
            return True
        if is_negation(spelling) and not is_negation(word):
            return True
        if spelling in self.words and is_negation(word):
            return True
        return spelling in _NUMBERS or self._has_other_opinion(word, spelling)

    def _has_other_opinion(self, word: str, spelling: str) -> bool:
        if spelling not in self.words:
            return False
        return bool(self.valence.get(spelling) or self.valence.get(word))
