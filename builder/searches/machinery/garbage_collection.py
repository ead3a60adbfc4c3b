"""Rare garbage collections: searches make hundreds of thousands of tuples, none of which is in a cycle."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# New objects before Python looks for cycles. With its default of 700, rule searches of characters take
# between 6 % and 30 % longer.
OBJECTS_A_COLLECTION = 100_000


@contextmanager
def rare_collections() -> Iterator[None]:
    """Make Python look for cycles rarely while the context is open."""
    before = gc.get_threshold()
    gc.set_threshold(OBJECTS_A_COLLECTION, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
