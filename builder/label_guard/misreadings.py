"""Misreadings: a changed word that can be read as a negation or as a word typical of another class."""

from collections.abc import Callable, Sequence

from builder.language.words.negations import NEGATIONS, is_negation
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from builder.operations.letters import LONGEST_READ
from builder.operations.operation import Operation, Operations
from builder.values.associations import Associations, cores_of
from contract.schema.edits import Edit, apply_edits


def misreading_of(original: str, changed: str, label: int | None, associations: Associations) -> str | None:
    """Return how a changed word can be misread: as a negation, or as a word of another class; None if not."""
    if is_negation(changed) and not is_negation(original):
        return "reads-as-negation"
    before = set(cores_of(original))
    for core in cores_of(changed):
        if label is not None and associations.get(core, label) != label and core not in before:
            return "reads-as-other-class"
    return None


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
            watched_words = self._watch(label)
            # No edit reaches the rest of a very long word.
            start = word[: 2 * LONGEST_READ]
            self._legible[key] = operations.only(
                lambda item: self._is_legible(start, item, label, watched_words)
            )
        return self._legible[key]

    def _watch(self, label: int | None) -> frozenset[str]:
        """Return the words that must not come into a text of a label."""
        if label not in self._watched_words:
            others = [word for word, typical_of in self._associations.items() if typical_of != label]
            self._watched_words[label] = NEGATIONS.union(others)
        return self._watched_words[label]

    def _is_legible(
        self, word: str, item: Operation, label: int | None, watched_words: frozenset[str]
    ) -> bool:
        changed = apply_edits(word, item.edits) if len(item.edits) > 1 else _apply_one(word, item.edits[0])
        core = changed.casefold()
        # Nearly all words are letters alone: one look-up decides about them.
        if core.isalnum() and core not in watched_words:
            return True
        return misreading_of(word, changed, label, self._associations) is None


def _apply_one(word: str, edit: Edit) -> str:
    """Return a word after one edit; faster than the general function, and there are a hundred a word."""
    return word[: edit.start] + edit.replacement + word[edit.end :]


def propose_legible(
    operations_of: Callable[[str], Operations], texts: Sequence[WordsOfText], resources: Resources
) -> list[list[Operations]]:
    """Return the operations on every word of every text, without those after which it can be misread."""
    proofreader = Proofreader(resources.associations)
    return [
        [proofreader.legible(word.text, operations_of(word.text), text.label) for word in text.words]
        for text in texts
    ]
