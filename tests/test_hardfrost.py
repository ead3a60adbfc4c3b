"""The command line: light to start, clear when something is wrong, and whole from build to site."""

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import hardfrost
from contract.machine.disk import file_trouble
from contract.machine.whole_files import write_text
from contract.release.release import Release
from flows.command_line import entry
from flows.command_line.entry import COMMANDS
from flows.command_line.parts import REGISTRIES, registry
from flows.demo import CARELESS, LEANING, TRAINED

ROOT = Path(hardfrost.__file__).parent
HEAVY = {
    "torch",
    "pandas",
    "transformers",
    "datasets",
    "sklearn",
    "pyarrow",
    "numpy",
    "rich",
    "pydantic",
    "yaml",
}

MODELS = {"torch", "transformers", "sentence_transformers", "sklearn", "scipy", "pandas", "datasets", "spacy"}


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments])


def test_help_imports_nothing_heavy_and_lists_every_command() -> None:
    """`hardfrost --help` answers at once."""
    code = (
        "import sys, click.testing, hardfrost\n"
        "out = click.testing.CliRunner().invoke(hardfrost.cli, ['--help']).output\n"
        "print(out); print('IMPORTED', *sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    shown, _, imported = done.stdout.partition("IMPORTED")
    assert not HEAVY & set(imported.split())
    assert all(f"\n  {name} " in shown for name in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "most_modules"),
    [(["list", "dimensions"], 900), (["info", "RELEASE"], 700), (["build", "default", "--plan"], 1000)],
)
def test_what_needs_no_model_imports_none(arguments: list[str], most_modules: int, tiny: Path) -> None:
    """Modules are what a command without a model waits for; torch alone would more than double them."""
    code = (
        "import sys, click.testing, hardfrost\n"
        "result = click.testing.CliRunner().invoke(hardfrost.cli, sys.argv[1:])\n"
        "print(result.exit_code, *sys.modules)"
    )
    given = [str(tiny) if argument == "RELEASE" else argument for argument in arguments]
    done = subprocess.run(
        [sys.executable, "-c", code, *given], capture_output=True, text=True, check=True, cwd=ROOT
    )
    exit_code, *modules = done.stdout.split()
    assert exit_code == "0"
    assert not MODELS & set(modules)
    assert len(modules) <= most_modules


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_explains_itself(name: str) -> None:
    """Each has a help text."""
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "Usage:" in result.output


@pytest.mark.parametrize("what", list(REGISTRIES))
def test_list_shows_every_part_with_its_summary(what: str) -> None:
    """For people and for scripts."""
    listed = json.loads(run("list", what, "--json").output)
    assert [part["name"] for part in listed] == list(registry(what))
    assert all(part["summary"] for part in listed)
    assert listed[0]["summary"] in run("list", what).output


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        (["build", "nothing", "-o", "x"], 3, "no recipe 'nothing'"),
        (["build", "tiny"], 2, "say where the release goes"),
        (["build", "tiny", "-o", "x", "--surrogates", "bert"], 2, "unknown surrogate 'bert'"),
        (["verify", "."], 3, "not a release"),
        (["predict", ".", "--model", "vadr", "-o", "x.jsonl"], 2, "did you mean 'vader'?"),
    ],
)
def test_a_users_fault_is_printed_alone_with_its_exit_code(
    arguments: list[str], exit_code: int, message: str, tmp_path: Path
) -> None:
    """No traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "hardfrost", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == exit_code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_plan_says_what_would_be_done_and_what_is_done(tiny: Path) -> None:
    """The resolved recipe, then the units; after the build they are done."""
    planned = json.loads(run("build", "tiny", "--plan", "--json").output)
    assert planned["recipe"]["name"] == "mr-tiny"
    assert [unit["is_done"] for unit in planned["units"]] == [True, True]
    other = run("build", "default", "--plan")
    assert "todo mr typo-malicious rule mr-" in other.output
    assert "name: mr-default" in other.output


def test_verify_info_and_diff_on_a_release(tiny: Path, tmp_path: Path) -> None:
    """Exit 0 when all is as frozen, 4 when not; diff exits 1 when rows differ."""
    assert run("verify", tiny).exit_code == 0
    shown = run("info", tiny).output
    assert "typo-malicious" in shown
    assert "reads-as" in shown or "carry" in shown
    manifest = json.loads(run("info", tiny, "--json").output)
    assert manifest["name"] == "mr-tiny"
    shares = [f"{row['n_samples_frozen'] / row['n_carrying']:.2f}" for row in manifest["funnel"]]
    shown_shares = re.findall(r" (\d\.\d\d) ", shown.partition("present")[2])
    assert shown_shares == shares
    assert run("diff", tiny, tiny).output == "the same rows in every split\n"
    other = tmp_path / "other"
    assert run("build", "tiny", "-o", other, "--surrogates", "").exit_code == 0
    different = run("diff", tiny, other)
    assert different.exit_code == 1
    assert "data/mr/typo-general/rule/degree_10.parquet: 0 rows only in" in different.output
    (other / "data/mr/clean.parquet").write_bytes(b"spoilt")
    spoilt = run("verify", other)
    assert spoilt.exit_code == 4
    assert "data/mr/clean.parquet" in spoilt.output


def test_the_demo_runs_from_recipe_to_site(tmp_path: Path, tiny: Path) -> None:
    """Release, predictions, results, leaderboard and site, and the path to open.

    On its board a constant, a random answer and a lexicon that leans are below all trained models.
    """
    result = run("demo", "--recipe", "tiny", "-o", tmp_path / "demo")
    assert result.exit_code == 0, result.output
    page = tmp_path / "demo/site/index.html"
    assert f"Open {page.resolve()}" in result.output
    assert "typo-malicious" in page.read_text(encoding="utf-8")
    assert Release.open(tmp_path / "demo/release").manifest == Release.open(tiny).manifest
    leaderboard = json.loads((tmp_path / "demo/leaderboard.json").read_text(encoding="utf-8"))
    by_name = {entry["result"]["model"]["name"]: entry for entry in leaderboard["entries"]}
    surrogates = {name for name, entry in by_name.items() if entry["result"]["model"]["is_surrogate_family"]}
    assert surrogates == {"word-tfidf"}
    assert len(by_name) - len(surrogates) >= 8
    score = {name: entry["result"]["overall"]["worst"]["ewma"] for name, entry in by_name.items()}
    worst_trained = min(score[model.name] for model in TRAINED)
    assert all(score[model.name] < worst_trained for model in (*CARELESS, LEANING))
    assert score["majority"] == 0
    traced = [trace_lines(tmp_path / "demo/release", sample) for sample in sample_ids(tiny)]
    assert any(line.endswith(": KEPT") for lines in traced for line in lines)
    dropped = [line for lines in traced for line in lines if "dropped: " in line]
    assert dropped
    assert all(line.startswith("  case 1: dropped: reads-as-") for line in dropped)
    assert {path.name for path in (tmp_path / "demo").iterdir()} == {
        "release",
        "predictions",
        "results",
        "leaderboard.json",
        "site",
    }


def sample_ids(release: Path) -> list[str]:
    """Return the samples of a release."""
    opened = Release.open(release)
    (clean,) = opened.splits(dimension="clean")
    ids: list[str] = opened.table(clean, ["sample_id"])["sample_id"].to_pylist()
    return ids


def trace_lines(release: Path, sample: str) -> list[str]:
    """Return what `trace` prints about a sample."""
    result = run("trace", release, sample)
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def test_clean_says_what_it_frees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And asks first."""
    monkeypatch.setenv("HARDFROST_CACHE", str(tmp_path))
    (tmp_path / "units").mkdir()
    (tmp_path / "units/x").write_bytes(b"0" * 2_000_000)
    refused = CliRunner().invoke(hardfrost.cli, ["clean"], input="n\n")
    assert "units: 2.0 MB" in refused.output
    assert (tmp_path / "units/x").exists()
    said = json.loads(run("clean", "--yes", "--json").stdout)
    assert said["freed"]["units"] == {"files": 1, "bytes": 2_000_000}
    assert said["bytes"] == 2_000_000
    assert not (tmp_path / "units/x").exists()


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (errno.EACCES, "result.json: cannot be read or written (Permission denied); change its permissions"),
        (errno.EROFS, "result.json: cannot be read or written (Read-only file system); change its"),
        (errno.ENOSPC, "result.json: No space left on device; make room there, then run the command again"),
    ],
)
def test_a_file_that_cannot_be_written_is_named_without_a_traceback(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: int,
    expected: str,
) -> None:
    """Neither the temporary file nor the line of code is a user's business; nothing is left behind."""

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    def write() -> None:
        write_text(tmp_path / "result.json", "{}")

    monkeypatch.setattr(os, "fsync", refuse)
    monkeypatch.setattr(entry, "cli", write)
    with pytest.raises(SystemExit) as caught:
        hardfrost.main()
    assert caught.value.code == 1
    assert capsys.readouterr().err.startswith(f"{tmp_path}/{expected}")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_a_file_is_named_without_a_traceback(tmp_path: Path) -> None:
    """A slip of the finger in -o."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file") as caught:
        write_text(tmp_path / "file" / "result.json", "{}")
    assert f"{tmp_path / 'file'}: cannot be read or written" in str(file_trouble(caught.value))


def test_other_faults_keep_their_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are bugs."""

    def fail() -> None:
        raise KeyError("x")

    monkeypatch.setattr(entry, "cli", fail)
    with pytest.raises(KeyError):
        hardfrost.main()


@pytest.mark.parametrize("name", ["score", "predict", "template", "leaderboard", "report"])
def test_an_output_that_is_a_folder_is_refused_before_the_work(tmp_path: Path, name: str) -> None:
    """Nobody waits for a result that has no place."""
    more = {"score": ["y", "--model-name", "m"], "predict": ["--model", "majority"]}
    result = run(name, tmp_path / "x", *more.get(name, []), "-o", tmp_path)
    assert result.exit_code == 2
    assert "is a directory" in result.output
