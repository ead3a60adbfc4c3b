"""Every engine does all the work once, says what went wrong, and leaves no worker behind."""

import math
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.engines import ENGINES
from builder.engines.engine import EngineOptions, Waiting, attempt
from builder.engines.process import ProcessPool, _Worker
from builder.units.planning import Shard
from contract.machine.code import hash_of_all_code
from contract.machine.errors import ExitCode, UserError

LOCAL = ["serial", "process"]


@pytest.mark.parametrize("name", LOCAL)
def test_every_item_is_done_once_and_workers_serve_several_lists(name: str) -> None:
    """The order is free, the results are not."""
    with ENGINES[name].open(EngineOptions(workers=2)) as pool:
        for n in (7, 1, 0):
            assert sorted(pool.run(math.factorial, range(n))) == [(k, math.factorial(k)) for k in range(n)]


@pytest.mark.parametrize("name", LOCAL)
def test_items_in_groups_are_all_done(name: str) -> None:
    """Whoever does them."""
    with ENGINES[name].open(EngineOptions(workers=2)) as pool:
        done = pool.run(math.factorial, range(9), lambda number: number % 2)
        assert sorted(done) == [(k, math.factorial(k)) for k in range(9)]


def test_without_groups_items_come_in_their_order() -> None:
    """Whoever takes them."""
    waiting = Waiting(["a", "b", "c"])
    assert [waiting.take(worker) for worker in (1, 2, 1)] == ["a", "b", "c"]
    assert not waiting


def test_a_worker_goes_on_with_the_group_that_it_began() -> None:
    """What it has proposed for the first item is still in its memory."""
    waiting = Waiting(["a1", "a2", "b1", "b2", "a3"], lambda item: item[0])
    assert [waiting.take(worker) for worker in (1, 2, 2, 1, 1)] == ["a1", "b1", "b2", "a2", "a3"]


def test_a_worker_without_a_group_helps_with_the_longest() -> None:
    """From its end, so that it meets the worker that began it as late as possible; nobody stands idle."""
    waiting = Waiting(["a1", "a2", "a3", "a4", "b1"], lambda item: item[0])
    assert [waiting.take(worker) for worker in (1, 2, 2, 1, 2)] == ["a1", "b1", "a4", "a2", "a3"]
    assert not waiting


def test_work_that_is_given_back_is_taken_by_another() -> None:
    """The worker that had it is gone."""
    waiting = Waiting(["a1", "a2"], lambda item: item[0])
    item = waiting.take(1)
    waiting.put_back(item)
    assert sorted([waiting.take(2), waiting.take(3)]) == ["a1", "a2"]


@pytest.mark.parametrize("name", LOCAL)
def test_an_error_of_the_user_comes_back_as_it_was(name: str) -> None:
    """With its message and exit code."""
    with ENGINES[name].open(EngineOptions(workers=2)) as pool, pytest.raises(UserError) as caught:
        list(pool.run(Shard.parse, ["1/2", "9/2"]))
    assert "--shard 9/2: expected I/N" in caught.value.message
    assert caught.value.exit_code == ExitCode.WRONG_USE


def test_workers_are_started_before_there_is_work_and_end_with_the_pool() -> None:
    """They import what they need while the build reads its tasks."""
    before = len(multiprocessing.active_children())
    with ENGINES["process"].open(EngineOptions(workers=2)):
        assert len(multiprocessing.active_children()) == before + 2
    assert len(multiprocessing.active_children()) == before


def test_a_worker_that_dies_is_replaced_and_its_work_done() -> None:
    """It may have been an accident."""
    pool = ProcessPool(2)
    running = pool.run(time.sleep, [0.0, 1.0])
    assert next(running).item == 0.0
    for worker in pool._workers.values():
        worker.process.kill()
    assert next(running).item == 1.0
    pool.close()


def test_work_that_kills_every_worker_is_given_up_with_advice() -> None:
    """It would never end."""
    with (
        ENGINES["process"].open(EngineOptions(workers=1)) as pool,
        pytest.raises(UserError, match=r"died 3 times.*exit code -9.*fewer --workers"),
    ):
        list(pool.run(signal.raise_signal, [signal.SIGKILL]))


def test_workers_divide_the_cores_and_the_build_keeps_its_own_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two workers with all the threads each would be slower than one."""
    monkeypatch.setattr("builder.engines.process.cores", lambda: 8)
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    monkeypatch.setenv("MKL_NUM_THREADS", "1")
    names = ["OMP_NUM_THREADS", "MKL_NUM_THREADS"]
    with ENGINES["process"].open(EngineOptions(workers=2)) as pool:
        assert dict(pool.run(os.getenv, names)) == {"OMP_NUM_THREADS": "4", "MKL_NUM_THREADS": "1"}
        # One alone has what is there.
        assert dict(pool.run(os.getenv, names[:1])) == {"OMP_NUM_THREADS": "5"}
    assert os.environ["OMP_NUM_THREADS"] == "5"


def test_nobody_is_at_work_when_nobody_listens() -> None:
    """Whoever stops iterating ends the workers that were busy."""
    pool = ProcessPool(2)
    running = pool.run(time.sleep, [0.0, 600.0, 600.0])
    next(running)
    workers = list(pool._workers.values())
    running.close()
    pool.close()
    assert [worker.process.is_alive() for worker in workers] == [False, False]


def test_an_error_that_cannot_be_sent_is_still_told() -> None:
    """Some errors cannot be pickled."""

    def fail(_item: object) -> None:
        class Strange(Exception):  # noqa: N818
            pass

        raise Strange("so it is")

    outcome = attempt(fail, None)
    with pytest.raises(RuntimeError, match="so it is"):
        outcome.get()


def test_a_worker_with_other_code_refuses_and_names_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was started after an edit: its results would stand under the name of other code."""
    monkeypatch.setattr("builder.engines.process.hash_of_all_code", lambda: "0123456789abcdef")
    with (
        ENGINES["process"].open(EngineOptions(workers=1)) as pool,
        pytest.raises(UserError) as caught,
    ):
        list(pool.run(math.factorial, [3]))
    assert f"{hash_of_all_code()[:12]} in " in caught.value.message
    assert "than the build (0123456789ab); give every machine the same version" in caught.value.message


def test_ray_is_asked_for_only_by_those_who_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package, the message says what to install."""
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(UserError, match=r"pip install hardfrost\[ray\]"),
        ENGINES["ray"].open(EngineOptions()),
    ):
        pass


def is_alive(process: int) -> bool:
    """Whether a process is there and not merely waiting to be buried."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes as Linux shows them")
def test_workers_end_when_the_build_is_killed(tmp_path: Path) -> None:
    """Killed outright, it cannot tell them: they watch it themselves, busy or idle."""
    script = tmp_path / "builds.py"
    script.write_text(
        "import time\nfrom builder.engines.process import ProcessPool\n"
        "if __name__ == '__main__':\n"
        "    pool = ProcessPool(2)\n"
        "    running = pool.run(time.sleep, [0.0, 600.0])\n"
        "    next(running)\n"
        "    print(*[worker.process.pid for worker in pool._workers.values()], flush=True)\n"
        "    next(running)\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as build:
        assert build.stdout is not None
        workers = [int(word) for word in build.stdout.readline().split()]
        assert len(workers) == 2
        build.kill()
    wait_until(lambda: not any(map(is_alive, workers)))


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for what must come soon, generously for slow machines."""
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come")


def test_a_worker_ends_at_once_even_in_the_middle_of_its_work() -> None:
    """Ending does not wait for the work."""
    worker = _Worker(hash_of_all_code())
    worker.connection.send_bytes(pickle.dumps((time.sleep, 600)))
    worker.end()
    assert not worker.process.is_alive()
