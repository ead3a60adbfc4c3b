"""Misreadings: a changed word that a reader takes for another one, which speaks against the label."""

from collections.abc import Callable, Sequence

from builder.language.words.negations import NEGATIONS, is_negation
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from builder.operations.letters import LONGEST_READ
from builder.operations.operation import Operation, Operations
from builder.values.associations import Associations, cores_of
from contract.schema.edits import Edit, apply_edits


def misreading_of(original: str, changed: str, label: int | None, associations: Associations) -> str | None:
    """Return as what a changed word is read that it was not: a negation, a word of another class, nothing."""
    if is_negation(changed) and not is_negation(original):
        return "reads-as-negation"
    before = set(cores_of(original))
    for core in cores_of(changed):
        if label is not None and associations.get(core, label) != label and core not in before:
            return "reads-as-other-class"
    return None


class Proofreader:
    """Takes from words the operations that would make a reader take them for others; remembers words."""

    def __init__(self, associations: Associations) -> None:
        self._associations = associations
        self._watched: dict[int | None, frozenset[str]] = {}
        self._known: dict[tuple[str, int | None], Operations] = {}

    def legible(self, word: str, operations: Operations, label: int | None) -> Operations:
        """Return the operations after each of which a word is still not misread."""
        key = (word, label)
        if key not in self._known:
            watched = self._watch(label)
            # No edit reaches the rest of an endless word, so it reads as before.
            start = word[: 2 * LONGEST_READ]
            self._known[key] = operations.only(lambda item: self._is_legible(start, item, label, watched))
        return self._known[key]

    def _watch(self, label: int | None) -> frozenset[str]:
        """Return the words that a text of a label must not get."""
        if label not in self._watched:
            others = [word for word, speaks_for in self._associations.items() if speaks_for != label]
            self._watched[label] = NEGATIONS.union(others)
        return self._watched[label]

    def _is_legible(self, word: str, item: Operation, label: int | None, watched: frozenset[str]) -> bool:
        changed = apply_edits(word, item.edits) if len(item.edits) > 1 else _apply_one(word, item.edits[0])
        core = changed.casefold()
        # Nearly all words are letters alone: for them, one look decides.
        if core.isalnum() and core not in watched:
            return True
        return misreading_of(word, changed, label, self._associations) is None


def _apply_one(word: str, edit: Edit) -> str:
    """Return a word after one edit; a word has a hundred of them to look at."""
    return word[: edit.start] + edit.replacement + word[edit.end :]


def propose_legible(
    operations_of: Callable[[str], Operations], texts: Sequence[WordsOfText], resources: Resources
) -> list[list[Operations]]:
    """Return the operations on every word of every text, without those that would be misread."""
    proofreader = Proofreader(resources.associations)
    return [
        [proofreader.legible(word.text, operations_of(word.text), text.label) for word in text.words]
        for text in texts
    ]
