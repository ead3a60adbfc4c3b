"""Does many things in one process, which is forked again where one of them ends it."""

import contextlib
import os
import pickle
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

Result = TypeVar("Result")

# A process that hangs uses no processor time; an honest one uses some, however busy the machine is.
PATIENCE_SECONDS = 60.0
# Far more than what is a fault, which the process says itself if it comes to an end.
MOST_CPU_SECONDS = 60.0
_LOOK_SECONDS = 5.0
_LENGTH_BYTES = 8


@dataclass(frozen=True, kw_only=True)
class Death:
    """One of the numbers ended its process, or did not end."""

    number: int
    how: str


@dataclass(frozen=True, kw_only=True)
class Life(Generic[Result]):
    """What was done with a number; a process that is spent should do no more."""

    result: Result
    is_spent: bool = False


def do_all(do: Callable[[int], Life[Result]], numbers: Sequence[int]) -> Iterator[Result | Death]:
    """Yield what was done with each number, in order, or how it ended the process that did it."""
    todo = list(numbers)
    while todo:
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(reading)
            _child(do, todo, writing)
        os.close(writing)
        n_done = 0
        life: Life[Result] | None = None
        try:
            while n_done < len(todo):
                life = _next_life(reading, _Watch(process))
                if life is None:
                    break
                yield life.result
                n_done += 1
                if life.is_spent:
                    break
            else:
                life = None
        finally:
            os.close(reading)
            how = _end(process)
        if n_done < len(todo) and life is None:
            yield Death(number=todo[n_done], how=how)
            n_done += 1
        todo = todo[n_done:]


def _child(do: Callable[[int], Life[Result]], numbers: Sequence[int], writing: int) -> None:
    """Do all numbers, with output into nothing unless they take it elsewhere."""
    try:
        os.setpgid(0, 0)
        nothing = os.open(os.devnull, os.O_RDWR)
        for target in (0, 1, 2):
            os.dup2(nothing, target)
        sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for number in numbers:
            life = do(number)
            data = pickle.dumps(life)
            with contextlib.suppress(BrokenPipeError):
                os.write(writing, len(data).to_bytes(_LENGTH_BYTES, "little"))
                _write(writing, data)
            if life.is_spent:
                break
    finally:
        os._exit(0)


def _write(writing: int, data: bytes) -> None:
    while data:
        data = data[os.write(writing, data) :]


class _Watch:
    """Tells whether a process still works on a number: it uses processor time, and not without end."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._cpu = self._first_cpu = _cpu_seconds(process)
        self._since = time.monotonic()

    def is_patient(self) -> bool:
        """Look at the process; tell whether to wait on."""
        cpu = _cpu_seconds(self._process)
        if cpu > self._cpu:
            self._cpu, self._since = cpu, time.monotonic()
        is_moving = time.monotonic() - self._since < PATIENCE_SECONDS
        return is_moving and cpu - self._first_cpu < MOST_CPU_SECONDS


def _cpu_seconds(group: int) -> float:
    """Return the processor time of all processes of a group, those included that have ended and were seen."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            # The name, in brackets, may hold anything.
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[2]) == group:
                ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _next_life(reading: int, watch: _Watch) -> Life[Result] | None:
    """Return what the process says next; nothing if it ended or says nothing for too long."""
    n_bytes = _read(reading, _LENGTH_BYTES, watch)
    data = _read(reading, int.from_bytes(n_bytes, "little"), watch) if n_bytes else b""
    # It comes from a fork of this very program.
    return pickle.loads(data) if data else None  # noqa: S301


def _read(reading: int, n_bytes: int, watch: _Watch) -> bytes:
    data = b""
    while len(data) < n_bytes:
        if not select.select([reading], [], [], _LOOK_SECONDS)[0]:
            if watch.is_patient():
                continue
            return b""
        piece = os.read(reading, n_bytes - len(data))
        if not piece:
            return b""
        data += piece
    return data


def _end(process: int) -> str:
    """Wait a little for a process to end, or kill it with its children; return how it ended."""
    until = time.monotonic() + 1.0
    while time.monotonic() < until:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return f"ended by signal {-code}" if code < 0 else f"ended its process with exit code {code}"
        time.sleep(0.01)
    with contextlib.suppress(OSError):
        os.killpg(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return f"did nothing for {PATIENCE_SECONDS:g} s or took {MOST_CPU_SECONDS:g} s of processor time"
