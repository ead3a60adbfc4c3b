"""Results of the last batches: attacks on several sources begin from the same proposals and rewrites."""

from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")
# Units of a batch follow each other; with several workers a worker meets a few batches in turn.
MOST_KEPT = 2


class KeptBatches(Generic[Value]):
    """What was made of the last few batches, by everything that it was made of."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._kept: deque[tuple[tuple[object, ...], Value]] = deque(maxlen=most)

    def get(self, made_of: tuple[object, ...], make: Callable[[], Value]) -> Value:
        """Return what was made of the same before, or make it; it is shared, so nobody may change it."""
        for kept, value in self._kept:
            if kept == made_of:
                return value
        value = make()
        self._kept.append((made_of, value))
        return value
