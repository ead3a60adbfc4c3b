"""The wheel, in an environment without torch, checks and scores."""

import json
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import hardfrost

ROOT = Path(hardfrost.__file__).parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment into which the wheel was installed with its own dependencies alone."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT], check=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    constraints = ["--constraint", str(ROOT / "constraints.txt")]
    subprocess.run([*pip, "--python", python, "install", *constraints, wheel], check=True)
    return folder / "venv" / "bin"


def test_the_wheel_checks_and_scores_without_torch(installed: Path, tiny: Path, tmp_path: Path) -> None:
    """Outside the checkout, as a submitter has it."""

    def call(*arguments: str | Path) -> str:
        command = [installed / "hardfrost", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    packages = subprocess.run(
        [
            installed / "python",
            "-c",
            "import importlib.util as u; print(u.find_spec('torch'), u.find_spec('sklearn'))",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert packages.split() == ["None", "None"]
    call("predict", tiny, "--model", "majority", "-o", "predictions.jsonl")
    assert "no problems" in call("check", tiny, "predictions.jsonl")
    call("score", tiny, "predictions.jsonl", "--model-name", "majority", "-o", "result.json")
    assert json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["overall"] is not None
    call("leaderboard", tmp_path, "-o", "leaderboard.json")
    call("site", "leaderboard.json", "--release", tiny, "-o", "site")
    assert (tmp_path / "site" / "index.html").is_file()
    call("submit", tiny, "predictions.jsonl", "--model-name", "majority", "--results", "results")
    assert "as scored anew" in call("recheck", "results", "--release", tiny)
    assert "pull_request" in call("recheck", "--workflow")


def test_the_wheel_packs_downloads_and_lists_what_it_would_publish(
    installed: Path, tiny: Path, tmp_path: Path
) -> None:
    """With cards and templates from the wheel; without the Hub's client, whoever needs it is told."""

    def call(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [installed / "hardfrost", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    listed = call("publish", tiny, "--repo", "frost/tiny", "--dry-run")
    assert "DATASHEET.md" in listed.stdout, listed.stderr
    assert call("pack", tiny, "-o", "tiny.tar.gz").returncode == 0
    assert "every hash as frozen" in call("download", "tiny.tar.gz", "-o", "again").stdout
    refused = call("download", "frost/tiny", "-o", "other")
    assert refused.returncode == 1
    assert "pip install hardfrost[hub]" in refused.stderr


def test_the_wheel_holds_recipes_and_templates_and_no_tests(installed: Path) -> None:
    """What a build and a site need at run time."""
    code = (
        "import builder.recipe.recipe_file as r; print(sorted(p.stem for p in r.RECIPES_PATH.glob('*.yaml')))"
    )
    shown = subprocess.run(
        [installed / "python", "-c", code], capture_output=True, text=True, check=False, cwd="/"
    )
    assert "'tiny'" in shown.stdout, shown.stderr
    (site,) = (installed.parent / "lib").glob("python*/site-packages")
    assert not (site / "tests").exists()
    assert not (site / "benchmarks").exists()
