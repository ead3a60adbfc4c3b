"""Samples without a clean row are scored on their cases; clean figures are about the others alone."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.machine.errors import UserError
from contract.release.release import Release
from contract.schema.results import ModelInfo
from evaluator.commands.tables import print_result
from evaluator.comparing.comparing import compare
from evaluator.scoring.score import ScoreOptions, score

MODEL = ModelInfo(name="model")
OPTIONS = ScoreOptions(resamples=20)


def _task(name: str, originals: Sequence[int] | None) -> SyntheticTask:
    """Return a task of four samples with two cases each."""
    cases = [
        Case(sample=sample, dimension="human", setting="imported", degree=None, case=case)
        for sample in range(4)
        for case in range(2)
    ]
    return SyntheticTask(
        name=name,
        labels=("negative", "positive"),
        clean=(0, 1, 0, 1),
        cases=tuple(cases),
        originals=None if originals is None else tuple(originals),
    )


def test_without_any_clean_row_cases_are_scored_and_clean_is_null(tmp_path: Path) -> None:
    """What cannot be known is null; only the accuracy on cases is left, and there is no rank."""
    write_release(tmp_path / "r", [_task("t", ())])
    answers = right_answers(tmp_path / "r")
    assert len(answers) == 8
    answers["t-00000.human.imported.any.1"] = "positive"
    result = score(tmp_path / "r", write_answers(tmp_path / "p.jsonl", answers), MODEL, options=OPTIONS)
    degree = result.tasks["t"].dimensions["human"]["imported"].degrees["any"]
    assert (degree.average, degree.worst, degree.worst_at, degree.recall) == (None, None, None, {})
    assert (degree.accuracy_cases, degree.n_cases, degree.n_samples) == (7 / 8, 8, 4)
    assert degree.accuracy_cases_ci is not None
    assert (degree.relative_average, degree.attack_success_rate, degree.n_attacked) == (None, None, None)
    setting = result.tasks["t"].dimensions["human"]["imported"]
    assert (setting.not_scored, setting.worst_at_k) == ("the task has no clean samples", {})
    assert result.tasks["t"].clean is None
    assert (result.absent, result.overall, result.replicates) == ((), None, None)


def test_clean_figures_are_about_the_samples_that_have_a_clean_row(tmp_path: Path) -> None:
    """Samples 0, 2 and 3 have one: no score looks at another sample, but for the accuracy on cases."""
    write_release(tmp_path / "r", [_task("t", (0, 2, 3))])
    answers = right_answers(tmp_path / "r")
    assert len(answers) == 11
    answers["t-00002.clean"] = "positive"
    answers["t-00000.human.imported.any.0"] = "positive"
    answers["t-00001.human.imported.any.0"] = "negative"
    result = score(tmp_path / "r", write_answers(tmp_path / "p.jsonl", answers), MODEL, options=OPTIONS)
    clean = result.tasks["t"].clean
    assert clean is not None
    assert (clean.accuracy, clean.n_samples) == (pytest.approx(2 / 3), 3)
    assert clean.recall == {"negative": 0.5, "positive": 1.0}
    assert clean.score == pytest.approx(0.5**0.5)
    degree = result.tasks["t"].dimensions["human"]["imported"].degrees["any"]
    assert degree.average == pytest.approx((0.5 / 2 * 1) ** 0.5)
    assert degree.relative_average == pytest.approx(0.5**0.5)
    assert (degree.attack_success_rate, degree.n_attacked) == (1 / 2, 2)
    assert (degree.accuracy_cases, degree.share_with_case) == (6 / 8, 1)


def test_clean_means_are_over_the_tasks_that_have_clean_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One task has them, the other has none."""
    write_release(tmp_path / "r", [_task("first", None), _task("second", ())])
    answers = right_answers(tmp_path / "r")
    answers["first-00000.clean"] = "positive"
    result = score(tmp_path / "r", write_answers(tmp_path / "p.jsonl", answers), MODEL, options=OPTIONS)
    assert result.overall is not None
    assert result.overall.clean == pytest.approx(0.5**0.5)
    assert result.overall.clean_accuracy == 3 / 4
    print_result(result)
    assert "second, imported: without clean predictions" in capsys.readouterr().out


def test_clean_rows_stay_mandatory_where_there_are_some(tmp_path: Path) -> None:
    """Nobody may choose what is not counted."""
    write_release(tmp_path / "r", [_task("t", (0, 2))])
    answers = {name: a for name, a in right_answers(tmp_path / "r").items() if not name.endswith("clean")}
    with pytest.raises(UserError, match=r"rows of t/clean are missing.*clean rows are mandatory"):
        score(tmp_path / "r", write_answers(tmp_path / "p.jsonl", answers), MODEL)


def test_a_release_that_should_have_clean_rows_is_not_scored_without(tmp_path: Path) -> None:
    """Only a manifest that says so excuses missing originals."""
    write_release(tmp_path / "r", [_task("t", (0, 2))])
    manifest = Release.open(tmp_path / "r").manifest
    tasks = [task.model_copy(update={"has_all_originals": True}) for task in manifest.tasks]
    file = write_answers(tmp_path / "p.jsonl", right_answers(tmp_path / "r"))
    manifest.model_copy(update={"tasks": tuple(tasks)}).write(tmp_path / "r" / "manifest.json")
    with pytest.raises(UserError, match="cases and clean rows of t differ"):
        score(tmp_path / "r", file, MODEL)


def test_a_file_that_answers_nothing_is_refused(tmp_path: Path) -> None:
    """Everything left out is no entry, not even a partial one."""
    write_release(tmp_path / "r", [_task("t", ())])
    with pytest.raises(UserError, match="no row of the release is answered"):
        score(tmp_path / "r", write_answers(tmp_path / "p.csv", {}), MODEL)


def test_a_task_left_out_whole_is_absent(tmp_path: Path) -> None:
    """It has no figures at all, and there is no overall score."""
    write_release(tmp_path / "r", [_task("first", ()), _task("second", ())])
    answers = {name: a for name, a in right_answers(tmp_path / "r").items() if name.startswith("first")}
    result = score(tmp_path / "r", write_answers(tmp_path / "p.jsonl", answers), MODEL, options=OPTIONS)
    assert result.absent == ("second/human/imported",)
    assert list(result.tasks) == ["first"]
    assert result.overall is None


def test_files_compare_where_both_have_something(tmp_path: Path) -> None:
    """Clean accuracy is compared on the task that has clean rows, cells on both."""
    write_release(tmp_path / "r", [_task("first", (0, 1, 3)), _task("second", ())])
    right = write_answers(tmp_path / "right.jsonl", right_answers(tmp_path / "r"))
    answers = right_answers(tmp_path / "r") | {"first-00003.clean": "negative"}
    wrong = write_answers(tmp_path / "wrong.jsonl", answers)
    comparison = compare(tmp_path / "r", right, wrong, options=OPTIONS)
    assert [row.what for row in comparison.differences if row.figure == "clean score"] == ["first/clean"]
    clean = next(test for test in comparison.outcomes if test.what == "first/clean")
    assert (clean.n_both, clean.n_only_first, clean.n_only_second, clean.n_neither) == (2, 1, 0, 0)
    assert [test.what for test in comparison.outcomes][1:] == [
        "first/human/imported",
        "second/human/imported",
    ]
