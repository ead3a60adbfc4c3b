"""Texts with the operations on each of their words, and the budgets of the degrees that they carry."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from builder.measures import MEASURES
from builder.measures.measure import BudgetMeasure, Change
from builder.operations.dimension import Dimension, WordsOfText
from builder.operations.operation import Operation, Operations
from builder.searches.machinery.kept_batches import KeptBatches
from builder.searches.search import DegreeCounts, SearchRequest
from builder.values.samples import Sample
from contract.schema.edits import Edit, Word, apply_edits, words_of

_proposals: KeptBatches[Sequence[Sequence[Operations]]] = KeptBatches()


class Budget(NamedTuple):
    """How many units of its measure a case of a degree must change, exactly."""

    amount: int
    degree: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedOperation:
    """An operation with the word it is done to."""

    word: Word
    operation: Operation

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The operation's edits, counted from the start of the text."""
        return tuple(edit.shifted(self.word.start) for edit in self.operation.edits)


@dataclass(frozen=True, kw_only=True)
class EditableText:
    """The perturbed text of a sample, with the operations on each of its words."""

    dimension: Dimension
    sample: Sample
    original: str
    words: Sequence[Word]
    operations: Sequence[Operations]
    degrees: Sequence[float]

    @property
    def measure(self) -> BudgetMeasure:
        """The measure of the dimension."""
        return MEASURES[self.dimension.measure]

    @cached_property
    def budgets(self) -> list[Budget]:
        """The budgets of the degrees that the text carries, rising."""
        measure = self.measure
        units = measure.units(self.original, self.words)
        available = self.available_units
        return [
            Budget(amount, degree)
            for degree, next_degree in zip(self.degrees, next_degrees(self.degrees), strict=True)
            for amount in [measure.budget(degree, units)]
            if carries(units, amount, next_degree, available)
        ]

    @cached_property
    def pieces(self) -> list[str]:
        """The text cut before and after every word: words have the odd indices."""
        pieces = []
        position = 0
        for word in self.words:
            pieces += [self.original[position : word.start], word.text]
            position = word.end
        return [*pieces, self.original[position:]]

    def placed(self, operations: Iterable[tuple[int, Sequence[Operation]]]) -> list[PlacedOperation]:
        """Return operations, given by the index of their word, with their words."""
        return [
            PlacedOperation(word=self.words[index], operation=operation)
            for index, of_word in operations
            for operation in of_word
        ]

    def span(self, index: int, operation: Operation) -> str:
        """Return the words that an operation on the word with this index replaces."""
        return self.original[self.words[index].start : self.words[index + operation.n_words - 1].end]

    def change(self, placed: Iterable[PlacedOperation]) -> Change:
        """Return the text after the operations."""
        edits = edits_of(placed)
        return Change(
            original=self.original, words=self.words, text=apply_edits(self.original, edits), edits=edits
        )

    @cached_property
    def has_expressions(self) -> bool:
        """Whether an operation changes several words in a row."""
        return any(item.n_words > 1 for of_word in self.operations for item in of_word.items)

    @cached_property
    def available_units(self) -> int:
        """How many units of the measure the operations on all words can change."""
        if self.dimension.is_one_operation_a_word:
            if self.has_expressions:
                return most_words(self.operations)
            return sum(1 for of_word in self.operations if len(of_word))
        return sum(of_word.capacity for of_word in self.operations)


def editable_texts(request: SearchRequest, dimension: Dimension) -> list[EditableText]:
    """Return the perturbed text of every sample with the operations that the dimension proposes."""
    originals = [sample.field(request.perturbed) for sample in request.samples]
    texts = [
        WordsOfText(original, words_of(original), sample.label)
        for original, sample in zip(originals, request.samples, strict=True)
    ]
    proposals = _proposals.get(
        (dimension.propose, texts, request.resources), lambda: dimension.propose(texts, request.resources)
    )
    return [
        EditableText(
            dimension=dimension,
            sample=sample,
            original=text.text,
            words=text.words,
            operations=operations,
            degrees=request.degrees,
        )
        for sample, text, operations in zip(request.samples, texts, proposals, strict=True)
    ]


def most_words(operations: Sequence[Operations]) -> int:
    """Return how many words operations can change, one a word, where some change several words in a row."""
    # The most among the first words, for each number of them.
    most = [0]
    for index, of_word in enumerate(operations):
        most += [most[-1]] if len(most) <= index + 1 else []
        most[index + 1] = max(most[index + 1], most[index])
        for n_words in {item.n_words for item in of_word.items}:
            most += [0] * (index + n_words + 1 - len(most))
            most[index + n_words] = max(most[index + n_words], most[index] + n_words)
    return most[-1]


def count_proposals(texts: Iterable[EditableText], counts: Iterable[DegreeCounts]) -> None:
    """Count the operations on the words of texts, and what the dimension refused before any search."""
    n_refused: Counter[str] = Counter()
    n_kept = 0
    for text in texts:
        for operations in text.operations:
            n_kept += len(operations)
            n_refused.update(operations.refused)
    for of_degree in counts:
        of_degree.n_proposed += n_kept + n_refused.total()
        of_degree.n_refused = {
            name: of_degree.n_refused.get(name, 0) + n for name, n in sorted(n_refused.items())
        }


def edits_of(placed: Iterable[PlacedOperation]) -> list[Edit]:
    """Return the edits of all operations in the order of the text."""
    return sorted(edit for item in placed for edit in item.edits)


def carries(units: int, amount: int, next_degree: float, available: int) -> bool:
    """Whether a text can show a degree: enough to edit, and a budget that is not above the next degree."""
    return 0 < amount <= available and amount <= Fraction(repr(next_degree)) * units


def next_degrees(degrees: Sequence[float]) -> list[float]:
    """Return for each degree the next one; for the highest, its double."""
    return [*degrees[1:], 2 * degrees[-1]]
