"""Runs many requests at once; when it is stopped, everything under way is finished and kept."""

from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import wait
from typing import TYPE_CHECKING, TypeVar

from classifiers.machinery.needs import needs

if TYPE_CHECKING:
    import anyio

Item = TypeVar("Item")
Result = TypeVar("Result")


class StoppedError(Exception):
    """The run was stopped during a wait."""


def run_interruptibly(work: "Callable[[anyio.Event], Awaitable[Result]]") -> Result:
    """Run `work` with an event that asks it to stop, and return its result.

    The first interruption sets the event and waits for the end of `work`; the second cancels it.
    """
    with needs("anyio", "api"):
        from anyio import Event
        from anyio.from_thread import start_blocking_portal

    # A thread of its own: notebooks already run a loop in the main one, where interruptions arrive.
    with start_blocking_portal() as portal:
        stop = portal.call(Event)
        future = portal.start_task_soon(work, stop)
        try:
            return future.result()
        except KeyboardInterrupt:
            portal.call(stop.set)
            wait([future])
            raise


async def work_through(
    items: Sequence[Item],
    work: Callable[[Item], Awaitable[Result]],
    handle: Callable[[Result], None],
    *,
    n_at_once: int,
    stop: "anyio.Event",
) -> None:
    """Do `work` on items, some at a time, and call `handle` with each result as it comes.

    After an error or a stop no item is begun; those under way are finished and handled first. A kill loses
    only those under way, since a result is handled before the next item is begun.
    """
    import anyio

    remaining = iter(items)
    errors: list[Exception] = []

    async def work_until_stopped() -> None:
        try:
            for item in remaining:
                if stop.is_set():
                    return
                handle(await work(item))
        except StoppedError:
            return
        except Exception as error:  # noqa: BLE001  raised below, when the others have finished
            errors.append(error)
            stop.set()

    async with anyio.create_task_group() as group:
        for _ in range(min(n_at_once, len(items))):
            group.start_soon(work_until_stopped)
    if errors:
        raise errors[0]
