"""Dimensions that remember what they propose: several attacks on a text share its proposals."""

from collections.abc import Sequence
from dataclasses import replace

from builder.dimensions import DIMENSIONS
from builder.models.resources import Resources
from builder.operations.dimension import AnyDimension, Dimension, WordsOfText
from builder.operations.operation import Operations


def remembering(name: str) -> AnyDimension:
    """Return a dimension that makes its proposals for a text once; only for callers with the same resources.

    A sentence dimension has none, and is returned as it is.
    """
    dimension = DIMENSIONS[name]
    if not isinstance(dimension, Dimension):
        return dimension
    propose = dimension.propose
    known: dict[tuple[str, int | None], Sequence[Operations]] = {}

    def remember(texts: Sequence[WordsOfText], resources: Resources) -> list[Sequence[Operations]]:
        new = [text for text in texts if (text.text, text.label) not in known]
        for text, operations in zip(new, propose(new, resources) if new else (), strict=True):
            known[text.text, text.label] = operations
        return [known[text.text, text.label] for text in texts]

    return replace(dimension, propose=remember)
