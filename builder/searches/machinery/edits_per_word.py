"""How many edits a word may take: up to a third of its length, then two thirds, as the budget needs."""

import math
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from builder.operations.operation import Operation, Operations
from contract.schema.edits import apply_edits

SHARE_OF_WORD = 3
SHORTEST_EDITED_FIRST = 3
MOST_SHARES = 2 * SHARE_OF_WORD + 1


def most_edits(word: str, operations: Operations, shares: int) -> int:
    """Return how many edits a word may take after so many shares; at first the shortest words take none."""
    if shares > 1:
        allowed = math.ceil(len(word) / SHARE_OF_WORD) * (shares - 1)
    else:
        # Rounded, not up: two slips in a word of four letters leave nothing to recognise.
        allowed = 0 if len(word) < SHORTEST_EDITED_FIRST else round(len(word) / SHARE_OF_WORD)
    return min(operations.capacity, allowed)


def with_operation(word: str, before: Sequence[Operation], operation: Operation) -> str:
    """Return the word after the operations that it already has, and one more."""
    return apply_edits(word, [*(edit for each in before for edit in each.edits), *operation.edits])


def adds_its_cost(word: str, changed: str, operation: Operation, used: int) -> bool:
    """Whether the word gets farther from the original by the operation's cost and is still a word."""
    is_word = operation.name != "delete" or any(character.isalnum() for character in changed)
    return is_word and Levenshtein.distance(word, changed) == used + operation.cost
