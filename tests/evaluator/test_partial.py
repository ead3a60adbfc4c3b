"""Of a release that was downloaded in part, the part is scored as in the whole, and the rest is absent."""

import shutil
from pathlib import Path

import pytest
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.release import Release
from contract.results import ModelInfo
from contract.selection import Selection, left_out_of, write_partial
from evaluator.scoring import score


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
    model = ModelInfo(name="x")
    of_whole = score(whole, write_answers(tmp_path / "whole.jsonl", answers | wrong), model)
    there = set(right_answers(part))
    some = {name: answer for name, answer in (answers | wrong).items() if name in there}
    of_part = score(part, write_answers(tmp_path / "part.jsonl", some), model)
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
