"""Of a release that was downloaded in part, the part is scored as in the whole, and the rest is absent."""

import shutil
from pathlib import Path

import pytest
from synthetic import (
    Case,
    SyntheticTask,
    right_answers,
    write_answers,
    write_release,
    write_small_release,
)

from contract.errors import UserError
from contract.predictions import ReleaseRows
from contract.release import Release
from contract.results import ModelInfo, Result
from contract.selection import PARTIAL, Partial, Selection, left_out_of, write_partial
from evaluator.scoring import score

MODEL = ModelInfo(name="x")


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """Return a release of two tasks with two dimensions each."""
    cases = tuple(
        Case(sample=sample, dimension=dimension, setting="rule", degree=0.1, case=0)
        for dimension in ("typo-general", "typo-malicious")
        for sample in range(4)
    )
    labels = ("negative", "positive")
    tasks = [
        SyntheticTask(name=name, labels=labels, clean=(0, 1, 0, 1), cases=cases) for name in ("mr", "sst")
    ]
    write_release(tmp_path / "whole", tasks)
    return tmp_path / "whole"


def test_a_part_is_scored_as_in_the_whole_and_the_rest_is_absent(whole: Path, tmp_path: Path) -> None:
    """The same figures for what is there; no overall score, since something is missing."""
    part = Path(shutil.copytree(whole, tmp_path / "part"))
    write_partial(part, Release.open(part).manifest, [Selection.parse("mr,typo-general")])
    for name in left_out_of(part):
        (part / name).unlink()
    answers = right_answers(whole)
    wrong = dict.fromkeys(list(answers)[::3], "negative")
    of_whole = score(whole, write_answers(tmp_path / "whole.jsonl", answers | wrong), MODEL)
    there = set(right_answers(part))
    some = {name: answer for name, answer in (answers | wrong).items() if name in there}
    of_part = score(part, write_answers(tmp_path / "part.jsonl", some), MODEL)
    assert len(there) == 8
    assert of_part.tasks["mr"].clean == of_whole.tasks["mr"].clean
    assert of_part.tasks["mr"].dimensions["typo-general"] == of_whole.tasks["mr"].dimensions["typo-general"]
    assert set(of_part.tasks) == {"mr"}
    assert of_part.overall is None
    assert set(of_part.absent) == {
        "mr/typo-malicious/rule",
        "sst/clean",
        "sst/typo-general/rule",
        "sst/typo-malicious/rule",
    }


def test_a_group_of_which_a_degree_is_left_out_is_absent(tmp_path: Path) -> None:
    """An overall score on the easy degrees alone would raise a rank."""
    release = write_small_release(tmp_path / "r")
    file = write_answers(tmp_path / "p.jsonl", right_answers(release))
    assert score(release, file, MODEL).overall is not None
    left_out = "data/mr/typo-general/rule/degree_10.parquet"
    Partial(only=("by hand",), left_out=(left_out,)).write(release / PARTIAL)
    rows = ReleaseRows.read(Release.open(release))
    assert rows.left_out == ("mr/typo-general/rule",)
    assert {split.dimension for split in rows.splits} == {"clean", "typo-malicious"}
    result = score(release, write_answers(tmp_path / "q.jsonl", right_answers(release)), MODEL)
    assert result.absent == ("mr/typo-general/rule",)
    assert (result.overall, result.replicates) == (None, None)
    assert list(result.tasks["mr"].dimensions) == ["typo-malicious"]


def test_a_result_with_absent_parts_cannot_claim_an_overall_score(tmp_path: Path) -> None:
    """Whoever edits a result by hand is refused."""
    release = write_small_release(tmp_path / "r")
    result = score(release, write_answers(tmp_path / "p.jsonl", right_answers(release)), MODEL)
    claimed = result.to_json() | {"absent": ["mr/typo-general/rule"]}
    with pytest.raises(UserError, match="1 parts are absent, so that `overall` and `replicates` must be"):
        Result.parse(claimed, "result.json")
    with pytest.raises(UserError, match="must be null"):
        Result.parse(claimed | {"overall": None}, "result.json")
    assert Result.parse(claimed | {"overall": None, "replicates": None}, "result.json").overall is None
