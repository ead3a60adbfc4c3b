"""Of a release that was downloaded in part, the part is scored as in the whole, and the rest is absent."""

import json
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

from contract.machine.errors import UserError
from contract.predictions.reading import ReleaseRows, read_predictions
from contract.release.release import MANIFEST, Release
from contract.release.split_selector import PARTIAL, Partial, SplitSelector, left_out_of, write_partial
from contract.schema.results import ModelInfo, Result
from evaluator.scoring.score import score

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
    write_partial(part, Release.open(part).manifest, [SplitSelector.parse("mr,typo-general")])
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


def test_a_file_for_the_whole_release_scores_its_part(whole: Path, tmp_path: Path) -> None:
    """Rows of splits that were not downloaded are counted, not called unknown; a slip still is."""
    answers = right_answers(whole)
    file = write_answers(tmp_path / "p.csv", answers)
    write_partial(whole, Release.open(whole).manifest, [SplitSelector.parse("mr,typo-general")])
    rows = ReleaseRows.read(Release.open(whole))
    assert rows.n_left_out == 16
    predictions = read_predictions(file, rows)
    assert (predictions.n_rows, predictions.n_passed_over) == (24, 16)
    said: list[str] = []
    of_part = score(whole, file, MODEL, say=said.append)
    assert said == [predictions.note]
    assert "p.csv: 16 rows of splits that were not downloaded are passed over" in said[0]
    there = {name: answers[name] for name in right_answers(whole)}
    alone = score(whole, write_answers(tmp_path / "q.csv", there), MODEL, say=said.append)
    assert (len(said), of_part.tasks, of_part.absent) == (1, alone.tasks, alone.absent)
    for slip in ("mr-00000.claen", "mr-00000.typo-general.rule.20.0", "other-00000.clean"):
        with pytest.raises(UserError, match=f"unknown id '{slip}'"):
            read_predictions(write_answers(tmp_path / "s.csv", {**answers, slip: "negative"}), rows)


def test_labels_of_the_whole_release_serve_its_part(tmp_path: Path) -> None:
    """With readable ids, and with the opaque ones of a release whose labels are withheld."""
    release = write_small_release(tmp_path / "r")
    answers = right_answers(release)
    labels = tmp_path / "labels.jsonl"
    labels.write_text("".join(json.dumps({"id": n, "label": a}) + "\n" for n, a in answers.items()))
    write_partial(release, Release.open(release).manifest, [SplitSelector.parse("mr,typo-general")])
    file = write_answers(tmp_path / "p.jsonl", answers)
    assert score(release, file, MODEL, labels_path=labels).tasks["mr"].clean is not None
    manifest = json.loads((release / MANIFEST).read_text())
    (release / MANIFEST).write_text(json.dumps(manifest | {"labels": "withheld"}))
    opaque = labels.read_text() + json.dumps({"id": "0123456789abcdef", "label": "negative"}) + "\n"
    labels.write_text(opaque)
    assert score(release, file, MODEL, labels_path=labels).tasks["mr"].clean is not None
