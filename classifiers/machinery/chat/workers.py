"""Threads that work on many items at once and lose nothing that is done when they are stopped."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Generic, TypeVar

Item = TypeVar("Item")
Tool = TypeVar("Tool")
Result = TypeVar("Result")


# How soon a thread that waits for its result to be handled sees that everything stops.
SECONDS_BETWEEN_LOOKS = 0.2


class StoppedError(Exception):
    """Work was given up because everything stops."""


class Workers(Generic[Tool, Item, Result]):
    """Do `work` on items, at most as many at a time as there are threads, each thread with its own tool."""

    def __init__(
        self,
        tool: Callable[[], AbstractContextManager[Tool]],
        work: Callable[[Tool, Item], Result],
        stop: threading.Event,
    ) -> None:
        self._tool = tool
        self._work = work
        self._stop = stop
        self._lock = threading.Lock()
        # Results stay here, so that an interruption of the main thread loses none at whatever point it comes.
        self._results: list[tuple[Result, threading.Event]] = []
        self._n_handled = 0
        self._errors: list[BaseException] = []
        self._n_running = 0
        self._news: queue.SimpleQueue[None] = queue.SimpleQueue()

    def run(self, items: Sequence[Item], handle: Callable[[Result], None], *, n_threads: int) -> None:
        """Call `handle` here with each result as it comes; when interrupted, first finish what was begun."""
        remaining = iter(items)
        self._n_running = min(n_threads, len(items))
        for _ in range(self._n_running):
            # Daemons: whoever interrupts a second time leaves at once.
            threading.Thread(target=self._loop, args=(remaining,), daemon=True).start()
        try:
            self._collect(handle)
        except BaseException:
            self._stop.set()
            self._collect(handle)
            raise
        if self._errors:
            raise self._errors[0]

    def _collect(self, handle: Callable[[Result], None]) -> None:
        """Handle results until all threads have ended; a result may be handled twice, never left out."""
        is_over = False
        while not is_over:
            is_over = self._n_running == 0
            while self._n_handled < len(self._results):
                result, is_handled = self._results[self._n_handled]
                handle(result)
                self._n_handled += 1
                is_handled.set()
            if not is_over:
                self._news.get()

    def _loop(self, remaining: Iterator[Item]) -> None:
        """Work on the next item until there is none, something fails or everything stops."""
        try:
            with self._tool() as tool:
                while not self._stop.is_set():
                    with self._lock:
                        item = next(remaining)
                    is_handled = threading.Event()
                    self._results.append((self._work(tool, item), is_handled))
                    self._news.put(None)
                    # Nothing new is begun before this is handled: a kill loses only what is under way.
                    while not is_handled.wait(SECONDS_BETWEEN_LOOKS) and not self._stop.is_set():
                        pass
        except (StopIteration, StoppedError):
            pass
        except BaseException as error:  # noqa: BLE001  raised again where somebody can see it
            self._errors.append(error)
            self._stop.set()
        finally:
            with self._lock:
                self._n_running -= 1
            self._news.put(None)
