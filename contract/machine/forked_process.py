"""Does work on strangers' files in a fork of this process, which a file may end, with limits while it reads.

What comes back is a few bytes, so that good files cost no more than in this process. Where the fork does not
end well, or none can be made, the work is done in this process by readers that guard each file.
"""

import contextlib
import faulthandler
import os
import select
import signal
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from contract.machine.limited_process import Limits, memory_limit

_HAS_READ = b"r"
_LENGTH_BYTES = 8
# Waiting for a busy machine is no fault of a file.
_SECONDS_TO_READ = 300
# Threads of these may hold a lock at the moment of a fork, which nobody would ever release in it.
_UNSAFE_MODULES = ("torch", "ray")


@dataclass(kw_only=True)
class _Self:
    """What this process knows of itself: whether it is a fork, and where it says that it has read all."""

    is_fork: bool = False
    pipe: int | None = None


_self = _Self()


def is_fork() -> bool:
    """Tell whether this process is a fork, which a file may end: its readers need no process of their own."""
    return _self.is_fork


def done_in_fork(work: Callable[[], bytes]) -> bytes | None:
    """Return what work returns in a fork of this process; None if it raises, dies or hangs, or none can be.

    Within the work, everything that reads strangers' files stands under `reading_within`.
    """
    if not can_fork():
        return None
    # What a fork leaves behind when it dies is removed here.
    with tempfile.TemporaryDirectory(prefix="hardfrost-") as folder:
        reading, writing = os.pipe()
        with warnings.catch_warnings():
            # Of threads that only native libraries have.
            warnings.simplefilter("ignore", DeprecationWarning)
            process = os.fork()
        if process == 0:
            _live(work, writing, folder)
        os.close(writing)
        with os.fdopen(reading, "rb", buffering=0) as answers:
            try:
                return _answer(answers.fileno())
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)


def be_expendable() -> None:
    """Let this very process read without guards, as forks do: for those who measure what guards cost."""
    _self.is_fork = True


def can_fork() -> bool:
    """Tell whether a fork is safe here: on Linux, from the only thread, and not from a fork."""
    is_only_thread = threading.active_count() == 1
    is_safe = sys.platform == "linux" and not any(name in sys.modules for name in _UNSAFE_MODULES)
    return is_safe and is_only_thread and not is_fork()


def _live(work: Callable[[], bytes], writing: int, folder: str) -> None:
    """Do the work and say what came of it, if it came to anything: the whole life of a fork."""
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        faulthandler.disable()
        nothing = os.open(os.devnull, os.O_RDWR)
        for target in (0, 1, 2):
            os.dup2(nothing, target)
        tempfile.tempdir = folder
        _self.is_fork, _self.pipe = True, writing
        data = work()
        _write(writing, len(data).to_bytes(_LENGTH_BYTES, "little") + data)
    finally:
        # Nothing of the process that was forked may happen twice: no handler, no cleaning up, no traceback.
        os._exit(0)


def _write(writing: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(writing, rest) :]


@contextlib.contextmanager
def reading_within(limits: Limits) -> Iterator[None]:
    """Limit memory and time of what stands inside, if this is a fork; it ends by more."""
    if _self.pipe is None:
        yield
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: limits.n_seconds + int(used.ru_utime + used.ru_stime),
        resource.RLIMIT_AS: memory_limit(limits.n_bytes),
    }
    before = {kind: resource.getrlimit(kind) for kind in wanted}
    for kind, limit in wanted.items():
        resource.setrlimit(kind, (limit, before[kind][1]))
    yield
    for kind, limits_before in before.items():
        resource.setrlimit(kind, limits_before)
    _write(_self.pipe, _HAS_READ)


def _answer(reading: int) -> bytes | None:
    """Return what the fork says; it may take any time once it has read everything."""
    has_said = select.select([reading], [], [], _SECONDS_TO_READ)[0]
    if not has_said or os.read(reading, 1) != _HAS_READ:
        return None
    n_bytes = int.from_bytes(_exactly(reading, _LENGTH_BYTES), "little")
    data = _exactly(reading, n_bytes)
    return data if n_bytes and len(data) == n_bytes else None


def _exactly(reading: int, n_bytes: int) -> bytes:
    """Return as many bytes, or fewer where the fork has ended."""
    pieces = []
    while n_bytes and (piece := os.read(reading, n_bytes)):
        pieces.append(piece)
        n_bytes -= len(piece)
    return b"".join(pieces)
