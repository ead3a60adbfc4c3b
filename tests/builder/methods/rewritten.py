"""What the tests of sentence methods share: a text to rewrite, and what a method makes of it."""

from builder.models.resources import Resources
from builder.operations.dimension import Pieces, Rewrite, TextToRewrite, WriteSeries
from builder.values.associations import Associations
from builder.values.randomness import Draw
from contract.schema.edits import apply_edits


def to_rewrite(
    text: str, *, avoid: frozenset[str] = frozenset(), is_of_pair: bool = True, seed: int = 0
) -> TextToRewrite:
    """Return a text with the randomness of a seed."""
    return TextToRewrite(text=text, draw=Draw("test", seed), avoid=avoid, label=0, is_of_pair=is_of_pair)


def series(write: WriteSeries, text: TextToRewrite, associations: Associations | None = None) -> list[str]:
    """Return the texts of a method's series."""
    (rewrites,) = write([text], Resources(associations=associations or {}))
    return [apply_edits(text.text, rewrite.edits) for rewrite in rewrites]


def extended(text: str, pieces: Pieces, *steps: list[int]) -> str:
    """Return a text after pieces were added to it, step by step."""
    rewrite: Rewrite | None = None
    for numbers in steps:
        rewrite = pieces.extend(rewrite, numbers)
    assert rewrite is not None
    return apply_edits(text, rewrite.edits)
