"""What `--json` prints: one JSON document on stdout, everything else on stderr, exit codes as without it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from made_releases import make_release
from made_reports import STEADY, WEAK, write_predictions

import hardfrost
from contract.machine.hashes import hash_of_file

PROGRAM = Path(hardfrost.__file__)


class Run:
    """A command as a script runs it."""

    def __init__(self, *arguments: str | Path) -> None:
        command = [sys.executable, str(PROGRAM), *map(str, arguments), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.code, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr

    def json(self, code: int = 0) -> Any:
        """Return what was printed, which is JSON and nothing else."""
        assert self.code == code, self.stderr
        return json.loads(self.stdout)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release of three samples."""
    return make_release(tmp_path_factory.mktemp("accounts") / "release")


@pytest.fixture
def submitted(release: Path, tmp_path: Path) -> Run:
    """Return the submission of a model into the folder `results`."""
    return submit(release, write_predictions(tmp_path / "mine.jsonl", STEADY), "mine")


def submit(release: Path, file: Path, name: str) -> Run:
    """Submit a file of `me`."""
    options = ["--model-name", name, "--organisation", "me", "--results", file.parent / "results"]
    return Run("submit", release, file, *options)


def test_submit_tells_what_was_checked_and_where_it_is(submitted: Run, tmp_path: Path) -> None:
    """With the words of the pull request in two parts."""
    told = submitted.json()
    folder = tmp_path / "results" / "me__mine" / "unversioned"
    assert (told["place"], told["result"]) == ("me__mine/unversioned", str(folder / "result.json"))
    assert told["predictions"] == str(folder / "predictions.jsonl.gz")
    assert told["sha256"] == hash_of_file(folder / "predictions.jsonl.gz")
    raw = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert (told["rows"], told["absent"], told["signature"]) == (
        raw["predictions"]["rows"],
        [],
        raw["signature"],
    )
    assert told["overall"]["worst"] == raw["overall"]["worst"]["ewma"]
    assert told["overall"]["robustness"] == told["overall"]["worst"]
    assert told["benchmark"] == "robust-reviews@1.0.0"
    assert told["pull_request"]["title"] == "Add mine to robust-reviews 1.0.0"
    assert told["pull_request"]["body"].startswith("- model: `mine`\n")
    assert f"{folder / 'result.json'}: written" in submitted.stderr


def test_submit_lists_the_problems_of_a_file_as_check_does(release: Path, tmp_path: Path) -> None:
    """With the same exit code, and nothing is written."""
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "nobody", "prediction": "positive"}\n', encoding="utf-8")
    told = submit(release, bad, "mine").json(3)
    assert told == Run("check", release, bad).json(3)
    assert told["counts"]["unknown ids"] == 1
    assert not (tmp_path / "results").exists()


def test_recheck_tells_of_each_submission_what_differs(submitted: Run, release: Path, tmp_path: Path) -> None:
    """A refusal still ends with 4."""
    told = submitted.json()
    other = submit(release, write_predictions(tmp_path / "other.jsonl", WEAK), "other").json()
    again = Run("recheck", tmp_path / "results", "--release", release)
    assert again.json() == {
        "benchmark": "robust-reviews@1.0.0",
        "checked": 2,
        "refused": 0,
        "submissions": [
            {"place": name, "is_as_scored": True, "problems": []} for name in (told["place"], other["place"])
        ],
    }
    path = Path(other["result"])
    raw = json.loads(path.read_text(encoding="utf-8"))
    raw["overall"]["average"]["ewma"] = 0.99
    path.write_text(json.dumps(raw), encoding="utf-8")
    refused = Run("recheck", tmp_path / "results", "--release", release)
    found = refused.json(4)
    assert (found["checked"], found["refused"]) == (2, 1)
    assert [each["is_as_scored"] for each in found["submissions"]] == [True, False]
    assert "overall.average.ewma: claims 0.99" in found["submissions"][1]["problems"][0]
    assert "1 submissions refused" in refused.stderr


def test_leaderboard_site_and_report_tell_what_they_wrote(
    submitted: Run, release: Path, tmp_path: Path
) -> None:
    """Entries with ranks, files with sizes, models."""
    result = submitted.json()["result"]
    (tmp_path / "results" / "stray.json").write_text("{}", encoding="utf-8")
    board, figures = tmp_path / "leaderboard.json", tmp_path / "figures.csv"
    listed = Run("leaderboard", tmp_path / "results", "-o", board, "--figures", figures)
    told = listed.json()
    entry = json.loads(board.read_text(encoding="utf-8"))["entries"][0]
    assert (told["output"], told["figures"], told["ignored"]) == (str(board), str(figures), ["stray.json"])
    (only,) = told["entries"]
    assert (only["model"], only["status"], only["rank"]) == ("mine", entry["status"], entry["rank"])
    assert only["overall"]["average"] == entry["result"]["overall"]["average"]["ewma"]
    assert told["ranked"] == (entry["status"] == "ranked")
    assert "not a result, left out" in listed.stderr

    told = Run("site", board, "--release", release, "-o", tmp_path / "site").json()
    sizes = [path.stat().st_size for path in (tmp_path / "site").rglob("*") if path.is_file()]
    assert (told["files"], told["bytes"]) == (len(sizes), sum(sizes))
    assert Path(told["page"]) == Path(told["output"]) / "index.html"
    assert told["versions"] == [{"benchmark": "robust-reviews@1.0.0", "entries": 1}]

    told = Run("report", result, "-o", tmp_path / "report.html").json()
    assert (told["output"], told["benchmark"]) == (str(tmp_path / "report.html"), "robust-reviews@1.0.0")
    assert told["bytes"] == (tmp_path / "report.html").stat().st_size
    assert [(model["model"], model["path"]) for model in told["models"]] == [("mine", result)]


@pytest.mark.parametrize("command", ["leaderboard", "site", "report"])
def test_an_error_leaves_stdout_to_those_who_expect_json(command: str, tmp_path: Path) -> None:
    """What is wrong is said on stderr, with the exit code of a bad input."""
    failed = Run(command, tmp_path / "nothing", "-o", tmp_path / "out")
    assert (failed.code, failed.stdout) == (3, "")
    assert "there is no such" in failed.stderr
