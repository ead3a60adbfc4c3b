"""`hardfrost build --expect` says whether a build gave the benchmark that a manifest froze."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import hardfrost
from contract.machine.errors import UserError


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments])


def test_the_same_recipe_gives_the_expected_benchmark(tiny: Path) -> None:
    """Without an output folder nothing is kept; the tolerance is stated."""
    done = run("build", "tiny", "--expect", tiny / "manifest.json")
    assert done.exit_code == 0, done.output
    assert "the same benchmark: 6 of 6 splits to the last value" in done.stderr
    assert "2% of rows" in done.stderr


def test_other_cases_are_named_and_end_in_exit_4(tiny: Path, tmp_path: Path) -> None:
    """The release is written where it was asked for all the same."""
    path = Path(shutil.copy(tiny / "manifest.json", tmp_path / "expected.json"))
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["splits"][-1] |= {"rows_sha256": "0" * 64, "texts_sha256": "0" * 64}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    done = run("build", "tiny", "--expect", path, "-o", tmp_path / "out")
    assert isinstance(done.exception, UserError)
    assert done.exception.exit_code == 4
    assert f"{manifest['splits'][-1]['path']}: other cases" in done.exception.message
    assert (tmp_path / "out/manifest.json").is_file()


def test_another_recipe_is_refused_before_any_work(tiny: Path) -> None:
    """By the hash of the resolved recipe."""
    done = run("build", "default", "--expect", tiny / "manifest.json")
    with pytest.raises(UserError, match="made by another recipe"):
        raise done.exception or AssertionError
