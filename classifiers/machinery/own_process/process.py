"""Starts the process of a user's function, asks it, and ends it; its errors become errors for users."""

import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from classifiers.machinery.own_process import child
from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.near_paths import near_path
from contract.machine.registry import did_you_mean

# One call gets no more, so that a message stays below its bound whatever the texts are.
_MOST_CHARACTERS = 4_000_000
_SECONDS_TO_END = 2.0
# What would make another interpreter look for its libraries in the wrong place.
_OF_THIS_INTERPRETER = ("PYTHONHOME", "__PYVENV_LAUNCHER__")


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """The function as the process found it."""

    name: str
    # The file of its module, if it has one.
    file_path: Path | None


class FunctionProcess:
    """A user's function in a process of its own, in the current folder; it ends with this object."""

    def __init__(self, argument: str, python_path: Path | None = None) -> None:
        self._spec = f"python:{argument}"
        self._where, self._function = _parts(argument)
        self._python = interpreter(python_path)
        self._is_other = python_path is not None
        self._folder = Path.cwd()
        self._lock = threading.Lock()
        self._start()

    def ask(self, texts: Sequence[Any]) -> list[Any]:
        """Return the function's answers to texts, in one call or, where they are very long, in several."""
        answers: list[Any] = []
        for some in _parcels(texts):
            with self._lock:
                if self._pid != os.getpid():
                    # After a fork two processes would read from one pipe.
                    self._start()
                reply = self._exchange({"texts": some})
            given = reply.get("answers")
            if not isinstance(given, list):
                raise UserError(
                    f"{self._spec} returned {str(given)[:60]!r}; return a list, one answer a text"
                )
            if len(given) != len(some):
                raise UserError(
                    f"{self._spec} returned {len(given)} answers for {len(some)} texts; return one each"
                )
            answers += given
        return answers

    def train(self, texts: Sequence[Any], labels: Sequence[str]) -> None:
        """Let a function that trains make the one that answers from now on."""
        with self._lock:
            self._exchange({"texts": list(texts), "labels": list(labels)})

    def close(self) -> None:
        """End the process."""
        self._end()

    def _start(self) -> None:
        environment = dict(os.environ)
        if self._is_other:
            for name in _OF_THIS_INTERPRETER:
                environment.pop(name, None)
        command = [str(self._python), child.__file__, self._where, self._function]
        try:
            self._process = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=self._folder,
                env=environment,
            )
        except OSError as error:
            raise bad_input(
                f"{self._python}: cannot be started ({error}); name a Python interpreter"
            ) from None
        self._pid = os.getpid()
        self._end = weakref.finalize(self, _end, self._process, self._pid)
        reply = self._exchange(None)
        file = reply.get("file")
        self.loaded = Loaded(
            name=str(reply.get("name")), file_path=Path(file) if isinstance(file, str) else None
        )

    def _exchange(self, request: dict[str, Any] | None) -> dict[str, Any]:
        """Send a request, if there is one, and return the next reply; raise what went wrong there."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise ValueError("the process has no pipes")
        try:
            if request is not None:
                child.write_message(stdin, request)
            reply = child.read_message(stdout)
        except ValueError as error:
            self._end()
            raise UserError(f"{self._spec}: {error}; return labels or probabilities only") from None
        except OSError:
            reply = None
        except BaseException:
            # Interrupted between a request and its reply: the next request must not read this one's.
            self._end()
            raise
        if not isinstance(reply, dict):
            raise UserError(f"{self._spec}: its process ended ({self._ending()}); what it said stands above")
        if "missing_function" in reply or "error" in reply:
            raise self._failure(reply)
        return reply

    def _ending(self) -> str:
        """Return how the process ended."""
        self._end()
        code = self._process.returncode
        if code is not None and code < 0:
            try:
                return f"by the signal {signal.Signals(-code).name}"
            except ValueError:
                return f"by the signal {-code}"
        return f"with the exit code {code}"

    def _failure(self, reply: dict[str, Any]) -> UserError:
        """Return the error for a function that cannot be found, or that failed."""
        if "missing_function" in reply:
            guess = did_you_mean(self._function, [str(name) for name in reply["functions"]])
            where = self._where if self._where.endswith(".py") else f"module {self._where}"
            return UserError(f"{where} has no function {self._function!r};{guess or ' name one that it has'}")
        missing = reply.get("missing_module")
        if missing is not None and missing == self._where.partition(".")[0]:
            files = {path.stem: path for path in self._folder.glob("*.py")}
            return UserError(
                f"no module {missing!r} in {self._folder} or installed;{did_you_mean(missing, files)}"
                " run where it can be imported, or name its file: python:FILE.py:FUNCTION"
            )
        lines = "\n".join(f"  {line}" for line in reply["error"])
        advice = ""
        if missing is not None and not self._is_other:
            advice = "\nIf it is installed in an environment of yours, name that: --python PATH"
        return UserError(f"{self._spec} failed:\n{lines}{advice}")


def interpreter(path: Path | None) -> Path:
    """Return the interpreter that a path names: itself, or that of a virtual environment's folder."""
    if path is None:
        return Path(sys.executable)
    # Not resolved: by the link in its folder an interpreter knows its environment.
    places = [path / "bin" / "python", path / "Scripts" / "python.exe"] if path.is_dir() else [path]
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return place.absolute()
    what = "no Python interpreter in this folder" if path.is_dir() else "there is no such program"
    raise UserError(
        f"--python: {path}: {what};{near_path(path)} name an interpreter, or a virtual environment's folder",
        exit_code=ExitCode.WRONG_USE,
    )


def _parts(argument: str) -> tuple[str, str]:
    """Return module or file, and function."""
    where, _, function = argument.rpartition(":")
    if not where or not function:
        raise UserError(
            "python needs MODULE:FUNCTION or FILE.py:FUNCTION, as in python:my_model:predict",
            exit_code=ExitCode.WRONG_USE,
        )
    if where.endswith(".py") and not Path(where).is_file():
        raise bad_input(f"{where}: there is no such file;{near_path(Path(where))} name your Python file")
    return where, function


def _parcels(texts: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield the texts in parcels that a message can hold, nearly always in one."""
    parcel: list[Any] = []
    n_characters = 0
    for text in texts:
        length = (
            sum(map(len, text)) if isinstance(text, Iterable) and not isinstance(text, str) else len(text)
        )
        if parcel and n_characters + length > _MOST_CHARACTERS:
            yield parcel
            parcel, n_characters = [], 0
        parcel.append(text)
        n_characters += length
    if parcel:
        yield parcel


def _end(process: "subprocess.Popen[bytes]", pid: int) -> None:
    """End a process: kindly, by closing what it reads, or else at once."""
    if pid != os.getpid():
        return
    try:
        if process.stdin is not None:
            process.stdin.close()
    except OSError:
        pass
    try:
        process.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
