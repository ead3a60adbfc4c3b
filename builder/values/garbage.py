"""Rare garbage collections: searches make hundreds of thousands of tuples, none of them in a cycle."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# New objects before Python looks for cycles; its own 700 takes half of a search's time.
OBJECTS_A_COLLECTION = 100_000


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let Python look for cycles only now and then inside."""
    before = gc.get_threshold()
    gc.set_threshold(OBJECTS_A_COLLECTION, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
