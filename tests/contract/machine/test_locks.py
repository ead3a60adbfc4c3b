"""Locks: one at a time, shared by those who share, never left behind."""

import errno
import threading
from pathlib import Path

import pytest

from contract.machine.errors import UserError
from contract.machine.locks import in_turn, locked


def test_a_lock_is_held_by_one_and_leaves_no_file(tmp_path: Path) -> None:
    """Also when what it protects fails."""
    path = tmp_path / "folder/.lock"
    with locked(path, "taken"):
        with pytest.raises(UserError, match="taken"), locked(path, "taken"):
            pass
        with pytest.raises(UserError, match="taken"), locked(path, "taken", is_shared=True):
            pass
    assert not path.exists()
    with pytest.raises(ZeroDivisionError), locked(path, "taken"):
        _ = 1 / 0
    assert not path.exists()


def test_those_who_share_exclude_only_those_who_do_not(tmp_path: Path) -> None:
    """Builds share the cache; emptying it does not."""
    path = tmp_path / ".lock"
    with (
        locked(path, "", is_shared=True),
        locked(path, "", is_shared=True),
        pytest.raises(UserError, match="in use"),
        locked(path, "in use"),
    ):
        pass
    with locked(path, "in use"):
        pass


def test_who_holds_a_lock_knows_whether_the_disk_has_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without locks work goes on, but nobody may believe to be alone."""

    def refuse(_handle: int, _kind: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    with locked(tmp_path / ".lock", "taken") as is_held:
        assert is_held
    monkeypatch.setattr("contract.machine.locks.fcntl.flock", refuse)
    with locked(tmp_path / ".lock", "taken") as first, locked(tmp_path / ".lock", "taken") as second:
        assert not first
        assert not second
    with in_turn(tmp_path / ".lock"):
        pass


def test_whoever_waits_has_his_turn(tmp_path: Path) -> None:
    """The file that the first deletes is not mistaken for the lock."""
    path = tmp_path / ".lock"
    order: list[int] = []

    def wait_for_it(number: int) -> None:
        with in_turn(path):
            order.append(number)
            order.append(number)

    threads = [threading.Thread(target=wait_for_it, args=(number,)) for number in range(8)]
    with in_turn(path):
        for thread in threads:
            thread.start()
        assert order == []
    for thread in threads:
        thread.join()
    assert order[::2] == order[1::2]
    assert sorted(order[::2]) == list(range(8))
    assert not path.exists()
