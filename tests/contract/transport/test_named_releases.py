"""Releases are downloaded by short names from a list, and every archive is the one that the list names."""

import json
import shutil
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import hardfrost
from contract.machine.errors import ExitCode, UserError
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import open_and_verify
from contract.schema.release_lists import ReleaseList
from contract.schema.results import ModelInfo
from contract.transport.archives import pack, unpack
from contract.transport.named_releases import SHIPPED_LIST, VARIABLE, find_release, is_short_name
from evaluator.predicting.predicting import predict
from evaluator.scoring.score import score
from tests.contract.transport.test_archives import address as served_address
from tests.contract.transport.test_archives import rewritten

# A server of the test's own folder.
address = served_address


def run(*arguments: str | Path, env: Mapping[str, str] | None = None) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments], env=env)


def written_list(folder: Path, **changes: str) -> Path:
    """Write a list of one release and return its path."""
    entry = {
        "name": "small",
        "version": "2.0",
        "summary": "a small release",
        "address": "small.tar.gz",
        "sha256": "0" * 64,
    } | changes
    path = folder / "list.json"
    path.write_text(json.dumps({"schema": "hardfrost/releases/1", "releases": [entry]}), encoding="utf-8")
    return path


@pytest.fixture
def listed(tiny: Path, tmp_path: Path) -> Path:
    """Return a list that knows the tiny release as `small`."""
    packed = pack(Release.open(tiny), tmp_path / "small.tar.gz", Silence())
    return written_list(tmp_path, sha256=packed.sha256)


def test_a_name_of_another_list_is_found_by_option_and_by_environment(listed: Path, tmp_path: Path) -> None:
    """Relative addresses start at the list."""
    done = run("download", "small", "-o", tmp_path / "one", "--list", listed)
    assert done.exit_code == 0, done.output
    assert open_and_verify(tmp_path / "one", Silence()) == []
    done = run("download", "small@2.0", "-o", tmp_path / "two", env={VARIABLE: str(listed)})
    assert done.exit_code == 0, done.output
    shown = run("list", "releases", env={VARIABLE: str(listed)})
    assert shown.stdout.split(maxsplit=1) == ["small", "a small release\n"]


def test_a_short_name_needs_no_folder(listed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder has the name of the release; other places need one."""
    monkeypatch.chdir(tmp_path)
    assert run("download", "small", "--list", "list.json").exit_code == 0
    assert open_and_verify(tmp_path / "small", Silence()) == []
    refused = run("download", "small.tar.gz")
    assert refused.exit_code == ExitCode.WRONG_USE
    assert "-o FOLDER" in refused.output


def test_an_archive_that_is_not_the_listed_one_is_refused(listed: Path, tmp_path: Path) -> None:
    """Nothing is written, though the archive is sound."""
    written_list(tmp_path, sha256="0" * 64)
    refused = run("download", "small", "-o", tmp_path / "out", "--list", listed)
    assert isinstance(refused.exception, UserError)
    assert refused.exception.exit_code is ExitCode.MISMATCH
    assert not (tmp_path / "out").exists()


def test_a_list_on_the_web_names_archives_beside_it(listed: Path, address: str, tmp_path: Path) -> None:
    """So a folder of releases is put on any server as it is."""
    place = f"{address}/{listed.name}"
    done = run("download", "small", "-o", tmp_path / "out", "--list", place)
    assert done.exit_code == 0, done.output
    found = find_release("small", Silence(), list_place=place, is_offline=False)
    assert found.place == f"{address}/small.tar.gz"
    with pytest.raises(UserError, match="leave out --offline"):
        find_release("small", Silence(), list_place=place, is_offline=True)
    listed.write_bytes(b" " * 1_000_001)
    with pytest.raises(UserError, match="larger than"):
        find_release("small", Silence(), list_place=place, is_offline=False)


@pytest.mark.parametrize(
    "changes",
    [
        {"address": "../small.tar.gz"},
        {"address": "/etc/passwd"},
        {"address": "file:///etc/passwd"},
        {"address": "a/../../b.tar.gz"},
        {"address": "https://user:word@example.com/small.tar.gz"},
        {"address": "ftp://example.com/small.tar.gz"},
        {"name": "../small"},
        {"name": "Small"},
        {"version": "latest"},
        {"sha256": "abc"},
        {"summary": "two\nlines"},
    ],
    ids=lambda changes: next(iter(changes.values()))[:20],
)
def test_a_list_with_wrong_values_is_refused(tmp_path: Path, changes: dict[str, str]) -> None:
    """By file and key; no path leads out of the list's folder."""
    path = written_list(tmp_path, **changes)
    with pytest.raises(UserError, match=rf"list.json: releases\[0\].{next(iter(changes))}"):
        find_release("small", Silence(), list_place=str(path), is_offline=False)


def test_unknown_names_and_versions_are_answered_with_those_there_are(listed: Path) -> None:
    """The nearest name first."""
    with pytest.raises(UserError, match=r"did you mean 'small'.*lists: small"):
        find_release("smal", Silence(), list_place=str(listed), is_offline=False)
    with pytest.raises(UserError, match=r"no version '1.0'.*lists: 2.0"):
        find_release("small@1.0", Silence(), list_place=str(listed), is_offline=False)


def test_the_latest_version_is_taken_without_one(tmp_path: Path) -> None:
    """By number, not by letter."""
    path = written_list(tmp_path)
    raw = json.loads(path.read_text(encoding="utf-8"))
    raw["releases"] += [{**raw["releases"][0], "version": version} for version in ("2.10", "2.9")]
    path.write_text(json.dumps(raw), encoding="utf-8")
    assert find_release("small", Silence(), list_place=str(path), is_offline=False).entry.version == "2.10"


@pytest.mark.parametrize(
    ("place", "is_short"), [("demo", True), ("demo@1.0", True), ("a/b", False), ("./d", False)]
)
def test_places_with_a_slash_are_no_short_names(place: str, *, is_short: bool) -> None:
    """They are paths, or repositories of the Hub."""
    assert is_short_name(place) is is_short


def test_the_shipped_list_names_archives_that_are_there() -> None:
    """Those that lie beside it, by their hashes; `unpack` compares them."""
    known = ReleaseList.read(SHIPPED_LIST)
    assert "demo" in [release.name for release in known.releases]
    for release in known.releases:
        if not release.address.startswith("http"):
            assert (SHIPPED_LIST.parent / release.address).is_file()


@pytest.fixture
def results(tiny: Path, tmp_path: Path) -> Path:
    """Return a folder with a result on the tiny release."""
    predict(tiny, "majority", tmp_path / "p.jsonl")
    result = score(tiny, tmp_path / "p.jsonl", ModelInfo(name="majority", organisation="us", revision="1"))
    result.write(tmp_path / "results/us__majority/1/result.json")
    return tmp_path / "results"


def test_results_travel_with_a_release(tiny: Path, results: Path, tmp_path: Path) -> None:
    """The leaderboard is collected from the unpacked folder."""
    path = tmp_path / "with.tar.gz"
    packed = run("pack", tiny, "-o", path, "--results", results)
    assert packed.exit_code == 0, packed.output
    done = run("download", path, "-o", tmp_path / "out")
    assert "results of 1 models" in done.stdout
    assert open_and_verify(tmp_path / "out", Silence()) == []
    board = run(
        "leaderboard", tmp_path / "out/results", "--release", tmp_path / "out", "-o", tmp_path / "b.json"
    )
    assert board.exit_code == 0, board.output


def test_results_of_another_release_are_neither_packed_nor_unpacked(
    tiny: Path, results: Path, tmp_path: Path
) -> None:
    """A result names the manifest that it is about."""
    path = results / "us__majority/1/result.json"
    text = path.read_text(encoding="utf-8")
    own = Release.open(tiny).manifest_sha256
    # The signature has the beginning of the hash.
    changed = text.replace(own, own[:12] + "0" * 52)
    path.write_text(changed, encoding="utf-8")
    with pytest.raises(UserError, match="score the model on this release"):
        pack(Release.open(tiny), tmp_path / "with.tar.gz", Silence(), results_dir=results)
    archive = pack(Release.open(tiny), tmp_path / "with.tar.gz", Silence()).path
    for data, fault in ((path.read_bytes(), "not of mr-tiny"), (b"{}", "schema is None")):
        evil = rewritten(archive, {tarfile.TarInfo("results/us__majority/1/result.json"): data})
        with pytest.raises(UserError, match=fault) as caught:
            unpack(str(evil), tmp_path / "out", [], Silence(), sha256=None, is_offline=False)
        assert "evil.tar.gz: results/us__majority/1/result.json" in caught.value.message
        assert not (tmp_path / "out").exists()


def test_results_in_other_places_are_refused(tiny: Path, results: Path, tmp_path: Path) -> None:
    """A folder without any, too."""
    shutil.move(results / "us__majority/1/result.json", results / "result.json")
    with pytest.raises(UserError, match=r"result\.json: expected"):
        pack(Release.open(tiny), tmp_path / "with.tar.gz", Silence(), results_dir=results)
    (results / "result.json").unlink()
    with pytest.raises(UserError, match="holds no"):
        pack(Release.open(tiny), tmp_path / "with.tar.gz", Silence(), results_dir=results)
