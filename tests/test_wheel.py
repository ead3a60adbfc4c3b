"""The wheel, in an environment without torch, checks and scores."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

import hardfrost

ROOT = Path(hardfrost.__file__).parent


PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
# What mypy must see of an installed package: no name of these may be Any.
TYPED = {
    "classifiers.parse_spec": "def (spec: str) -> ",
    "contract.release.verification.verify": "def (release: contract.release.release.Release, ",
    "builder.recipe.recipe_file.read_recipe": "is_trusted: bool =) -> builder.recipe.recipe.Recipe",
    "evaluator.scoring.score.score": "-> contract.schema.results.Result",
    "leaderboard.pages.site.write_site": "site_dir: pathlib.Path, ",
    "flows.demo.demo": "click.core.Command",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", folder, ROOT], check=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment into which the wheel was installed with its own dependencies alone."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    constraints = ["--constraint", str(ROOT / "constraints.txt")]
    subprocess.run([*PIP, "--python", python, "install", *constraints, wheel], check=True)
    return folder / "bin"


def test_the_wheel_checks_and_scores_without_torch(installed: Path, tiny: Path, tmp_path: Path) -> None:
    """Outside the checkout, as a submitter has it."""

    def call(*arguments: str | Path) -> str:
        command = [installed / "hardfrost", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    packages = subprocess.run(
        [
            installed / "python",
            "-c",
            "import importlib.util as u; print(*map(u.find_spec, ['torch', 'sklearn', 'pandas', 'httpx']))",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert packages.split() == ["None"] * 4
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
    """With cards and templates from the wheel; what needs an extra names it."""

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
    refused = call(
        "predict", tiny, "--model", "api:m", "-o", "p.jsonl", "--base-url", "http://localhost:1/v1"
    )
    assert refused.returncode == 1
    assert "pip install hardfrost[api]" in refused.stderr


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


def test_the_wheel_leaves_out_what_trains_and_studies(wheel: Path) -> None:
    """Of the data cards only the tasks are needed at run time."""
    with ZipFile(wheel) as archive:
        names = [PurePosixPath(name) for name in archive.namelist()]
    assert PurePosixPath("builder/__init__.py") in names
    assert not [name for name in names if name.is_relative_to("builder/making")]
    cards = [name for name in names if name.parts[0] == "data_cards"]
    assert cards
    assert all(name.is_relative_to("data_cards/tasks") for name in cards)
    for package in ("contract", "classifiers", "builder", "evaluator", "leaderboard", "flows"):
        assert PurePosixPath(package, "py.typed") in names


def test_type_checkers_see_the_signatures_of_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """Outside the checkout, where only what a package says of itself counts."""
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    install = ["install", "--no-deps", "--no-index", wheel]
    subprocess.run([*PIP, "--python", python, *install], check=True)
    (site,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    # What the signatures name: to look at every dependency would take a minute.
    for name in ("click", "pydantic", "pydantic_core", "typing_extensions.py"):
        (site / name).symlink_to(Path(sysconfig.get_path("purelib"), name))
    modules = sorted({name.rpartition(".")[0] for name in TYPED})
    lines = [*(f"import {module}" for module in modules), *(f"reveal_type({name})" for name in TYPED)]
    (tmp_path / "reveal.py").write_text("\n".join(lines), encoding="utf-8")
    mypy = [sys.executable, "-m", "mypy", "--config-file=", "--cache-dir", tmp_path / "cache"]
    mypy += ["--ignore-missing-imports"]
    checked = subprocess.run(
        [*mypy, "--python-executable", python, "reveal.py"],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "MYPYPATH"}},
        capture_output=True,
        text=True,
        check=False,
    )
    revealed = [line for line in checked.stdout.splitlines() if "Revealed type is" in line]
    assert len(revealed) == len(TYPED), checked.stdout + checked.stderr
    for line, expected in zip(revealed, TYPED.values(), strict=True):
        assert expected in line
        assert "Any" not in line


def test_the_wheel_brings_a_release_that_needs_nothing_else(installed: Path, tmp_path: Path) -> None:
    """Download, predict, score and site: no torch, no network, no other file."""
    # Whoever asks the network gets no answer.
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HF_ENDPOINT"), "http://127.0.0.1:9")
    environment = {**os.environ, **nowhere}
    for command in (
        ["download", "demo"],
        ["predict", "demo", "--model", "majority", "-o", "predictions.jsonl"],
        ["score", "demo", "predictions.jsonl", "--model-name", "mine", "-o", "demo/results/mine.json"],
        ["leaderboard", "demo/results", "--release", "demo", "-o", "leaderboard.json"],
        ["site", "leaderboard.json", "--release", "demo", "-o", "site"],
    ):
        done = subprocess.run(
            [installed / "hardfrost", *command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    entries = json.loads((tmp_path / "leaderboard.json").read_text(encoding="utf-8"))["entries"]
    assert "mine" in {entry["result"]["model"]["name"] for entry in entries}
    assert len(entries) > 5
    assert (tmp_path / "site" / "index.html").is_file()
