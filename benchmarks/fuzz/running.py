"""Runs a command on a spoilt input and says what a user should not have met."""

import os
import resource
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MOST_SECONDS = 10.0
MOST_BYTES = 1 << 30
# Exit codes of the command line: 0 to 5; more than these is no ending that was meant.
LAST_EXIT_CODE = 5
TRACEBACK = "Traceback (most recent call last)"
# Where a path goes that spoilt inputs hold.
ABSOLUTE = Path("/outside")
_PRINTED = "printed"


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a command ended, what it printed, and what it should not have done."""

    exit_code: int
    printed: str
    faults: list[str]


class Sandbox:
    """A new folder for one command, with a folder `out` in it: what is written elsewhere is a fault."""

    def __init__(self) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="fuzz-"))
        self.path = self._home / "deep" / "sandbox"
        (self.path / "out").mkdir(parents=True)

    def run(self, action: Callable[[], int]) -> Ending:
        """Do something in the folder, in this process; whatever it raises or writes is noted."""
        before = self._files_outside()
        seconds = _cpu_seconds()
        self._take_output()
        os.chdir(self.path)
        exit_code = _exit_code_of(action)
        sys.stdout.flush()
        sys.stderr.flush()
        seconds = _cpu_seconds() - seconds
        printed = (self._home / _PRINTED).read_text(encoding="utf-8", errors="replace")
        faults = [*_faults_of(exit_code, printed), *_faults_of_use(seconds)]
        faults += [f"wrote {name}" for name in sorted(self._files_outside() - before - {_PRINTED})]
        return Ending(exit_code=exit_code, printed=printed, faults=faults)

    def remove(self) -> None:
        """Remove the folder with everything in it."""
        os.chdir("/")
        shutil.rmtree(self._home, ignore_errors=True)

    def _take_output(self) -> None:
        output = os.open(self._home / _PRINTED, os.O_CREAT | os.O_WRONLY)
        for target in (1, 2):
            os.dup2(output, target)
        os.close(output)

    def _files_outside(self) -> set[str]:
        """Return the files that lie outside the folder for output."""
        found: set[str] = set()
        for folder, _, names in os.walk(self._home):
            if not Path(folder).is_relative_to(self.path / "out"):
                found.update(str((Path(folder) / name).relative_to(self._home)) for name in names)
        return found | ({str(ABSOLUTE)} if ABSOLUTE.exists() else set())


def is_over_memory() -> bool:
    """Tell whether this process or a child of it ever had too much memory."""
    return any(_peak_bytes(who) > MOST_BYTES for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def _exit_code_of(action: Callable[[], int]) -> int:
    try:
        return action()
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else 0 if ending.code is None else 1
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
        return 1


def _faults_of(exit_code: int, printed: str) -> list[str]:
    faults = []
    if not 0 <= exit_code <= LAST_EXIT_CODE:
        faults.append(f"exit code {exit_code}")
    if TRACEBACK in printed:
        faults.append("traceback: " + printed.strip().splitlines()[-1][:200])
    if any(ord(character) < 32 and character not in "\n\r\t" for character in printed):
        faults.append("control characters printed")
    return faults


def _faults_of_use(seconds: float) -> list[str]:
    faults = []
    if seconds > MOST_SECONDS:
        faults.append(f"{seconds:.1f} s of processor time")
    if is_over_memory():
        peak = max(_peak_bytes(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        faults.append(f"{peak >> 20} MB of memory")
    return faults


def _cpu_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in used)


def _peak_bytes(who: int) -> int:
    return resource.getrusage(who).ru_maxrss * 1024
