"""The label guard at word level: which words may be replaced, and by which words the label stays right."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from builder.label_guard.kept_words import is_kept
from builder.language.wordnet.antonyms import are_opposed
from builder.language.words.valence import valence_of
from builder.language.words.word_families import family_of
from builder.values.associations import Associations

# The parts of speech that carry meaning; names (NNP), numbers (CD) and grammar are not among them.
CONTENT_TAGS = frozenset(
    ["NN", "NNS", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "JJ", "JJR", "JJS", "RB", "RBR", "RBS"]
)
# A word this far from neutral has a polarity; two words this far apart do not say the same.
LEAST_POLAR = 0.8
MOST_APART = 1.4
# Labels mean good and bad when the mean valences of the words typical of them are this far apart.
LEAST_TONE = 1.0


def is_replaceable(word: str, tag: str) -> bool:
    """Whether a word in small letters may be replaced: no grammar, negation, amount, number or name."""
    return tag in CONTENT_TAGS and word.isalpha() and not is_kept(word)


@dataclass(frozen=True)
class Guard:
    """Refuses single substitutions that may change the label, by the words typical of a task's classes."""

    associations: Associations

    def refusal(self, original: str, candidate: str, *, label: int | None, is_close: bool) -> str | None:
        """Return why a candidate in small letters may change the label, or nothing if it does not.

        `is_close` says that the two are known to mean the same here, not only to fit the same position.
        """
        if is_kept(candidate):
            return "grammar"
        if are_opposed(original, candidate):
            return "antonym"
        by_class = self.class_refusal(original, candidate, label=label, is_close=is_close)
        return by_class or self._polarity_refusal(original, candidate, label, is_close=is_close)

    @property
    def is_toned(self) -> bool:
        """Whether the classes mean good and bad, as in sentiment, by the words typical of them."""
        return bool(self._tones)

    def classes_of(self, word: str) -> frozenset[int]:
        """Return the labels that a word or one of its other forms is typical of."""
        labels = (self.associations.get(form) for form in family_of(word))
        return frozenset(label for label in labels if label is not None)

    def class_refusal(
        self, original: str, candidate: str, *, label: int | None, is_close: bool
    ) -> str | None:
        """Return why a candidate is typical of another class than the original, or nothing if it is not."""
        theirs = self.classes_of(candidate)
        if label is not None and theirs - {label} and candidate not in family_of(original):
            return "other-class"
        ours = self.classes_of(original)
        if ours and not ours & theirs and (theirs or not is_close):
            return "class-lost"
        return None

    def _polarity_refusal(
        self, original: str, candidate: str, label: int | None, *, is_close: bool
    ) -> str | None:
        before, after = valence_of(original), valence_of(candidate)
        if before is not None and after is not None:
            if before * after < 0 or abs(before - after) > MOST_APART:
                return "polarity"
        elif abs(before or after or 0.0) >= LEAST_POLAR and not is_close:
            return "polarity"
        if (
            after is not None
            and abs(after) >= LEAST_POLAR
            and before is None
            and self._contradicts(after, label)
        ):
            return "polarity"
        return None

    def _contradicts(self, valence: float, label: int | None) -> bool:
        """Whether a word of this valence contradicts a label whose typical words have the opposite one."""
        return label is not None and valence * self._tones.get(label, 0.0) < 0

    @cached_property
    def _tones(self) -> dict[int, float]:
        """The mean valence of each class's typical words; empty unless the classes mean good and bad."""
        valences_of: dict[int, list[float]] = {}
        for word, label in sorted(self.associations.items()):
            valence = valence_of(word)
            if valence is not None:
                valences_of.setdefault(label, []).append(valence)
        means = {label: _mean(valences) for label, valences in valences_of.items()}
        is_toned = len(means) > 1 and max(means.values()) - min(means.values()) >= LEAST_TONE
        return means if is_toned else {}


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)
