"""Misreadings: a changed word that can be read as another one, which may change what the text says."""

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from builder.label_guard.figures import keeps_figures
from builder.label_guard.folded_words import FoldedWord
from builder.label_guard.kept_words import NUMBER_WORDS, VALUES
from builder.language.pronunciation.spellings import load_spellings
from builder.language.wordnet.antonyms import spelled_opposites
from builder.language.words.names import is_listed, load_names, names_in
from builder.language.words.negations import NEGATIONS, is_negation
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from builder.operations.letters import LONGEST_READ
from builder.operations.operation import Operation, Operations
from builder.values.associations import Associations, cores_of
from contract.schema.drop_reasons import (
    LOSES_NEGATION,
    READS_AS_NEGATION,
    READS_AS_OPPOSITE,
    READS_AS_OTHER_CLASS,
    READS_AS_OTHER_NAME,
    READS_AS_OTHER_NUMBER,
)
from contract.schema.edits import apply_edits


def misreading_of(original: str, changed: str, label: int | None, associations: Associations) -> str | None:
    """Return how a changed word can be misread, as the name of a reason; None if it cannot.

    As a negation or no longer as one, as its opposite, as another number or name, or as a word of another
    class.
    """
    before = set(cores_of(original))
    new = [core for core in cores_of(changed) if core not in before]
    by_negation = _misread_negation(original, changed, new)
    if by_negation is not None:
        return by_negation
    if not keeps_figures(original, changed) or _is_other_number(before, new):
        return READS_AS_OTHER_NUMBER.name
    if any(label is not None and associations.get(core, label) != label for core in new):
        return READS_AS_OTHER_CLASS.name
    if not opposites_beside(original).isdisjoint(new):
        return READS_AS_OPPOSITE.name
    if _may_be_name(original) and names_in(new):
        return READS_AS_OTHER_NAME.name
    return None


def _misread_negation(original: str, changed: str, new: Sequence[str]) -> str | None:
    if is_negation(changed) and not is_negation(original):
        return READS_AS_NEGATION.name
    if is_negation(original) and not is_negation(changed) and any(map(_is_known, new)):
        return LOSES_NEGATION.name
    return None


def _is_other_number(before: Collection[str], new: Sequence[str]) -> bool:
    """Whether a number becomes another number or word, or another word a number."""
    if [VALUES.get(core) for core in before] == new:
        return False
    was_number = not NUMBER_WORDS.isdisjoint(before)
    is_number = not NUMBER_WORDS.isdisjoint(new)
    return is_number or (was_number and any(core.isdecimal() or _is_known(core) for core in new))


def _may_be_name(word: str) -> bool:
    """Whether a word has a capital or is a name that is frequent enough to be listed."""
    first = next(filter(str.isalpha, word), "")
    return first.isupper() or any(map(is_listed, cores_of(word)))


def _is_known(core: str) -> bool:
    return load_spellings().is_word(core)


@lru_cache(maxsize=16_384)
def opposites_beside(word: str) -> frozenset[str]:
    """Return the words that misspelling a word could make and that mean its opposite."""
    return frozenset(other for core in cores_of(word) for other in spelled_opposites(core))


class Proofreader:
    """Removes the operations after which a word can be misread; remembers the words it has seen."""

    def __init__(self, associations: Associations) -> None:
        self._associations = associations
        self._watched_words: dict[int | None, frozenset[str]] = {}
        self._legible: dict[tuple[str, int | None], Operations] = {}

    def legible(self, word: str, operations: Operations, label: int | None) -> Operations:
        """Return the operations after which a word is not misread."""
        key = (word, label)
        if key not in self._legible:
            watched, opposites = self._watch(label), opposites_beside(word)
            names = load_names() if _may_be_name(word) else frozenset[str]()
            # No edit reaches the rest of a very long word.
            start = word[: 2 * LONGEST_READ]
            # Every change of a number or a negation is looked at.
            folded = None if _is_delicate(start) else FoldedWord(start)

            def reason_of(item: Operation) -> str | None:
                core = folded.core_after(item.edits) if folded is not None else None
                # Nearly all changes make letters of letters: a few look-ups decide about them.
                if core is not None and not (
                    core in watched
                    or core in opposites
                    or core.endswith("n't")
                    or core.removesuffix("'s") in names
                ):
                    return None
                return misreading_of(start, apply_edits(start, item.edits), label, self._associations)

            self._legible[key] = operations.without(reason_of)
        return self._legible[key]

    def _watch(self, label: int | None) -> frozenset[str]:
        """Return the words that must not come into a text of a label."""
        if label not in self._watched_words:
            others = [word for word, typical_of in self._associations.items() if typical_of != label]
            self._watched_words[label] = NEGATIONS.union(others, NUMBER_WORDS)
        return self._watched_words[label]


@lru_cache(maxsize=16_384)
def _is_delicate(word: str) -> bool:
    """Whether a word says a number or a negation, so that every change of it is looked at."""
    return is_negation(word) or _is_number(word)


def propose_legible(
    operations_of: Callable[[str], Operations], texts: Sequence[WordsOfText], resources: Resources
) -> list[list[Operations]]:
    """Return the operations on every word of every text, without those after which it can be misread."""
    proofreader = Proofreader(resources.associations)
    proposals = []
    for text in texts:
        of_text = [
            proofreader.legible(word.text, operations_of(word.text), text.label) for word in text.words
        ]
        is_number = [_is_number(word.text) for word in text.words]
        if any(is_number):
            of_text = [
                _without_digits(word.text, operations)
                if any(is_number[max(0, place - 1) : place + 2])
                else operations
                for place, (word, operations) in enumerate(zip(text.words, of_text, strict=True))
            ]
        proposals.append(of_text)
    return proposals


@lru_cache(maxsize=16_384)
def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word)) or not NUMBER_WORDS.isdisjoint(cores_of(word))


def _without_digits(word: str, operations: Operations) -> Operations:
    """Return the operations that do not make a digit of a word: "4 to 10" would become "4 2 10"."""
    start = word[: 2 * LONGEST_READ]
    if any(map(str.isdigit, start)):
        return operations
    return operations.without(
        lambda item: (
            READS_AS_OTHER_NUMBER.name if apply_edits(start, item.edits).strip(".,;:!?").isdecimal() else None
        )
    )
