"""Results that claim what their predictions do not show are refused, wherever the claim stands."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from made_releases import make_release
from made_reports import STEADY, write_predictions

import hardfrost

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release with a dimension of which no case was frozen."""
    return make_release(tmp_path_factory.mktemp("forged") / "release", has_empty_cell=True)


@pytest.fixture
def results(release: Path, tmp_path: Path) -> Path:
    """Return a folder with one honest submission."""
    predictions = write_predictions(tmp_path / "mine.jsonl", STEADY)
    options = ["--model-name", "mine", "--organisation", "me", "--revision", "1", "--results", tmp_path / "r"]
    assert run("submit", release, predictions, *options).exit_code == 0
    return tmp_path / "r"


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments])


def forged(results: Path, change: Change) -> Path:
    """Change the result by hand."""
    (path,) = results.glob("*/*/result.json")
    raw = json.loads(path.read_text(encoding="utf-8"))
    change(raw)
    path.write_text(json.dumps(raw), encoding="utf-8")
    return path


def empty_cell(raw: dict[str, Any]) -> dict[str, Any]:
    """Return the cell without cases."""
    cell: dict[str, Any] = raw["tasks"]["mr"]["dimensions"]["novel"]["rule"]
    assert cell["degrees"] == {}
    return cell


def full_cell(raw: dict[str, Any]) -> dict[str, Any]:
    """Return the cell with cases."""
    cell: dict[str, Any] = raw["tasks"]["mr"]["dimensions"]["typo-malicious"]["rule"]
    return cell


IN_EMPTY_CELLS: dict[str, Change] = {
    "average": lambda raw: empty_cell(raw).update(average={"ewma": 1.0}),
    "worst": lambda raw: empty_cell(raw).update(worst={"ewma": 1.0}),
    "worst@k": lambda raw: empty_cell(raw).update(worst_at_k={"5": 1.0}),
    "interval": lambda raw: empty_cell(raw).update(worst_at_k_ci={"5": [0.9, 1.0]}),
    "samples": lambda raw: empty_cell(raw).update(worst_at_k_samples={"5": 9}),
    "metrics": lambda raw: empty_cell(raw).update(metrics={"glory/average": 1.0}),
    "metric's interval": lambda raw: empty_cell(raw).update(metrics_ci={"glory/average": [1.0, 1.0]}),
    "used degree": lambda raw: empty_cell(raw).update(degrees_used=["0.1"], average={"ewma": 1.0}),
    "tier": lambda raw: empty_cell(raw).update(transferable={"accuracy": 1.0, "n_cases": 9, "n_samples": 9}),
    "no used degree": lambda raw: full_cell(raw).update(degrees_used=[]),
}


@pytest.mark.parametrize("change", IN_EMPTY_CELLS.values(), ids=IN_EMPTY_CELLS)
def test_a_figure_in_a_cell_without_cases_is_refused_everywhere(
    results: Path, release: Path, change: Change
) -> None:
    """By recheck and by leaderboard, with and without the release; both name file and cell."""
    path = forged(results, change)
    rechecked = run("recheck", results, "--release", release)
    assert rechecked.exit_code == 1
    assert "me__mine/1: REFUSED" in rechecked.output
    for more in ([], ["--release", release]):
        board = run("leaderboard", results, "-o", results.parent / "board.json", *more)
        assert board.exit_code == 1
        assert f"{path}: tasks.mr.dimensions." in str(board.exception)
        assert "score the predictions again" in str(board.exception)
    assert not (results.parent / "board.json").exists()


@pytest.mark.parametrize("change", IN_EMPTY_CELLS.values(), ids=IN_EMPTY_CELLS)
def test_a_leaderboard_by_hand_shows_no_figure_of_a_cell_without_cases(
    results: Path, change: Change, tmp_path: Path
) -> None:
    """A site would show it in a setting in which all others have a dash."""
    board_path = tmp_path / "board.json"
    assert run("leaderboard", results, "-o", board_path).exit_code == 0
    board = json.loads(board_path.read_text(encoding="utf-8"))
    change(board["entries"][0]["result"])
    board_path.write_text(json.dumps(board), encoding="utf-8")
    shown = run("site", board_path, "-o", tmp_path / "site")
    assert shown.exit_code == 1
    assert "tasks.mr.dimensions." in str(shown.exception)
    assert not (tmp_path / "site").exists()


LEFT_OUT_OR_OTHERWISE: dict[str, tuple[Change, str]] = {
    "interval left out": (
        lambda raw: full_cell(raw)["degrees"]["0.1"].pop("average_ci"),
        "degrees.0.1.average_ci: claims None",
    ),
    "interval null": (lambda raw: raw["overall"].update(clean_ci=None), "overall.clean_ci: claims None"),
    "samples left out": (
        lambda raw: full_cell(raw).pop("worst_at_k_samples"),
        "worst_at_k_samples.1: claims",
    ),
    "samples empty": (
        lambda raw: full_cell(raw).update(worst_at_k_samples={}),
        "worst_at_k_samples.1: claims",
    ),
    "samples": (
        lambda raw: full_cell(raw)["worst_at_k_samples"].update({"1": 99}),
        "worst_at_k_samples.1: claims 99",
    ),
    "reason": (lambda raw: empty_cell(raw).update(not_scored="a lie"), "not_scored: claims 'a lie'"),
    "cell left out": (lambda raw: raw["tasks"]["mr"]["dimensions"].pop("novel"), "novel: claims None"),
    "cell that is none": (
        lambda raw: raw["tasks"]["mr"]["dimensions"].update({"new": {"rule": empty_cell(raw)}}),
        "dimensions.new: claims",
    ),
    "a little more": (
        lambda raw: raw["overall"]["average"].update(ewma=raw["overall"]["average"]["ewma"] + 2e-6),
        "overall.average.ewma: claims",
    ),
    "a little more at one degree": (
        lambda raw: full_cell(raw)["degrees"]["0.1"].update(
            average=full_cell(raw)["degrees"]["0.1"]["average"] - 2e-6
        ),
        "degrees.0.1.average: claims",
    ),
    "parameters": (lambda raw: raw["model"].update(n_parameters=10**4000), "model.n_parameters"),
    "seed": (lambda raw: raw["settings"].update(seed=10**4000), "settings.seed"),
}


@pytest.mark.parametrize(("change", "said"), LEFT_OUT_OR_OTHERWISE.values(), ids=LEFT_OUT_OR_OTHERWISE)
def test_a_result_of_the_same_version_has_all_that_scoring_gives(
    results: Path, release: Path, change: Change, said: str
) -> None:
    """What is left out differs as well as what is changed."""
    assert run("recheck", results, "--release", release).output == "me__mine/1: as scored anew\n"
    forged(results, change)
    refused = run("recheck", results, "--release", release)
    assert refused.exit_code == 1
    assert said in refused.output


@pytest.mark.parametrize("version", ["99.0", "the best", "0"])
def test_only_an_older_version_may_leave_figures_out(results: Path, release: Path, version: str) -> None:
    """A version that does not exist yet, or never will, cannot be checked with this one."""

    def change(raw: dict[str, Any]) -> None:
        raw["signature"] = raw["signature"].replace(
            f"version:{raw['evaluator_version']}", f"version:{version}"
        )
        raw["evaluator_version"] = version
        del raw["tasks"]["mr"]["dimensions"]["novel"]

    forged(results, change)
    checked = run("recheck", results, "--release", release)
    assert checked.exit_code == (0 if version == "0" else 1), checked.output
    assert ("which is no older version than" in checked.output) == (version != "0")


def test_one_bad_submission_never_ends_the_checks_of_the_others(
    results: Path, release: Path, tmp_path: Path
) -> None:
    """A file that aborts its reader, a result at the wrong place, a strange name: each is refused by name."""
    answers = [json.loads(line) for line in (tmp_path / "mine.jsonl").read_text("utf-8").splitlines()]
    pq.write_table(
        pa.Table.from_pylist(answers), tmp_path / "p.parquet", store_schema=False, use_dictionary=False
    )
    for name in ("aborts", "sound"):
        options = ["--model-name", name, "--organisation", "a", "--revision", "1", "--results", results]
        assert run("submit", release, tmp_path / "p.parquet", *options).exit_code == 0
    (stored,) = results.glob("a__aborts/1/predictions.parquet")
    data = stored.read_bytes()
    # The schema says that ids have no gaps, the statistics count them: Arrow ends its process.
    stored.write_bytes(data.replace(b"\x25\x02\x18\x02id", b"\x25\x00\x18\x02id"))
    assert stored.read_bytes() != data
    (results / "stray.json").write_text("{}", encoding="utf-8")
    odd = results / os.fsdecode(b"a__\xff\x1b[31m") / "1"
    odd.mkdir(parents=True)
    (odd / "result.json").write_text("{}", encoding="utf-8")
    for more in ([], ["--json"]):
        checked = run("recheck", results, "--release", release, *more)
        assert checked.exit_code == 1
        assert str(checked.exception) == "3 submissions refused"
        assert "\x1b" not in checked.output
    told = json.loads(checked.stdout)
    outcome = {entry["place"]: entry["problems"] for entry in told["submissions"]}
    assert outcome.pop("me__mine/1") == []
    assert outcome.pop("a__sound/1") == []
    assert "damaged" in outcome["a__aborts/1"][0]
    assert "no submission" in outcome["stray.json"][0]
    assert len(outcome) == 3
