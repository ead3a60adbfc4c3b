"""Texts in which one word is replaced: where its words stand, and the text with another word there."""

from collections.abc import Sequence
from dataclasses import dataclass

from builder.singleword.vocabulary import core_span
from builder.values.samples import Sample
from classifiers.machinery.classifier import Span, TextPair
from contract.schema.edits import words_of
from contract.schema.manifest import TextField


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sample and the positions at which a word can be put: its words, without the marks around them."""

    sample: Sample
    field: TextField
    positions: tuple[Span, ...]

    @property
    def pair(self) -> TextPair:
        """The text as classifiers take it."""
        return (self.sample.text, self.sample.text_pair)

    @property
    def label(self) -> int:
        """The true label."""
        return self.sample.label

    def with_word(self, position: int, word: str) -> TextPair:
        """Return the text with a word in the place of another."""
        start, end = self.positions[position]
        own = self.sample.field(self.field)
        changed = own[:start] + word + own[end:]
        return (changed, self.sample.text_pair) if self.field == "text" else (self.sample.text, changed)


def sentences_of(samples: Sequence[Sample], field: TextField) -> list[Sentence]:
    """Return the samples with their positions; a text without words has none and is left out."""
    found = [
        Sentence(sample=sample, field=field, positions=positions_of(sample.field(field)))
        for sample in samples
    ]
    return [sentence for sentence in found if sentence.positions]


def positions_of(text: str) -> tuple[Span, ...]:
    """Return where the words of a text stand."""
    spans = []
    for word in words_of(text):
        start, end = core_span(word.text)
        spans.append((word.start + start, word.start + end))
    return tuple(spans)
