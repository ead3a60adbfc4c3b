"""The process engine: workers on this machine, each with its share of the cores and its own models."""

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, NamedTuple

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
from contract.machine.code import hash_of_all_code
from contract.machine.errors import UserError

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

# Read when the libraries that obey them are loaded.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
SECONDS_TO_END = 2.0
# What most work needs: workers import it while the build still reads its tasks.
NEEDED = "builder.run.execute"


class _Message(NamedTuple):
    """What a worker is sent: a pickled piece of work, and how many threads it may use."""

    work: bytes
    threads: dict[str, int]


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
    """Processes that are started at once, and anew when there is work and one has died."""

    def __init__(self, n_workers: int) -> None:
        self._n_workers = n_workers
        self._most_threads = {name: _asked(name) for name in THREAD_VARIABLES}
        # As it is now: a worker that is started after an edit would do other work under the same name.
        self._code = hash_of_all_code()
        self._workers: dict[Connection, _Worker] = {}
        for _ in range(n_workers):
            self._start(self._threads(n_workers))

    def run(self, do: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Done[Item, Result]]:
        """Send each idle worker an item; one whose worker died goes to another, a few times.

        Where there are fewer items than workers, those at work share the cores of all.
        """
        waiting = deque((item, RETRIES) for item in items)
        busy: dict[Connection, tuple[Item, int]] = {}
        try:
            while waiting or busy:
                while waiting and len(busy) < self._n_workers:
                    threads = self._threads(min(self._n_workers, len(busy) + len(waiting)))
                    connection = self._idle(busy, threads)
                    busy[connection] = waiting.popleft()
                    message = _Message(work=pickle.dumps((do, busy[connection][0])), threads=threads)
                    # One that died while idle takes nothing; its silence is noticed below.
                    with suppress(BrokenPipeError):
                        connection.send(message)
                for ready in wait(list(busy)):
                    connection = next(each for each in busy if each is ready)
                    item, n_left = busy.pop(connection)
                    outcome = self._receive(connection, n_left)
                    if outcome is None:
                        waiting.append((item, n_left - 1))
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

    def _threads(self, n_at_work: int) -> dict[str, int]:
        """Return how many threads each may use of so many workers; who asked for fewer gets fewer."""
        share = max(1, cores() // n_at_work)
        return {name: min(share, most) for name, most in self._most_threads.items()}

    def _idle(self, busy: Iterable[Connection], threads: Mapping[str, int]) -> Connection:
        """Return a worker that waits, or a new one."""
        waiting = (connection for connection in self._workers if connection not in busy)
        return next(waiting, None) or self._start(threads)

    def _start(self, threads: Mapping[str, int]) -> Connection:
        """Start a worker."""
        with _environment({name: str(n) for name, n in threads.items()}):
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
    pool = ProcessPool(options.workers or cores())
    try:
        yield pool
    finally:
        pool.close()


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
    import_module(NEEDED)
    while True:
        try:
            message: _Message = connection.recv()
        except (EOFError, OSError):
            return
        _use_threads(message.threads)
        connection.send(attempt_with(code, _do_received, message.work))


def _use_threads(threads: Mapping[str, int]) -> None:
    """Share the cores with other workers; libraries that are not yet loaded will read the environment."""
    os.environ.update({name: str(n) for name, n in threads.items()})
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(threads["OMP_NUM_THREADS"])


def _asked(name: str) -> int:
    value = os.environ.get(name, "")
    return max(1, int(value)) if value.isdecimal() else cores()


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Give variables to the processes that are started meanwhile."""
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _do_received(work: bytes) -> Any:
    do, item = pickle.loads(work)  # noqa: S301 (the build's own bytes)
    return do(item)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        # At once: no one is left to take the result.
        os._exit(1)


PROCESS = Engine(name="process", summary="worker processes on this machine", open=open_processes)
