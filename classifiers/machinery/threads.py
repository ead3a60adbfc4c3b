"""Runs a network on the processor so that its answers do not depend, not even in the last bit, on threads."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import TypeVar

Answer = TypeVar("Answer")

# With fewer, some processors use other routines, which sum in another order.
LEAST_TOKENS = 16


def least_rows(length: int, at_least: int = 1) -> int:
    """Return how many rows of a length a batch must have, so that its size changes no answer."""
    return max(at_least, -(-LEAST_TOKENS // max(1, length)))


@contextmanager
def one_thread() -> Iterator[int]:
    """Let torch split no sum over threads; yields how many threads it may use at other times."""
    import torch

    n_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield n_threads
    finally:
        torch.set_num_threads(n_threads)


def answer_in_parts(answer: Callable[[slice], Answer], n_rows: int, n_at_least: int) -> list[Answer]:
    """Return what is answered about parts of a batch, in order: one part a thread, none of few rows."""
    with one_thread() as n_threads:
        n_parts = max(1, min(n_threads, n_rows // n_at_least))
        ends = [n_rows * number // n_parts for number in range(n_parts + 1)]
        parts = [slice(start, end) for start, end in pairwise(ends)]
        if n_parts == 1:
            return [answer(parts[0])]
        with ThreadPoolExecutor(n_parts) as pool:
            return list(pool.map(answer, parts))
