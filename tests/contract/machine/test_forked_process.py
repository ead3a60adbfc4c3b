"""Work on strangers' files is done in a fork, which may die; what it says is taken only if it ends well."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from contract.machine import forked_process
from contract.machine.forked_process import done_in_fork, is_fork, reading_within
from contract.machine.limited_process import Limits

LIMITS = Limits(n_bytes=1 << 27, n_seconds=1)


@pytest.fixture(autouse=True)
def fork(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork even where other threads run, as they do in workers of the tests; none of them holds a lock."""
    monkeypatch.setattr(forked_process, "can_fork", lambda: not is_fork())


def test_what_a_fork_says_is_returned() -> None:
    """It knows that it is one, and this process is none; long answers come whole."""

    def work() -> bytes:
        with reading_within(LIMITS):
            pass
        return b"x" * 1_000_000 if is_fork() and done_in_fork(lambda: b"") is None else b"no fork"

    assert done_in_fork(work) == b"x" * 1_000_000
    assert not is_fork()


def _raise() -> None:
    raise ValueError("spoilt")


def _loop() -> None:
    while True:
        pass


def _print_and_leave_a_file() -> None:
    os.write(1, b"terminate called")
    os.write(2, b"terminate called")
    tempfile.mkstemp(prefix="left-behind-")
    os.abort()


@pytest.mark.parametrize(
    "fault",
    [
        os.abort,
        _raise,
        _loop,
        lambda: bytearray(1 << 28),
        lambda: os._exit(0),
        _print_and_leave_a_file,
    ],
)
def test_a_fork_that_ends_badly_says_nothing_and_leaves_nothing(
    fault: Callable[[], object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Neither a word on the terminal nor a file nor a child."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def work() -> bytes:
        with reading_within(LIMITS):
            fault()
        return b"well"

    assert done_in_fork(work) is None
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_limits_end_with_reading() -> None:
    """Scores of honest files may take any time and memory."""

    def work() -> bytes:
        with reading_within(LIMITS):
            pass
        return str(len(bytearray(1 << 28))).encode()

    assert done_in_fork(work) == str(1 << 28).encode()


def test_what_was_not_said_to_be_read_is_not_taken() -> None:
    """Whoever reads without limits gets no answer."""
    assert done_in_fork(lambda: b"unlimited") is None


def test_no_fork_is_made_beside_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them may hold a lock, which nobody would release in the fork."""
    monkeypatch.undo()
    monkeypatch.setattr("threading.active_count", lambda: 2)
    monkeypatch.setattr(os, "fork", _raise)
    assert done_in_fork(lambda: b"") is None
