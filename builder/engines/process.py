"""The process engine: workers on this machine, each with its share of the cores and its own models."""

import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any

from builder.engines.engine import (
    RETRIES,
    Done,
    Engine,
    EngineOptions,
    Item,
    Outcome,
    Pool,
    Result,
    attempt_with,
    cores,
)
from contract.code import hash_of_all_code
from contract.errors import UserError

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

# Read once, before the libraries that obey them start their threads.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
SECONDS_TO_END = 2.0


class _Worker:
    """A process that does what it is sent; spawned, so that it inherits neither locks nor threads."""

    def __init__(self, code: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_work, args=(theirs, code), daemon=True)
        with _keys_ignored():
            self.process.start()
        # Theirs alone from now on: when they die, we read the end of the pipe.
        theirs.close()

    def end(self) -> None:
        """End the process, whatever it is doing: what is not finished has not been written."""
        self.connection.close()
        self.process.terminate()
        self.process.join(SECONDS_TO_END)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class ProcessPool:
    """Processes that are started when there is work for them."""

    def __init__(self, n_workers: int) -> None:
        self._n_workers = n_workers
        # As it is now: a worker that is started after an edit would do other work under the same name.
        self._code = hash_of_all_code()
        self._workers: dict[Connection, _Worker] = {}

    def run(self, do: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Done[Item, Result]]:
        """Send each idle worker an item; one whose worker died goes to another, a few times.

        Items are taken as workers are free for them: what makes them goes on meanwhile.
        """
        coming = ((item, RETRIES) for item in items)
        again: deque[tuple[Item, int]] = deque()
        busy: dict[Connection, tuple[Item, int]] = {}
        try:
            while True:
                while len(busy) < self._n_workers:
                    work = again.popleft() if again else next(coming, None)
                    if work is None:
                        break
                    connection = self._idle(busy)
                    busy[connection] = work
                    # One that died while idle takes nothing; its silence is noticed below.
                    with suppress(BrokenPipeError):
                        connection.send_bytes(pickle.dumps((do, busy[connection][0])))
                if not busy:
                    return
                for ready in wait(list(busy)):
                    connection = next(each for each in busy if each is ready)
                    item, n_left = busy.pop(connection)
                    outcome = self._receive(connection, n_left)
                    if outcome is None:
                        again.append((item, n_left - 1))
                    else:
                        yield Done(item, outcome.get())
        finally:
            # Whoever stops listening leaves no one at work.
            for connection in busy:
                self._workers.pop(connection).end()

    def close(self) -> None:
        """End all workers."""
        while self._workers:
            self._workers.popitem()[1].end()

    def _idle(self, busy: Iterable[Connection]) -> Connection:
        """Return a worker that waits, or a new one."""
        for connection in self._workers:
            if connection not in busy:
                return connection
        worker = _Worker(self._code)
        self._workers[worker.connection] = worker
        return worker.connection

    def _receive(self, connection: Connection, n_left: int) -> Outcome | None:
        """Return what a worker sends, or nothing if it died and its work should be tried again."""
        try:
            outcome: Outcome = connection.recv()
        except (EOFError, OSError):
            worker = self._workers.pop(connection)
            worker.end()
            if n_left:
                return None
            raise UserError(
                f"workers died {RETRIES + 1} times at the same piece of work (exit code"
                f" {worker.process.exitcode}; -9 is what a system short of memory does);"
                " what is finished is kept: run the same command with fewer --workers"
            ) from None
        return outcome


@contextmanager
def open_processes(options: EngineOptions) -> Iterator[Pool]:
    """Yield workers; the cores are divided among them, so that they do not stand in each other's way."""
    n_workers = options.workers or cores()
    threads = max(1, cores() // n_workers)
    before = dict(os.environ)
    for name in THREAD_VARIABLES:
        # Who asked for fewer gets fewer.
        asked = os.environ.get(name, "")
        os.environ[name] = str(min(threads, int(asked)) if asked.isdecimal() else threads)
    pool = ProcessPool(n_workers)
    try:
        yield pool
    finally:
        pool.close()
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _keys_ignored() -> Iterator[None]:
    """Let a new process ignore keys from its birth: they reach everybody, and the build ends its workers."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(connection: Connection, code: str) -> None:
    """Do what is sent until the pipe ends, and end with the build even if nobody can say so."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            received = connection.recv_bytes()
        except (EOFError, OSError):
            return
        connection.send(attempt_with(code, _do_received, received))


def _do_received(received: bytes) -> Any:
    do, item = pickle.loads(received)  # noqa: S301 (the build's own bytes)
    return do(item)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        # At once: no one is left to take the result.
        os._exit(1)


PROCESS = Engine(name="process", summary="worker processes on this machine", open=open_processes)
