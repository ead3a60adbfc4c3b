"""The process engine: worker processes on this machine, each with its share of the cores."""

import multiprocessing
import os
import pickle
import signal
import sys
import threading
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
    GroupOf,
    Item,
    Outcome,
    Pool,
    Result,
    Waiting,
    attempt_with,
    cores,
)
from contract.machine.code import hash_of_all_code
from contract.machine.errors import UserError

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

# Libraries read these when they are loaded.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
SECONDS_TO_END = 2.0
# The module that most work needs: workers import it while the build still reads its tasks.
NEEDED = "builder.run.execute_unit"


class _Message(NamedTuple):
    """What a worker is sent: a pickled piece of work, and how many threads it may use."""

    work: bytes
    threads: dict[str, int]


class _Worker:
    """A process that does the work it is sent; spawned, so that it inherits neither locks nor threads."""

    def __init__(self, code: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_work, args=(theirs, code), daemon=True)
        with _keys_ignored():
            self.process.start()
        # Only the worker holds its end now: when it dies, this end of the pipe closes.
        theirs.close()

    def end(self) -> None:
        """Stop the process at once; unfinished work leaves no files."""
        self.connection.close()
        self.process.terminate()
        self.process.join(SECONDS_TO_END)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class ProcessPool:
    """Worker processes; all start at once, and one that died is replaced when there is work."""

    def __init__(self, n_workers: int) -> None:
        self.n_workers = n_workers
        self._most_threads = {name: _asked(name) for name in THREAD_VARIABLES}
        # Hashed now: a worker that starts after an edit of the code would do other work under the same name.
        self._code = hash_of_all_code()
        self._workers: dict[Connection, _Worker] = {}
        for _ in range(n_workers):
            self._start(self._threads(n_workers))

    def run(
        self,
        do: Callable[[Item], Result],
        items: Iterable[Item],
        group_of: GroupOf[Item] | None = None,
    ) -> Iterator[Done[Item, Result]]:
        """Send each idle worker an item; one whose worker died goes to another, a few times.

        Where there are fewer items than workers, those at work share the cores of all.
        """
        waiting = Waiting(
            [(item, RETRIES) for item in items],
            None if group_of is None else lambda tried: group_of(tried[0]),
        )
        busy: dict[Connection, tuple[Item, int]] = {}
        try:
            while waiting or busy:
                while waiting and len(busy) < self.n_workers:
                    threads = self._threads(min(self.n_workers, len(busy) + len(waiting)))
                    connection = self._idle(busy, threads)
                    busy[connection] = waiting.take(connection)
                    message = _Message(work=pickle.dumps((do, busy[connection][0])), threads=threads)
                    # A worker that died while idle takes nothing; this is noticed below.
                    with suppress(BrokenPipeError):
                        connection.send(message)
                for ready in wait(list(busy)):
                    connection = next(candidate for candidate in busy if candidate is ready)
                    item, n_left = busy.pop(connection)
                    outcome = self._receive(connection, n_left)
                    if outcome is None:
                        waiting.put_back((item, n_left - 1))
                    else:
                        yield Done(item, outcome.get())
        finally:
            # When the caller stops early, no worker may go on.
            for connection in busy:
                self._workers.pop(connection).end()

    def close(self) -> None:
        """Stop all workers."""
        while self._workers:
            self._workers.popitem()[1].end()

    def _threads(self, n_at_work: int) -> dict[str, int]:
        """Return how many threads each of so many workers may use: no more than the environment allows."""
        share = max(1, cores() // n_at_work)
        return {name: min(share, most) for name, most in self._most_threads.items()}

    def _idle(self, busy: Iterable[Connection], threads: Mapping[str, int]) -> Connection:
        """Return the connection of an idle worker, or of a new one."""
        waiting = (connection for connection in self._workers if connection not in busy)
        return next(waiting, None) or self._start(threads)

    def _start(self, threads: Mapping[str, int]) -> Connection:
        """Start a worker."""
        with _environment({name: str(n) for name, n in threads.items()}):
            worker = _Worker(self._code)
        self._workers[worker.connection] = worker
        return worker.connection

    def _receive(self, connection: Connection, n_left: int) -> Outcome | None:
        """Return what a worker sends, or None if it died and its work should be tried again."""
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
    """Yield a pool of worker processes; the cores are divided among them."""
    pool = ProcessPool(options.workers or cores())
    try:
        yield pool
    finally:
        pool.close()


@contextmanager
def _keys_ignored() -> Iterator[None]:
    """Let processes that start inside ignore Ctrl-C, since the build stops its workers itself."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(connection: Connection, code: str) -> None:
    """Do the work that is sent until the pipe closes; end with the build even if it was killed."""
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
    """Use so many threads from now on; libraries that are not yet loaded will read the environment."""
    os.environ.update({name: str(n) for name, n in threads.items()})
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(threads["OMP_NUM_THREADS"])


def _asked(name: str) -> int:
    value = os.environ.get(name, "")
    return max(1, int(value)) if value.isdecimal() else cores()


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables for processes that start inside."""
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
        # At once: the build that would take the result is gone.
        os._exit(1)


PROCESS = Engine(name="process", summary="worker processes on this machine", open=open_processes)
