"""Runs a command on a spoilt input in a process of its own, and says what a user should not have met."""

import contextlib
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

MOST_SECONDS = 10.0
MOST_BYTES = 1 << 30
# A process that hangs uses no processor time; on a busy machine an honest one waits, too.
PATIENCE_SECONDS = 60.0
# Exit codes of the command line: 0 to 5; more than these is no ending that was meant.
LAST_EXIT_CODE = 5
TRACEBACK = "Traceback (most recent call last)"


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a command ended, what it printed, and what it should not have done."""

    exit_code: int
    printed: str
    cpu_seconds: float
    n_bytes: int
    faults: list[str] = field(default_factory=list)


def run_apart(action: Callable[[Path], int], *, put: Callable[[Path], None]) -> tuple[Ending, Path]:
    """Run an action in a new folder, as a process that is forked off; return its ending and the folder.

    `put` writes the inputs into the folder first. What the action leaves anywhere but in `out/` is a fault.
    """
    home = Path(tempfile.mkdtemp(prefix="fuzz-"))
    sandbox = home / "deep" / "sandbox"
    (sandbox / "out").mkdir(parents=True)
    put(sandbox)
    before = _files_outside(home, sandbox)
    process = os.fork()
    if process == 0:
        _child(action, sandbox)
    status, usage = _wait(process)
    printed = (home / "printed").read_text(encoding="utf-8", errors="replace")
    cpu_seconds = usage.ru_utime + usage.ru_stime
    exit_code = os.waitstatus_to_exitcode(status)
    n_bytes = usage.ru_maxrss * 1024
    faults = []
    if exit_code < 0:
        faults.append(f"ended by signal {-exit_code}")
    elif exit_code > LAST_EXIT_CODE:
        faults.append(f"exit code {exit_code}")
    if TRACEBACK in printed:
        faults.append("traceback: " + printed.strip().splitlines()[-1][:200])
    if any(ord(character) < 32 and character not in "\n\r\t" for character in printed):
        faults.append("control characters printed")
    if cpu_seconds > MOST_SECONDS:
        faults.append(f"{cpu_seconds:.1f} s of processor time")
    if n_bytes > MOST_BYTES:
        faults.append(f"{n_bytes >> 20} MB of memory")
    new = _files_outside(home, sandbox) - before - {"printed"}
    faults += [f"wrote {name}" for name in sorted(new)]
    ending = Ending(
        exit_code=exit_code, printed=printed, cpu_seconds=cpu_seconds, n_bytes=n_bytes, faults=faults
    )
    return ending, sandbox


def remove(sandbox: Path) -> None:
    """Remove the folder of a run."""
    shutil.rmtree(sandbox.parents[1], ignore_errors=True)


def _child(action: Callable[[Path], int], sandbox: Path) -> None:
    """Do the action with its output in a file, and end the process."""
    exit_code = 99
    try:
        os.setpgid(0, 0)
        output = os.open(sandbox.parents[1] / "printed", os.O_CREAT | os.O_WRONLY)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for target, source in ((0, nothing), (1, output), (2, output)):
            os.dup2(source, target)
        sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.chdir(sandbox)
        exit_code = action(sandbox)
        sys.stdout.flush()
        sys.stderr.flush()
    except SystemExit as ending:
        exit_code = ending.code if isinstance(ending.code, int) else 0 if ending.code is None else 1
    except BaseException:  # noqa: BLE001
        import traceback

        traceback.print_exc()
        exit_code = 98
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(exit_code)


def _wait(process: int) -> tuple[int, resource.struct_rusage]:
    """Wait for a process; one that takes too long is killed with its children."""
    start = time.monotonic()
    while True:
        done, status, usage = os.wait4(process, os.WNOHANG)
        if done:
            return status, usage
        if time.monotonic() - start > PATIENCE_SECONDS:
            with contextlib.suppress(OSError):
                os.killpg(process, signal.SIGKILL)
        time.sleep(0.002)


def _files_outside(home: Path, sandbox: Path) -> set[str]:
    """Return the files of a run that lie outside the folder for output."""
    found: set[str] = set()
    for folder, _, names in os.walk(home):
        if not Path(folder).is_relative_to(sandbox / "out"):
            found.update(str((Path(folder) / name).relative_to(home)) for name in names)
    return found
