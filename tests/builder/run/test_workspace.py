"""Where a build works: what killed builds left is swept, and what others may be using is not."""

import errno
import os
from pathlib import Path

import pytest

from builder.recipe.recipe import Recipe
from builder.run.options import ExecutionOptions
from builder.run.sharding import build_shard
from builder.run.workspace import LEAST_BYTES, SECONDS_OF_USE, check_room_for, exclusive_workspace
from builder.tasks.task import load_tasks
from builder.units.planning import Shard, plan_build
from builder.units.store import UnitStore
from contract.machine.errors import UserError
from contract.machine.progress import Silence

SMALL = {
    "name": "made",
    "version": "1",
    "tasks": [{"name": "mr", "source": "mr", "samples": 4, "train_rows": 100}],
    "dimensions": [{"name": "typo-general", "degrees": [0.3]}],
    "settings": ["rule"],
    "surrogates": ["word-tfidf"],
}


def leave(path: Path, *, is_old: bool) -> Path:
    """Leave a file, or a folder if its name says so, as a killed build would."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.name.startswith(".training-"):
        path.mkdir()
        (path / "weights").touch()
    else:
        path.touch()
    if is_old:
        when = path.stat().st_mtime - SECONDS_OF_USE - 60
        os.utime(path, (when, when))
    return path


def test_what_killed_builds_left_in_the_cache_is_swept_when_it_is_a_day_old(tmp_path: Path) -> None:
    """Younger ones may be another build's; finished files stay."""
    cache = tmp_path / "cache"
    names = ["units/ab/.abc.parquet.x.part", "surrogates/.training-x", "surrogates/trained/.k.json.y.part"]
    old = [leave(cache / name, is_old=True) for name in names]
    young = [leave(cache / f"{name}-2.part", is_old=False) for name in names]
    finished = leave(cache / "units/ab/abc.parquet", is_old=True)
    with exclusive_workspace(tmp_path / "release", cache):
        assert [path for path in old if path.exists()] == []
        assert all(path.exists() for path in [*young, finished])


def test_a_folder_on_a_disk_without_locks_is_not_swept_and_people_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The half release there may be another build's, at work now."""

    def refuse(_handle: int, _kind: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    half = tmp_path / ".release.other.part"
    half.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr("contract.machine.locks.fcntl.flock", refuse)
        with exclusive_workspace(tmp_path / "release", tmp_path / "cache"):
            assert half.is_dir()
    told = capsys.readouterr().err
    assert told.count("this disk has no locks") == 1
    assert f"let no other one write to {tmp_path / 'release'}" in told
    with exclusive_workspace(tmp_path / "release", tmp_path / "cache"):
        assert not half.exists()
    assert capsys.readouterr().err == ""


def test_the_disk_of_the_release_must_have_room_for_its_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache may lie on another disk with more room."""
    asked: dict[str, int] = {}
    monkeypatch.setattr("builder.run.workspace.check_room", lambda folder, n: asked.update({folder.name: n}))
    recipe = Recipe.model_validate({**SMALL, "tasks": [{"name": "mr", "source": "mr", "samples": 4}]})
    plan = plan_build(recipe, load_tasks(recipe.tasks), [])
    store = UnitStore(cache_path=tmp_path / "cache")
    check_room_for(plan.case_units, store, tmp_path / "other-disk/release")
    n_cases = 4 * recipe.cases.rule
    assert asked == {"cache": LEAST_BYTES + 600 * n_cases, "other-disk": LEAST_BYTES + 200 * n_cases}


def test_a_shard_goes_on_where_it_was_killed_while_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a note is swept; anything that is not a build's own is still refused."""
    monkeypatch.setenv("HARDFROST_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "shard"
    parts = [folder / ".shard.json.abc.part", folder / "units/ab/.abc.parquet.x.part"]
    for path in parts:
        leave(path, is_old=False)
    recipe = Recipe.model_validate(SMALL)
    build_shard(recipe, Shard(number=1, n_shards=1), folder, Silence(), ExecutionOptions())
    assert [path for path in parts if path.exists()] == []
    assert {path.name for path in folder.iterdir()} == {"units", "shard.json"}
    (folder / "mine.txt").touch()
    with pytest.raises(UserError, match="holds other files"):
        build_shard(recipe, Shard(number=1, n_shards=1), folder, Silence(), ExecutionOptions())
