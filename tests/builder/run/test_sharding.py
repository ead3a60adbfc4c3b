"""One build on any engine, or in parts, gives the same release; parts that do not fit are refused."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from builder.commands.build import build as build_command
from builder.commands.build import merge as merge_command
from builder.recipe.recipe import Recipe
from builder.recipe.recipe_file import read_recipe
from builder.run.options import ExecutionOptions
from builder.run.pipeline import build
from builder.run.sharding import NOTE, build_shard, merge
from builder.units.planning import Shard, plan_so_far
from contract.machine.errors import UserError
from contract.machine.progress import Silence

ROOT = Path(__file__).parents[3]
RECIPE = """\
name: mixed
version: "1.0"
tasks: [{name: mr, source: mr, samples: 24, train_rows: 800}]
dimensions: [{name: typo-malicious, degrees: [0.1, 0.3]}, {name: typo-general, degrees: [0.2]}]
settings: [rule, score]
cases: {rule: 2, score: 2}
surrogates: [word-tfidf, char-tfidf, vader]
allow_weak: true
min_samples: 2
"""
# Small units, so that shards cut through splits and none knows all samples of one.
SAMPLES_PER_UNIT = 10
SMALL = ExecutionOptions(samples_per_unit=SAMPLES_PER_UNIT)
SMALL_OPTIONS = ["--samples-per-unit", str(SAMPLES_PER_UNIT)]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the recipe, the release that one process makes of it, and its surrogates."""
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARDFROST_CACHE", str(folder / "serial"))
        build(read_recipe(folder / "recipe.yaml"), folder / "release", Silence(), SMALL)
    for name in ("process", "ray", "shards"):
        shutil.copytree(folder / "serial/surrogates", folder / name / "surrogates")
    return folder


@pytest.fixture
def recipe(place: Path) -> Recipe:
    """Return the recipe."""
    return read_recipe(place / "recipe.yaml")


@pytest.fixture(scope="module")
def shards(place: Path) -> list[Path]:
    """Return the folders of three finished shards."""
    folders = [place / f"shard-{number}" for number in (1, 2, 3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARDFROST_CACHE", str(place / "shards"))
        for number, folder in enumerate(folders, start=1):
            shard = Shard(number=number, n_shards=3)
            build_shard(read_recipe(place / "recipe.yaml"), shard, folder, Silence(), SMALL)
    return folders


@pytest.fixture
def in_shards(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the cache that the shards were built with."""
    monkeypatch.setenv("HARDFROST_CACHE", str(place / "shards"))


def manifest_of(release: Path) -> bytes:
    """Return everything that a release promises, hashes of rows included."""
    return (release / "manifest.json").read_bytes()


def run(*arguments: object) -> Result:
    """Run a command in this process; a user's fault is its exception."""
    command = merge_command if arguments[0] == "merge" else build_command
    return CliRunner().invoke(command, [str(argument) for argument in arguments[1:]])


def test_worker_processes_give_the_same_release(
    place: Path, recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last byte of the manifest."""
    monkeypatch.setenv("HARDFROST_CACHE", str(place / "process"))
    build(recipe, tmp_path / "release", Silence(), replace(SMALL, engine="process", workers=2))
    assert manifest_of(tmp_path / "release") == manifest_of(place / "release")


def test_ray_gives_the_same_release(place: Path, tmp_path: Path) -> None:
    """On a cluster that the build starts on this machine, in a process of its own."""
    pytest.importorskip("ray")
    out = tmp_path / "release"
    command = [sys.executable, "-m", "hardfrost", "build", place / "recipe.yaml", "-o", out, *SMALL_OPTIONS]
    environment = {**os.environ, "HARDFROST_CACHE": str(place / "ray")}
    done = subprocess.run(
        [*command, "--engine", "ray", "--workers", "2"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    assert manifest_of(out) == manifest_of(place / "release")


CLUSTER = """
from ray.cluster_utils import Cluster
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
print(cluster.address, flush=True)
while input() == "kill":
    cluster.remove_node(nodes.pop(), allow_graceful=False)
cluster.shutdown()
"""


class Nodes(NamedTuple):
    """A cluster of three nodes, each with processes of its own."""

    address: str
    kill_one: Callable[[], object]


@pytest.fixture
def cluster() -> Iterator[Nodes]:
    """Yield a cluster."""
    pytest.importorskip("ray")
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    with subprocess.Popen(
        [sys.executable, "-c", CLUSTER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
        env=environment,
    ) as process:
        assert process.stdout
        assert process.stdin
        lines = (line.strip() for line in process.stdout)
        address = next(line for line in lines if re.fullmatch(r"[\d.]+:\d+", line))
        yield Nodes(address, partial(print, "kill", file=process.stdin, flush=True))
        process.communicate("\n")


def test_a_cluster_gives_the_same_release_also_when_a_node_is_killed(
    place: Path, tmp_path: Path, cluster: Nodes
) -> None:
    """One that was there before the build and is there after it; also when one worker is to have it all."""
    out = tmp_path / "release"
    for name, options in {"first": [], "second": ["--workers", "1"]}.items():
        shutil.copytree(place / "serial/surrogates", tmp_path / name / "surrogates")
        command = [
            sys.executable,
            "-m",
            "hardfrost",
            "build",
            place / "recipe.yaml",
            "-o",
            out,
            *SMALL_OPTIONS,
        ]
        with subprocess.Popen(
            [*command, "--engine", "ray", "--address", cluster.address, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "HARDFROST_CACHE": str(tmp_path / name)},
        ) as process:
            while name == "first" and process.poll() is None:
                if len(list(tmp_path.glob("first/units/*/*.json"))) >= 2:
                    cluster.kill_one()
                    break
                time.sleep(0.01)
            errors = process.communicate()[1]
        assert process.returncode == 0, errors
        assert manifest_of(out) == manifest_of(place / "release")


@pytest.mark.usefixtures("in_shards")
def test_shards_are_merged_into_the_same_release(place: Path, shards: list[Path], tmp_path: Path) -> None:
    """In any order; nothing is computed again, and the timings come along."""
    assert run("merge", *reversed(shards), "-o", tmp_path / "release").exit_code == 0
    assert manifest_of(tmp_path / "release") == manifest_of(place / "release")
    assert b"enough-cases" in manifest_of(tmp_path / "release")
    lines = (tmp_path / "release/build.log.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["stage"] for line in lines} == {"perturb", "vote", "freeze"}
    assert not (place / "shards/units").exists()


def test_every_unit_is_in_one_shard_and_units_decided_together_stay_together(
    place: Path, recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many shards there are; more than there is work for leaves some with nothing."""
    monkeypatch.setenv("HARDFROST_CACHE", str(place / "serial"))
    planned = plan_so_far(recipe, samples_per_unit=SAMPLES_PER_UNIT)
    for n_shards in (1, 2, 5, 40):
        parts = [planned.of_shard(Shard(number=n, n_shards=n_shards)) for n in range(1, n_shards + 1)]
        keys = [unit.key for part in parts for unit in part.case_units]
        assert sorted(keys) == sorted(unit.key for unit in planned.case_units)
        places = [
            {(unit.dimension, unit.setting, unit.samples[0].id) for unit in part.case_units} for part in parts
        ]
        assert sum(map(len, places)) == len(set().union(*places)) == 12
        assert max(map(len, places)) - min(map(len, places)) <= 1
        assert {part.sha256 for part in parts} == {planned.sha256}


@pytest.mark.usefixtures("in_shards")
def test_the_plan_of_a_shard_says_what_is_done_in_its_folder(place: Path, shards: list[Path]) -> None:
    """Surrogates, cases and votes; in another folder nothing is done."""
    options = ["build", place / "recipe.yaml", "--plan", "--json", *SMALL_OPTIONS, "--shard", "3/3", "-o"]
    found = json.loads(run(*options, shards[2]).output)
    parts = ("surrogates", "units", "votes")
    assert all(found[part] and all(each["is_done"] for each in found[part]) for part in parts)
    elsewhere = json.loads(run(*options, place / "nowhere").output)
    assert not any(each["is_done"] for each in [*elsewhere["units"], *elsewhere["votes"]])


@pytest.mark.usefixtures("in_shards")
def test_a_missing_shard_is_named_with_the_command_that_makes_it(shards: list[Path], tmp_path: Path) -> None:
    """And nothing is written."""
    with pytest.raises(UserError, match=r"of 3 shards 1 are missing: 2; .*--shard 2/3"):
        merge([shards[0], shards[2]], tmp_path / "release", Silence())
    assert not (tmp_path / "release").exists()


@pytest.mark.usefixtures("in_shards")
def test_a_flipped_byte_in_a_shard_is_found_and_its_shard_named(shards: list[Path], tmp_path: Path) -> None:
    """Built again, the shard mends it."""
    copies = [Path(shutil.copytree(folder, tmp_path / folder.name)) for folder in shards]
    # Beside a unit's rows stand the candidates that it dropped, which nothing is made of.
    sidecar = min((copies[1] / "units").glob("*/*.json"))
    path = sidecar.with_suffix(".parquet")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"shard 2 of 3: .* is spoilt; run its `hardfrost build .*2/3"):
        merge(copies, tmp_path / "release", Silence())
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"recipe_sha256": "0" * 64}, "another recipe"),
        ({"n_shards": 4}, "one of 4 shards, not of 3"),
        ({"plan_sha256": "0" * 64}, "other data, or another version of Hardfrost"),
        ({"schema": "hardfrost/shard/0"}, "an earlier one than .* make it again"),
    ],
)
@pytest.mark.usefixtures("in_shards")
def test_a_shard_of_another_build_is_refused(
    shards: list[Path], tmp_path: Path, change: dict[str, object], message: str
) -> None:
    """With what it differs in."""
    other = Path(shutil.copytree(shards[1], tmp_path / "other"))
    note = json.loads((other / NOTE).read_text(encoding="utf-8"))
    (other / NOTE).write_text(json.dumps({**note, **change}), encoding="utf-8")
    with pytest.raises(UserError, match=message):
        merge([shards[0], other, shards[2]], tmp_path / "release", Silence())


@pytest.mark.usefixtures("in_shards")
def test_surrogates_that_were_trained_elsewhere_to_other_weights_are_named(
    shards: list[Path], tmp_path: Path
) -> None:
    """Processors differ in the last bits; the remedy is one cache."""
    other = Path(shutil.copytree(shards[1], tmp_path / "other"))
    note = json.loads((other / NOTE).read_text(encoding="utf-8"))
    note["surrogates"][1]["info"]["weights_sha256"] = "0" * 64
    (other / NOTE).write_text(json.dumps(note), encoding="utf-8")
    with pytest.raises(UserError, match=r"other weights of char-tfidf.*HARDFROST_CACHE"):
        merge([shards[0], other, shards[2]], tmp_path / "release", Silence())


@pytest.mark.usefixtures("in_shards")
def test_a_note_cut_in_half_is_refused(shards: list[Path], tmp_path: Path) -> None:
    """As any file that is not what it was."""
    other = Path(shutil.copytree(shards[1], tmp_path / "other"))
    text = (other / NOTE).read_text(encoding="utf-8")
    (other / NOTE).write_text(text[: len(text) // 2], encoding="utf-8")
    with pytest.raises(UserError, match="was the file cut or edited"):
        merge([shards[0], other, shards[2]], tmp_path / "release", Silence())


def test_options_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    """Before anything is loaded."""
    for options, message in [
        (["--shard", "0/3", "-o", tmp_path / "s"], "expected I/N"),
        (["--shard", "1/3"], "say where the shard goes"),
        (["--engine", "serial", "--workers", "2", "-o", "x"], "has one worker"),
        (["--address", "auto", "--engine", "process", "-o", "x"], "--address is of a Ray cluster"),
        (["--engine", "prozess", "-o", "x"], "did you mean 'process'"),
    ]:
        result = run("build", "tiny", *options)
        assert message in f"{result.output}{result.exception}"
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match="holds other files"):
        build_shard(
            read_recipe(ROOT / "recipes/tiny.yaml"),
            Shard(number=1, n_shards=2),
            tmp_path,
            Silence(),
            ExecutionOptions(),
        )
