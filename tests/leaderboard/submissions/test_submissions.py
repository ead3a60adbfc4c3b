"""Submitting and checking again: what is written where, and what is refused."""

import gzip
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from made_releases import make_release
from made_reports import STEADY, WEAK, write_predictions

import hardfrost
from contract.machine.hashes import hash_of_file
from contract.schema.results import ModelInfo
from flows.command_line.entry import COMMANDS
from leaderboard.submissions.rechecking import WORKFLOW_PATH
from leaderboard.submissions.submissions import folder_of_model


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release of three samples."""
    return make_release(tmp_path_factory.mktemp("submissions") / "release")


@pytest.fixture(scope="module")
def predictions(release: Path) -> Path:
    """Return the predictions of a model that holds out at the lower degree."""
    return write_predictions(release.with_name("mine.jsonl"), STEADY)


@pytest.fixture(scope="module")
def other_predictions(release: Path) -> Path:
    """Return the predictions of a model that falls at once."""
    return write_predictions(release.with_name("other.jsonl"), WEAK)


@pytest.fixture
def results(release: Path, predictions: Path, tmp_path: Path) -> Path:
    """Return a folder with one submission, in a Git repository that has committed it."""
    folder = tmp_path / "board" / "results"
    submitted = submit(release, predictions, folder)
    assert submitted.exit_code == 0, submitted.output
    git(folder.parent, "init", "--quiet")
    commit(folder.parent)
    return folder


def submit(release: Path, file: Path, results: Path, *more: str) -> Result:
    """Submit a file as the model `mine` of `me`."""
    options = ["--model-name", "mine", "--organisation", "me", "--revision", "1.0", "--results", results]
    return run("submit", release, file, *options, *more)


def git(folder: Path, *arguments: str) -> None:
    """Run git with a made-up author."""
    who = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"]
    program = shutil.which("git") or "git"
    subprocess.run([program, *who, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    """Commit everything."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "x")


def forge(path: Path, change: Any) -> None:
    """Change a result by hand."""
    raw = json.loads(path.read_text(encoding="utf-8"))
    change(raw)
    path.write_text(json.dumps(raw), encoding="utf-8")


def test_a_submission_holds_result_and_predictions_and_says_what_the_pull_request_says(
    results: Path, predictions: Path, release: Path
) -> None:
    """Title, empty line, Markdown; the result names the file that lies beside it."""
    folder = results / "me__mine" / "1.0"
    assert {path.name for path in folder.iterdir()} == {"result.json", "predictions.jsonl.gz"}
    stored = folder / "predictions.jsonl.gz"
    assert gzip.decompress(stored.read_bytes()) == predictions.read_bytes()
    raw = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert raw["predictions"]["sha256"] == hash_of_file(stored)
    text = submit(release, predictions, results).stdout
    title, empty, *body = text.splitlines()
    assert (title, empty) == ("Add mine to robust-reviews 1.0.0", "")
    assert f"- signature: `{raw['signature']}`" in body
    overall = raw["overall"]["worst"]["ewma"]
    assert any(line.startswith(f"| **robustness** (rule) | {100 * overall:.1f} (") for line in body)
    assert sum(line.startswith("| `rule` `typo-") for line in body) == 1
    assert sum(line.startswith("- [ ] ") for line in body) == 4


def test_a_report_finds_the_predictions_of_a_submission(results: Path, release: Path, tmp_path: Path) -> None:
    """And leaves out a file that is not the one that was scored."""
    (result,) = results.glob("*/*/result.json")
    page = tmp_path / "report.html"
    hint = "Give --release and --predictions as well"
    assert run("report", result, "--release", release, "-o", page).exit_code == 0
    assert hint not in page.read_text(encoding="utf-8")
    (stored,) = result.parent.glob("predictions.*")
    stored.write_bytes(gzip.compress(b"other"))
    assert run("report", result, "--release", release, "-o", page).exit_code == 0
    assert hint in page.read_text(encoding="utf-8")


def test_another_result_is_replaced_only_when_told(
    results: Path, release: Path, predictions: Path, other_predictions: Path
) -> None:
    """The same one may be written again; a refused one leaves everything as it was."""
    path = results / "me__mine" / "1.0" / "result.json"
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    assert submit(release, predictions, results).exit_code == 0
    refused = submit(release, other_predictions, results)
    assert refused.exit_code == 1
    assert "add --replace" in str(refused.exception)
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before
    as_csv = other_predictions.with_name("other.csv")
    rows = [json.loads(line) for line in other_predictions.read_text(encoding="utf-8").splitlines()]
    lines = ["id,prediction", *(f"{row['id']},{row['prediction']}" for row in rows)]
    as_csv.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert submit(release, as_csv, results, "--replace").exit_code == 0
    assert {file.name for file in path.parent.iterdir()} == {"result.json", "predictions.csv.gz"}
    assert run("recheck", results, "--release", release).exit_code == 0


def test_bad_predictions_are_refused_by_the_name_their_author_knows(release: Path, tmp_path: Path) -> None:
    """With the line, and nothing is written."""
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "nobody", "prediction": "positive"}\n', encoding="utf-8")
    refused = submit(release, bad, tmp_path / "results")
    assert f"{bad}:1" in str(refused.exception)
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda raw: raw["overall"]["average"].update(ewma=0.99), "overall.average.ewma: claims 0.99"),
        (
            lambda raw: raw["replicates"]["average"].__setitem__(3, 0.125),
            "replicates.average.3: claims 0.125",
        ),
        (lambda raw: raw["model"].update(name="yours"), "its names give the folder me__yours/1.0"),
        (lambda raw: raw["predictions"].update(rows=1), "predictions.rows: claims 1"),
        (lambda raw: raw["measurements"].update(glory=1.0), "measurements.glory: claims 1.0"),
        (lambda raw: raw["overall"].update(clean_ci=[0.99, 1.0]), "overall.clean_ci.0: claims 0.99"),
        (lambda raw: raw["tasks"]["mr"]["clean"].pop("balanced_ci"), "clean.balanced_ci: claims None"),
        (lambda raw: raw.pop("replicates"), "replicates: claims None"),
        (lambda raw: raw["tasks"]["mr"]["dimensions"].clear(), "tasks.mr.dimensions.typo-malicious: claims"),
        (
            lambda raw: raw["tasks"]["mr"]["dimensions"]["typo-malicious"]["rule"]["degrees"].pop("0.1"),
            "typo-malicious.rule: uses degree '0.1' but has no scores at it",
        ),
    ],
    ids=[
        "overall",
        "draw",
        "name",
        "rows",
        "measurement",
        "interval",
        "no skill",
        "no draws",
        "no dimension",
        "no degree",
    ],
)
def test_a_result_that_scoring_does_not_give_is_refused(
    results: Path, release: Path, change: Any, said: str
) -> None:
    """Whatever the figure."""
    forge(results / "me__mine" / "1.0" / "result.json", change)
    refused = run("recheck", results, "--release", release)
    assert refused.exit_code == 1
    assert said in refused.output
    assert "me__mine/1.0: REFUSED" in refused.output


def test_a_newer_version_may_check_an_older_result(results: Path, release: Path) -> None:
    """Only figures count, and those that it does not have yet are not missed."""

    def age(raw: dict[str, Any]) -> None:
        raw["signature"] = raw["signature"].replace(raw["evaluator_version"], "0.0.9")
        raw["evaluator_version"] = "0.0.9"
        for task in raw["tasks"].values():
            for settings in task["dimensions"].values():
                for score in settings.values():
                    score.pop("worst_at_k_ci")
                    for degree in score["degrees"].values():
                        degree.pop("metrics_ci")
                        degree.pop("attack_success_rate_ci")

    forge(results / "me__mine" / "1.0" / "result.json", age)
    assert run("recheck", results, "--release", release).output == "me__mine/1.0: as scored anew\n"


def test_what_is_missing_hidden_or_a_link_is_refused(results: Path, release: Path, tmp_path: Path) -> None:
    """Every result of a leaderboard is scored again."""
    folder = results / "me__mine" / "1.0"

    def problem() -> str:
        outcome = run("recheck", results, "--release", release)
        assert outcome.exit_code == 1
        return outcome.output + str(outcome.exception)

    for stray in ("stray.json", "me__mine/stray.json", "me__mine/1.0/deep/result.json"):
        (results / stray).parent.mkdir(exist_ok=True)
        shutil.copy(folder / "result.json", results / stray)
        assert "no submission" in problem()
        (results / stray).unlink()
    (folder / "deep").rmdir()
    shutil.copy(folder / "result.json", folder / "second.json")
    assert "does not belong to a submission" in problem()
    (folder / "second.json").unlink()
    stored = (folder / "predictions.jsonl.gz").rename(tmp_path / "predictions.jsonl.gz")
    assert "no predictions files" in problem()
    (folder / "predictions.jsonl.gz").symlink_to(stored)
    assert "not a plain file" in problem()


def test_only_what_changed_since_a_revision_is_scored_again(
    results: Path, release: Path, other_predictions: Path
) -> None:
    """New submissions, changed ones and removed ones; the rest is left alone."""
    again = ["recheck", results, "--release", release, "--since", "HEAD^1"]
    commit(results.parent)
    assert run(*again).output == ""
    options = ["--model-name", "théirs", "--organisation", "them", "--results", results]
    assert run("submit", release, other_predictions, *options).exit_code == 0
    commit(results.parent)
    place = folder_of_model(ModelInfo(name="théirs", organisation="them"))
    assert run(*again).output == f"{place}: as scored anew\n"
    shutil.rmtree(results / "me__mine")
    commit(results.parent)
    removed = run(*again)
    assert removed.exit_code == 1
    assert "me__mine/1.0: REFUSED\n  the submission is removed" in removed.output
    unknown = run("recheck", results, "--release", release, "--since", "--output=x")
    assert "git cannot compare" in str(unknown.exception)
    assert not (results / "x").exists()
    named = run("recheck", results, results / place, "--release", release)
    assert named.output == f"{place}: as scored anew\n"


def test_the_workflow_runs_as_it_is_shipped(
    results: Path, release: Path, other_predictions: Path, tmp_path: Path
) -> None:
    """Its steps are run here on pull requests and pushes that are honest, and on some that are not."""
    text = run("recheck", "--workflow").output
    assert text == WORKFLOW_PATH.read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    # YAML reads the key `on` as a truth value.
    assert workflow[True] == {"pull_request": {"paths": ["results/**"]}, "push": {"branches": ["main"]}}
    assert workflow["permissions"] == {"contents": "read"}
    steps = workflow["jobs"]["recheck"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    # No text from a submitter is pasted into a shell.
    assert not any("${{" in command for command in commands)
    called = [command.split()[1] for command in commands if command.startswith("hardfrost ")]
    assert called == ["download", "recheck", "recheck", "leaderboard"]
    assert set(called) <= set(COMMANDS)

    archive = tmp_path / "release.tar.gz"
    assert run("pack", release, "-o", archive).exit_code == 0
    environment = os.environ | {
        "RELEASE": str(archive),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }

    def outcome_of(event: str, name: str) -> int:
        """Commit all files and return the exit code of the steps of an event, without the installing one."""
        (tmp_path / name).mkdir()
        commit(results.parent)
        own = [
            step["run"]
            for step in steps
            if "run" in step and step.get("if", event).strip("'").endswith(event)
        ]
        for command in own[1:]:
            done = subprocess.run(
                [shutil.which("bash") or "bash", "-e", "-c", command],
                cwd=results.parent,
                env=environment | {"RUNNER_TEMP": str(tmp_path / name)},
                capture_output=True,
                check=False,
            )
            if done.returncode:
                return done.returncode
        return 0

    options = ["--model-name", "theirs", "--results", results]
    assert run("submit", release, other_predictions, *options).exit_code == 0
    assert outcome_of("pull_request", "honest") == 0
    forge(
        results / "anonymous__theirs" / "unversioned" / "result.json",
        lambda raw: raw["overall"]["worst"].update(ewma=0.9),
    )
    assert outcome_of("pull_request", "forged") == 4
    # Merged all the same, behind an unrelated commit: a push looks at everything.
    (results.parent / "README.md").write_text("unrelated", encoding="utf-8")
    assert outcome_of("push", "merged") == 4


def test_the_workflow_installs_this_version_and_says_what_to_protect() -> None:
    """Submitters score with what checks them; the file cannot guard itself."""
    text = WORKFLOW_PATH.read_text(encoding="utf-8")
    project = tomllib.loads((Path(hardfrost.__file__).parent / "pyproject.toml").read_text(encoding="utf-8"))
    packages = yaml.safe_load(text)["env"]["PACKAGES"].split()
    assert f"hardfrost=={project['project']['version']}" in packages
    header = text.partition("name: ")[0]
    assert "CODEOWNERS" in header
    assert "/.github/" in header
