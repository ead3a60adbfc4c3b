"""Runs code that may abort, hang or ask for all memory in a process of its own, with limits.

The process answers in frames of bytes: data, or words on a fault. Nothing that it sends is unpickled or run.
Where a system has no such limits (Windows; macOS for memory), an abort is still caught, and time is limited.
"""

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

_ROOT = Path(__file__).parents[2]
_START = "import sys; sys.path[:] = {!r}; from contract.machine.limited_process import serve; serve({!r})"
_DATA, _FAULT, _END = b"d", b"f", b"e"
_LENGTH_BYTES = 8
MOST_FRAME_BYTES = 1 << 26
_MOST_FAULT_BYTES = 4_000
_PIPE_BYTES = 1 << 20
# Waiting for a busy machine or a slow reader of the frames is no fault of the file.
_WALL_SECONDS_A_CPU_SECOND = 30
_SECONDS_TO_END = 10


class FaultError(Exception):
    """What is wrong with the input, in words that the process found, or how the process ended."""

    def __init__(self, *messages: str) -> None:
        super().__init__(*messages)
        self.messages = messages


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How much memory, beyond what a process starts with, and how much processor time may be taken."""

    n_bytes: int
    n_seconds: int


def answers_of(module: str, question: Mapping[str, Any], limits: Limits) -> Iterator[bytes]:
    """Yield what `answer(question)` of a module yields in a process of its own; a fault is an error."""
    command = [sys.executable, "-I", "-S", "-c", _START.format(_import_path(), module)]
    environment = os.environ | {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1"}
    with subprocess.Popen(  # noqa: S603
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        pipesize=_PIPE_BYTES,
    ) as process:
        is_late = threading.Event()

        def stop() -> None:
            is_late.set()
            process.kill()

        wall = threading.Timer(limits.n_seconds * _WALL_SECONDS_A_CPU_SECOND, stop)
        wall.daemon = True
        wall.start()
        try:
            with contextlib.suppress(BrokenPipeError), _pipe(process.stdin) as questions:
                asked = {"question": question, "n_bytes": limits.n_bytes, "n_seconds": limits.n_seconds}
                questions.write(json.dumps(asked).encode())
            yield from _data_of(_pipe(process.stdout))
        except EOFError:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_SECONDS_TO_END)
            process.kill()
            raise FaultError(_words_on_end(process.wait(), limits, is_late=is_late.is_set())) from None
        finally:
            wall.cancel()
            process.kill()


def _import_path() -> list[str]:
    """Return where this process finds its modules; the other one starts without looking for them."""
    return [str(_ROOT), *(name for name in sys.path if name)]


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise RuntimeError("the process was started without pipes")
    return pipe


def _data_of(frames: IO[bytes]) -> Iterator[bytes]:
    """Yield the data until the end is said; an end that is not said is an EOFError."""
    while (kind := _exactly(frames, 1)) != _END:
        n_bytes = int.from_bytes(_exactly(frames, _LENGTH_BYTES), "little")
        if n_bytes > (MOST_FRAME_BYTES if kind == _DATA else _MOST_FAULT_BYTES):
            raise EOFError
        data = _exactly(frames, n_bytes)
        if kind == _FAULT:
            raise FaultError(*map(_printable, data.decode("utf-8", errors="replace").splitlines()))
        if kind != _DATA:
            raise EOFError
        yield data


def _printable(text: str) -> str:
    """Return a text that holds names from a file without what would steer a terminal."""
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
    )


def _exactly(frames: IO[bytes], n_bytes: int) -> bytes:
    data = frames.read(n_bytes)
    if len(data) < n_bytes:
        raise EOFError
    return data


def _words_on_end(code: int, limits: Limits, *, is_late: bool) -> str:
    """Return how a process ended that did not say so itself."""
    if is_late or (code and code == -getattr(signal, "SIGXCPU", 0)):
        return f"takes more than {limits.n_seconds:,} s to read"
    how = f"exit code {code}"
    if code < 0:
        with contextlib.suppress(ValueError):
            how = signal.Signals(-code).name
    return f"damaged in a way that stops its reader, or asks for over {limits.n_bytes >> 20:,} MB ({how})"


def serve(module: str) -> None:
    """Answer the question on standard input: the whole life of a process with limits."""
    frames = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not stand between the frames.
    os.dup2(2, 1)
    # Arrow works without numpy, the import of which takes as long as everything else here.
    sys.modules["numpy"] = None  # type: ignore[assignment]
    answer = importlib.import_module(module).answer
    asked = json.loads(sys.stdin.buffer.read())
    _set_limits(asked["n_bytes"], asked["n_seconds"])
    try:
        for data in answer(asked["question"]):
            _send(frames, _DATA, data)
        frames.write(_END)
    except FaultError as fault:
        words = "\n".join(fault.messages).encode("utf-8", errors="replace")
        _send(frames, _FAULT, words[:_MOST_FAULT_BYTES])
    except MemoryError:
        _send(frames, _FAULT, f"asks for over {asked['n_bytes'] >> 20:,} MB to be read".encode())
    frames.close()


def _send(frames: IO[bytes], kind: bytes, data: bytes | memoryview) -> None:
    if len(data) > MOST_FRAME_BYTES:
        raise FaultError(f"has a row of {len(data):,} bytes")
    frames.write(kind + len(data).to_bytes(_LENGTH_BYTES, "little"))
    frames.write(data)
    # What was sent before an abort is not lost.
    frames.flush()


def _set_limits(n_bytes: int, n_seconds: int) -> None:
    """Limit memory and time; write no file, not even a core dump."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = n_seconds + int(used.ru_utime + used.ru_stime) + 1
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_CPU: seconds}
    with contextlib.suppress(OSError):
        limits[resource.RLIMIT_AS] = memory_limit(n_bytes)
    for kind, limit in limits.items():
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (limit, resource.getrlimit(kind)[1]))


def memory_limit(n_bytes: int) -> int:
    """Return the limit that lets this process take so much more memory than it has; only Linux tells."""
    import resource

    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    return int(pages) * resource.getpagesize() + n_bytes
