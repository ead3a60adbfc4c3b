"""Counts the seconds that this process spends inside models that are no surrogates."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

ENCODER = "encoder"
MASKED_LM = "masked LM"
_seconds: dict[str, float] = {}


@contextmanager
def inside(model: str) -> Iterator[None]:
    """Count the time that the context is open as spent inside a model."""
    start = time.perf_counter()
    try:
        yield
    finally:
        _seconds[model] = _seconds.get(model, 0.0) + time.perf_counter() - start


def seconds_so_far() -> dict[str, float]:
    """Return the seconds inside each model since this process began."""
    return dict(_seconds)
