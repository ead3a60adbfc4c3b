"""Results become one leaderboard, or one message says why they do not belong together."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from made_releases import make_release
from made_results import BENCHMARK, DIMENSIONS, SETTINGS, make_result

from contract.machine.errors import ExitCode, UserError
from contract.release.release import Release
from contract.schema.leaderboards import Leaderboard
from contract.schema.results import BenchmarkInfo, ModelInfo, Result, ScoreSettings
from leaderboard.board.collecting import collect, find_results


def test_results_are_sorted_by_robustness_with_partial_ones_last(tmp_path: Path) -> None:
    """Surrogates stand where their score puts them but hold no rank."""
    _put(tmp_path, make_result("weak", strength=0.5))
    _put(tmp_path, make_result("strong", strength=0.7))
    _put(tmp_path, make_result("partial", is_partial=True))
    surrogate = ModelInfo(name="surrogate", is_surrogate_family=True)
    _put(tmp_path, make_result("surrogate", strength=0.6, model=surrogate))
    board = collect(tmp_path)
    assert [(entry.result.model.name, entry.status, entry.rank) for entry in board.entries] == [
        ("strong", "ranked", (1, 1)),
        ("surrogate", "surrogate", None),
        ("weak", "ranked", (2, 2)),
        ("partial", "partial", None),
    ]
    assert board.benchmark == BENCHMARK
    assert board.settings == SETTINGS


@pytest.mark.parametrize(("has_skill", "status"), [(None, "ranked"), (True, "ranked"), (False, "no-skill")])
def test_a_model_no_better_than_guessing_is_listed_last_without_a_rank(
    tmp_path: Path,
    has_skill: bool | None,  # noqa: FBT001
    status: str,
) -> None:
    """One task without skill is enough, whatever it scores; without draws nothing is known."""
    result = make_result("constant", strength=0.7, tasks=("mr", "sst"))
    task = result.tasks["sst"]
    assert task.clean is not None
    clean = task.clean.model_copy(update={"has_skill": has_skill})
    tasks = result.tasks | {"sst": task.model_copy(update={"clean": clean})}
    _put(tmp_path, result.model_copy(update={"tasks": tasks}))
    _put(tmp_path, make_result("other", strength=0.5, tasks=("mr", "sst")))
    entries = {entry.result.model.name: entry for entry in collect(tmp_path).entries}
    assert entries["constant"].status == status
    assert (entries["constant"].rank is None) == (status == "no-skill")
    assert entries["other"].rank == ((1, 1) if status == "no-skill" else (2, 2))
    assert list(entries)[-1] == ("constant" if status == "no-skill" else "other")


def test_results_and_leaderboards_of_version_1_are_refused_with_what_to_do(tmp_path: Path) -> None:
    """Their scores are defined otherwise."""
    _put(tmp_path / "results", make_result("one"))
    board = collect(tmp_path / "results")
    raw = json.loads(board.model_dump_json(by_alias=True))
    path = tmp_path / "old.json"
    path.write_text(json.dumps(raw | {"schema": "hardfrost/leaderboard/1"}))
    with pytest.raises(UserError, match="make it again from results of this version"):
        Leaderboard.read(path)
    (found,) = (tmp_path / "results").rglob("*.json")
    old = json.loads(found.read_text()) | {"schema": "hardfrost/result/1"}
    found.write_text(json.dumps(old))
    with pytest.raises(UserError, match="score the predictions again with `hardfrost score`"):
        collect(tmp_path / "results")


def test_equal_scores_are_ordered_by_name(tmp_path: Path) -> None:
    """The order of files does not show."""
    for folder, name in [("z", "alpha"), ("a", "Beta"), ("m", "gamma")]:
        make_result("same", model=ModelInfo(name=name)).write(tmp_path / folder / "1" / "result.json")
    board = collect(tmp_path)
    assert [entry.result.model.name for entry in board.entries] == ["alpha", "Beta", "gamma"]
    assert {entry.rank for entry in board.entries} == {(1, 3)}


def test_a_leaderboard_survives_being_written_and_read(tmp_path: Path) -> None:
    """What is read is what was written, and the bytes are the same each time."""
    _put(tmp_path / "results", make_result("one"))
    board = collect(tmp_path / "results")
    board.write(tmp_path / "a.json")
    collect(tmp_path / "results").write(tmp_path / "b.json")
    assert Leaderboard.read(tmp_path / "a.json") == board
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_any_json_that_is_a_result_is_found_and_other_json_is_named(tmp_path: Path) -> None:
    """Nothing is left out in silence."""
    make_result("one").write(tmp_path / "vader.json")
    (tmp_path / "package.json").write_text('{"name": "x"}')
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "result.json").write_text("not even JSON")
    found = find_results(tmp_path)
    assert [item.path for item in found.results] == ["vader.json"]
    assert found.ignored == ("package.json",)


def test_results_of_another_benchmark_and_other_settings_are_refused_together(tmp_path: Path) -> None:
    """One message names every file, what differs and what to do."""
    for name in ("a", "b", "c"):
        _put(tmp_path, make_result(name))
    other = BenchmarkInfo(name="robust-reviews", version="2.0.0", manifest_sha256="cd" * 32)
    _put(tmp_path, make_result("other-release", benchmark=other))
    changed = ScoreSettings(min_samples=5, resamples=200, seed=7, ewma_start="zero")
    _put(tmp_path, make_result("other-settings", score_settings=changed))
    message = _refusal(tmp_path)
    assert "other-release/1/result.json: scored on robust-reviews 2.0.0 (manifest cdcdcdcdcdcd)" in message
    assert "this leaderboard is of robust-reviews 1.0.0 (manifest abababababab)" in message
    assert "ewma_start zero instead of first, min_samples 5 instead of 20" in message
    assert len(message.splitlines()) == 2


def test_a_second_result_of_the_same_revision_is_refused(tmp_path: Path) -> None:
    """A revision is listed once."""
    make_result("one").write(tmp_path / "a" / "result.json")
    make_result("one").write(tmp_path / "b" / "result.json")
    assert "b/result.json: the same organisation, model and revision as a/result.json" in _refusal(tmp_path)


def test_broken_results_are_named_together(tmp_path: Path) -> None:
    """A cut file, a wrong schema and a figure out of range in one message."""
    whole = json.dumps(make_result("one").to_json())
    for name, text in {
        "cut": whole[: len(whole) // 2],
        "schema": whole.replace("hardfrost/result/2", "hardfrost/result/9"),
        "range": whole.replace('"rows": 9000', '"rows": -1'),
        "nan": whole.replace('"rows": 9000', '"rows": NaN'),
    }.items():
        path = tmp_path / name / "result.json"
        path.parent.mkdir()
        path.write_text(text)
    (tmp_path / "cut.json").write_text(whole[:100])
    message = _refusal(tmp_path)
    for part in ("cut/result.json", "cut.json", "schema/result.json", "predictions.rows", "nan/result.json"):
        assert part in message


def test_an_empty_or_missing_folder_is_refused(tmp_path: Path) -> None:
    """The message says which files were looked for."""
    assert "{organisation}__{model}/{revision}/result.json" in _refusal(tmp_path)
    assert "no such folder" in _refusal(tmp_path / "nowhere")


def test_without_a_release_dimensions_come_from_the_results(tmp_path: Path) -> None:
    """A partial entry's dimensions are columns too; no tag is guessed."""
    _put(tmp_path, make_result("one", dimensions=DIMENSIONS[:2]))
    _put(tmp_path, make_result("two", dimensions=DIMENSIONS[1:4], is_partial=True))
    board = collect(tmp_path)
    assert sorted(info.name for info in board.dimensions) == sorted(DIMENSIONS[:4])
    assert {info.tag for info in board.dimensions} == {None}


@pytest.mark.parametrize(
    ("changes", "strange"),
    [
        ({"tasks": ("mr", "sst")}, "'sst'"),
        ({"dimensions": ("typo-malicious", "free-points")}, "'mr/free-points', 'mr/free-points/rule'"),
        ({"settings": ("rule", "mercy")}, "'mr/typo-malicious/mercy'"),
        ({"degrees": ("0.05", "0.01")}, "'mr/typo-malicious/rule/0.01'"),
    ],
)
def test_with_a_release_scores_for_what_it_does_not_have_are_refused(
    tmp_path: Path, changes: dict[str, Sequence[str]], strange: str
) -> None:
    """The message names the file, what is strange in it and what to do."""
    release_dir = make_release(tmp_path / "release")
    benchmark = BENCHMARK.model_copy(update={"manifest_sha256": Release.open(release_dir).manifest_sha256})
    same = {"dimensions": ("typo-malicious",), "degrees": ("0.05", "0.1"), "benchmark": benchmark}
    _put(tmp_path / "results", make_result("good", **same))
    assert len(collect(tmp_path / "results", release_dir=release_dir).entries) == 1
    _put(tmp_path / "results", make_result("bad", **(same | changes)))
    with pytest.raises(UserError) as caught:
        collect(tmp_path / "results", release_dir=release_dir)
    assert caught.value.exit_code is ExitCode.BAD_INPUT
    assert caught.value.message.startswith(f"bad/1/result.json: has scores for {strange}")
    assert "score its predictions again" in caught.value.message


def _put(folder: Path, result: Result) -> None:
    result.write(folder / result.model.name / "1" / "result.json")


def _refusal(folder: Path) -> str:
    with pytest.raises(UserError) as caught:
        collect(folder)
    assert caught.value.exit_code is ExitCode.BAD_INPUT
    return caught.value.message


def test_a_result_whose_settings_were_changed_by_hand_is_refused(tmp_path: Path) -> None:
    """The signature says what the settings were."""
    raw = make_result("bold").to_json()
    raw["settings"]["beta"] = 0.9
    (tmp_path / "result.json").write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(UserError, match="the signature is not that of these settings"):
        collect(tmp_path)
