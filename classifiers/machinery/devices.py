"""Chooses the device of torch, halves batches that do not fit, and makes training repeatable."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from contract.machine.errors import ExitCode, UserError

_OUT_OF_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


def best_device() -> str:
    """Return the fastest device there is, set to whole single precision."""
    import torch

    if torch.cuda.is_available():
        # Ten bits of mantissa would give other votes than a processor does.
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def chosen_device(name: str | None) -> str:
    """Return the device that the user names, or the fastest there is; refuse one that cannot compute."""
    fastest = best_device()
    if name is None:
        return fastest
    import torch

    try:
        torch.zeros(1, device=name).add_(1)
    except Exception as error:  # noqa: BLE001
        # Of many types: an unknown name, no driver, no such card.
        line = next(iter(str(error).splitlines()), "") or type(error).__name__
        raise UserError(
            f"--device {name}: cannot be used ({line}); the fastest one here is {fastest}",
            exit_code=ExitCode.WRONG_USE,
        ) from None
    return name


def run_in_batches(
    places: Sequence[int], size: int, run: Callable[[Sequence[int]], None], n_at_least: int = 1
) -> None:
    """Run over the places some at a time; a batch that does not fit is halved, and so are those after it."""
    start = 0
    while start < len(places):
        some = places[start : start + size]
        try:
            run(some)
        except (MemoryError, RuntimeError) as error:
            if not _is_out_of_memory(error) or len(some) <= n_at_least:
                raise
            size = max(n_at_least, len(some) // 2)
            continue
        start += len(some)


def _is_out_of_memory(error: Exception) -> bool:
    """Whether an error, of torch or of the system, says that memory is full; torch has no one type for it."""
    return isinstance(error, MemoryError) or any(words in str(error).lower() for words in _OUT_OF_MEMORY)


@contextmanager
def repeatable(seed: int) -> Iterator[Any]:
    """Make what happens inside depend on the seed alone, not on threads; yields a seeded generator."""
    import torch

    n_threads, was_strict = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    # A module whose attributes are set by its class, which no type says.
    memory: Any = torch.utils.deterministic
    was_filled = memory.fill_uninitialized_memory
    # Sums split over threads differ in their last bits, and training makes such differences grow.
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(mode=True)
    # Else torch writes every new tensor once more, to show reads of what was never written.
    memory.fill_uninitialized_memory = False
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            yield torch.Generator().manual_seed(seed)
    finally:
        memory.fill_uninitialized_memory = was_filled
        torch.use_deterministic_algorithms(mode=was_strict)
        torch.set_num_threads(n_threads)
