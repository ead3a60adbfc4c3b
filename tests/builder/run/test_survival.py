"""A build may be killed, stopped or starved at any moment: it goes on to the same rows, and says how."""

import multiprocessing
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from builder.recipe.recipe import Recipe
from builder.recipe.recipe_file import find_recipe, read_recipe
from builder.run.pipeline import build
from contract.machine.disk import check_room
from contract.machine.errors import UserError
from contract.machine.locks import locked
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import verify

ROOT = Path(__file__).parents[3]
# Ten times as many units as usual, so that there are many moments to be killed at.
SMALL_OPTIONS = ["--samples-per-unit", "3"]
BUILD = """
import os
os.environ["HARDFROST_CACHE"] = "{home}/cache"
from pathlib import Path
from builder.run.options import ExecutionOptions
from builder.run.pipeline import build
from builder.recipe.recipe_file import find_recipe, read_recipe
from contract.machine.progress import Silence
engine = "process" if {workers} > 1 else "serial"
options = ExecutionOptions(engine=engine, workers={workers}, samples_per_unit=3)
build(read_recipe(find_recipe("tiny")), Path("{home}/release"), Silence(), options)
"""
NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes as Linux does")


@pytest.fixture
def recipe() -> Recipe:
    """Return the tiny recipe."""
    return read_recipe(find_recipe("tiny"))


@pytest.fixture
def home(tiny: Path, cache: Path, tmp_path: Path) -> Path:
    """Return a folder with a cache that has the trained surrogate and nothing else."""
    shutil.copytree(cache / "surrogates", tmp_path / "cache/surrogates")
    return tmp_path


def start(home: Path, *options: str) -> subprocess.Popen[str]:
    """Start a build of the tiny recipe in a process of its own."""
    environment = {**os.environ, "HARDFROST_CACHE": str(home / "cache"), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "hardfrost", "build", "tiny", "-o", str(home / "release")),
            *(*SMALL_OPTIONS, *options),
        ],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env=environment,
        cwd=home,
        start_new_session=True,
    )


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for a moment of a build, generously for slow machines."""
    end = time.monotonic() + 300
    while not is_so():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.002)


def n_units(home: Path) -> int:
    """Return how many units are finished."""
    return len(list(home.glob("cache/units/*/*.json")))


def same_rows(release: Path, as_of: Path) -> bool:
    """Whether a release verifies and has the rows of another."""
    opened = Release.open(release)
    hashes = [
        {split.path: split.rows_sha256 for split in each.manifest.splits}
        for each in (opened, Release.open(as_of))
    ]
    return verify(opened, Silence()) == [] and hashes[0] == hashes[1]


def start_quickly(home: Path, workers: int) -> BaseProcess:
    """Start a build in a new process that need not import everything first."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["builder.run.pipeline", "builder.recipe.recipe_file"])
    process = context.Process(target=exec, args=(BUILD.format(home=str(home), workers=workers),))
    process.start()
    return process


def test_a_build_killed_ten_times_ends_with_the_same_rows(tiny: Path, tmp_path: Path) -> None:
    """While training, between any two units, and while freezing; half a release is never seen."""
    draw = random.Random(10)
    moments: list[Callable[[], bool]] = [
        lambda: bool(list(tmp_path.glob("cache/surrogates/.training-*"))),
        *([lambda: n_units(tmp_path) > target] * 7),
        *([lambda: bool(list(tmp_path.glob(".release.*.part/manifest.json")))] * 2),
    ]
    target, n_killed = 0, 0
    for number, is_moment in enumerate(moments):
        target = n_units(tmp_path) + draw.randrange(5)
        process = start_quickly(tmp_path, workers=2 if number == 4 else 1)
        wait_until(lambda: is_moment() or not process.is_alive())  # noqa: B023
        time.sleep(draw.random() * 0.02)
        n_killed += process.is_alive()
        process.kill()
        process.join()
        if (tmp_path / "release").exists():
            assert same_rows(tmp_path / "release", tiny)
            shutil.rmtree(tmp_path / "release")
    assert n_killed >= 8
    assert n_units(tmp_path) == 40
    assert "perturb: 20 of 20, 20 done before" in start(tmp_path).communicate()[1]
    assert same_rows(tmp_path / "release", tiny)
    assert {path.name for path in tmp_path.iterdir()} == {"cache", "release"}


def children_of(process: int) -> list[int]:
    """Return the processes that a process has started."""
    return [
        int(child)
        for listed in Path(f"/proc/{process}/task").glob("*/children")
        for child in listed.read_text(encoding="utf-8").split()
    ]


def is_alive(process: int) -> bool:
    """Whether a process is there and not merely waiting to be buried."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@NEEDS_PROC
@pytest.mark.parametrize(("number", "exit_code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_build_that_is_stopped_says_how_to_go_on_and_ends_its_workers(
    home: Path, number: signal.Signals, exit_code: int
) -> None:
    """By a key or by a scheduler, who both tell the workers, too."""
    process = start(home, "--workers", "2")
    wait_until(lambda: n_units(home) > 0)
    workers = children_of(process.pid)
    os.killpg(process.pid, number)
    errors = process.communicate(timeout=60)[1]
    assert process.returncode == exit_code, errors
    assert "every finished unit of work is kept; run the same command again" in errors
    assert "Traceback" not in errors
    assert len(workers) >= 2
    wait_until(lambda: not any(map(is_alive, workers)))
    assert not (home / "release").exists()


def test_two_builds_share_a_cache_and_refuse_to_share_a_folder(home: Path, tiny: Path) -> None:
    """At the same time: the one that comes second is told, and the release is nobody's mixture."""
    first = start(home)
    wait_until((home / ".release.lock").exists)
    second, elsewhere = start(home), start(home, "-o", str(home / "other"))
    errors = second.communicate()[1]
    assert second.returncode == 1
    assert "release: another build is writing there" in errors
    for process in (first, elsewhere):
        process.communicate()
        assert process.returncode == 0
    assert same_rows(home / "release", tiny)
    assert same_rows(home / "other", tiny)


def test_the_cache_is_not_emptied_under_a_build(
    home: Path, recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no build starts while it is emptied."""
    from click.testing import CliRunner

    from builder.commands.build import clean

    monkeypatch.setenv("HARDFROST_CACHE", str(home / "cache"))
    lock = home / "cache/.in-use.lock"
    with locked(lock, "", is_shared=True):
        refused = CliRunner().invoke(clean, ["--yes"])
    assert "a build is using it" in str(refused.exception)
    assert (home / "cache/surrogates").is_dir()
    with locked(lock, ""), pytest.raises(UserError, match="is emptying it"):
        build(recipe, home / "release", Silence())


@contextmanager
def files_limited(n_bytes: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes, as a full disk would not."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_takes_no_more_is_explained_and_nothing_is_lost(
    home: Path, tiny: Path, recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The unit that did not fit is not there; the build goes on when there is room."""
    monkeypatch.setenv("HARDFROST_CACHE", str(home / "cache"))
    with files_limited(4000), pytest.raises(UserError, match=r"cannot take more; every finished unit"):
        build(recipe, home / "release", Silence())
    assert not (home / "release").exists()
    build(recipe, home / "release", Silence())
    assert same_rows(home / "release", tiny)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a file system of its own, of one megabyte, where we may mount one."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)],  # noqa: S607
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("may not mount a small disk here; the limit on files stands in for it")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S607


def test_a_small_disk_is_refused_before_any_work_and_a_full_one_explained(
    small_disk: Path, tiny: Path, cache: Path, recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits hours for a build that cannot be written."""
    with pytest.raises(UserError, match=r"1 MB are free where about 20 MB will be needed"):
        build(recipe, small_disk / "release", Silence())
    monkeypatch.setattr("builder.run.workspace.LEAST_BYTES", 0)
    monkeypatch.setattr("builder.run.workspace.BYTES_A_CASE", 0)
    (small_disk / "filler").write_bytes(b"0" * 1_000_000)
    with pytest.raises(UserError, match=r"No space left on device.*every finished unit of work is kept"):
        build(recipe, small_disk / "release", Silence())
    assert {path.name for path in small_disk.iterdir()} == {"filler"}
    (small_disk / "filler").unlink()
    build(recipe, small_disk / "release", Silence())
    assert same_rows(small_disk / "release", tiny)


@NEEDS_PROC
def test_a_folder_that_nobody_may_write_is_refused_before_any_work(recipe: Recipe) -> None:
    """Not even the administrator writes there."""
    with pytest.raises(UserError, match="cannot be written"):
        build(recipe, Path("/proc/release"), Silence())
    with pytest.raises(UserError, match="MB are free where"):
        check_room(Path.cwd(), 1 << 60)
