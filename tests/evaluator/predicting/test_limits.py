"""A prediction of some samples: whole ones, the same for all, and a result that is partial."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from synthetic import right_answers

from contract.machine.errors import UserError
from contract.predictions.limits import _quotas, limited_rows
from contract.predictions.reading import ReleaseRows, read_predictions
from contract.release.release import Release
from contract.schema.results import ModelInfo, Result
from evaluator.comparing.comparing import compare
from evaluator.predicting.predicting import Predicted, predict
from evaluator.scoring.score import ScoreOptions, score

OPTIONS = ScoreOptions(resamples=50)


@pytest.fixture
def right(tmp_path: Path, release_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the spec of a classifier that is right on every clean text and wrong on some cases."""
    rows = [
        row
        for split in Release.open(release_path).manifest.splits
        for row in pq.read_table(release_path / split.path, columns=["text", "label", "degree"]).to_pylist()
    ]
    answers = {row["text"]: (row["label"] + (row["degree"] >= 0.3)) % 2 for row in rows}
    names = {text: ("negative", "positive")[label] for text, label in answers.items()}
    (tmp_path / "knows.json").write_text(json.dumps(names))
    (tmp_path / "knows.py").write_text(
        "import json\nANSWERS = json.load(open('knows.json'))\n"
        "def predict(texts): return [ANSWERS[text] for text in texts]\n"
    )
    monkeypatch.chdir(tmp_path)
    return "knows.py:predict"


def predicted(release_path: Path, spec: str, path: Path, limit: int | None) -> Predicted:
    """Predict some samples."""
    return predict(release_path, spec, path, limit=limit)


def scored(release_path: Path, path: Path) -> Result:
    """Score a file."""
    return score(release_path, path, ModelInfo(name="m"), options=OPTIONS)


@pytest.mark.parametrize("name", ["p.jsonl", "p.csv", "p.parquet"])
def test_some_samples_are_predicted_whole_and_scored_as_partial(
    release_path: Path, tmp_path: Path, right: str, name: str
) -> None:
    """Both labels in their shares, every case of each sample, no rank."""
    found = predicted(release_path, right, tmp_path / name, 4)
    rows = ReleaseRows.read(Release.open(release_path), ("id", "sample_id", "label"))
    read = read_predictions(tmp_path / name, rows, may_be_limited=True)
    assert read.limited is not None
    is_in = read.limited.is_in
    assert is_in.sum() == found.n_rows == read.n_rows < len(rows)
    samples = rows.table["sample_id"].to_numpy(zero_copy_only=False)
    assert len(set(samples[is_in])) == 4
    assert not set(samples[is_in]) & set(samples[~is_in])
    clean = next(group for group in rows.groups if group.is_clean)
    labels = rows.table["label"].to_numpy()[clean.start : clean.stop][is_in[clean.start : clean.stop]]
    assert sorted(labels) == [0, 0, 1, 1]
    result = scored(release_path, tmp_path / name)
    assert result.overall is None
    assert result.absent == found.left_out
    assert "all but 4 of" in result.absent[0]
    task = result.tasks["mr"]
    assert task.clean is not None
    assert task.clean.n_samples == 4
    assert task.clean.accuracy == 1


def test_scores_of_a_part_are_those_of_its_rows(release_path: Path, tmp_path: Path, right: str) -> None:
    """Counted by hand from the rows; which degrees count is still the whole release's word."""
    predicted(release_path, right, tmp_path / "part.jsonl", 4)
    predicted(release_path, right, tmp_path / "whole.jsonl", None)
    part, whole = (scored(release_path, tmp_path / f"{name}.jsonl") for name in ("part", "whole"))
    ids = {json.loads(line)["id"] for line in (tmp_path / "part.jsonl").read_text().splitlines()}
    for dimension, settings in part.tasks["mr"].dimensions.items():
        for setting, score_of in settings.items():
            of_whole = whole.tasks["mr"].dimensions[dimension][setting]
            assert score_of.degrees_used == of_whole.degrees_used
            for degree, at_degree in score_of.degrees.items():
                n_cases = sum(f".{dimension}.{setting}.{_digits(degree)}" in row for row in ids)
                assert at_degree.n_cases == n_cases
                if n_cases:
                    assert at_degree.accuracy_cases == float(float(degree) < 0.3)
                    assert at_degree.average == float(float(degree) < 0.3)


def _digits(degree: str) -> str:
    return f"{round(100 * float(degree)):02d}"


def test_a_part_is_exactly_its_samples(release_path: Path, tmp_path: Path, right: str) -> None:
    """One row more, one less, two parts in one file, and a part where a whole is needed are all refused."""
    predicted(release_path, right, tmp_path / "p.jsonl", 4)
    lines = (tmp_path / "p.jsonl").read_text().splitlines(keepends=True)
    path = tmp_path / "q.jsonl"
    path.write_text("".join(lines[:-1]))
    with pytest.raises(UserError, match="are missing"):
        scored(release_path, path)
    known = {json.loads(line)["id"] for line in lines}
    other = next(name for name in right_answers(release_path) if name not in known)
    more = json.dumps(json.loads(lines[0]) | {"id": other}) + "\n"
    path.write_text("".join([*lines, more]))
    with pytest.raises(UserError, match="are not of the 4 samples a task"):
        scored(release_path, path)
    path.write_text("".join([lines[0].replace("?limit=4", "?limit=5"), *lines[1:]]))
    with pytest.raises(UserError, match="mixes rows of parts of different sizes"):
        scored(release_path, path)
    path.write_text("".join(line.replace("?limit=4", "") for line in lines))
    with pytest.raises(UserError, match="are missing"):
        scored(release_path, path)
    path.write_text("".join(line.replace("?limit=4", "?limit=-4") for line in lines))
    with pytest.raises(UserError, match="made for benchmark"):
        scored(release_path, path)
    with pytest.raises(UserError, match="predict again without --limit"):
        read_predictions(tmp_path / "p.jsonl", ReleaseRows.read(Release.open(release_path)))


def test_a_limit_above_the_samples_is_the_whole(release_path: Path, tmp_path: Path, right: str) -> None:
    """The same bytes, an overall score."""
    assert not predicted(release_path, right, tmp_path / "p.jsonl", 10_000).left_out
    predicted(release_path, right, tmp_path / "q.jsonl", None)
    assert (tmp_path / "p.jsonl").read_bytes() == (tmp_path / "q.jsonl").read_bytes()
    assert scored(release_path, tmp_path / "p.jsonl").overall is not None


def test_files_about_the_same_part_compare(release_path: Path, tmp_path: Path, right: str) -> None:
    """Others do not."""
    for name, limit in (("a", 4), ("b", 4), ("c", 3), ("d", None)):
        predicted(release_path, right, tmp_path / f"{name}.jsonl", limit)
    comparison = compare(release_path, tmp_path / "a.jsonl", tmp_path / "b.jsonl", options=OPTIONS)
    assert all(row.difference == 0 for row in comparison.differences)
    assert max(row.n_both for row in comparison.outcomes) == 4
    for other in ("c", "d"):
        with pytest.raises(UserError, match="predict both with the same --limit"):
            compare(release_path, tmp_path / "a.jsonl", tmp_path / f"{other}.jsonl", options=OPTIONS)


def test_a_larger_part_holds_the_smaller_one(release_path: Path) -> None:
    """Of one label, so that nobody can choose the samples."""
    rows = ReleaseRows.read(Release.open(release_path))
    two, four = (limited_rows(rows, limit).is_in for limit in (2, 4))
    assert (four | ~two).all()


@pytest.mark.parametrize(
    ("sizes", "limit", "expected"),
    [
        ({0: 90, 1: 10}, 10, {0: 9, 1: 1}),
        ({0: 99, 1: 1}, 10, {0: 9, 1: 1}),
        ({0: 50, 1: 50}, 3, {0: 2, 1: 1}),
        ({0: 5, 1: 5, 2: 5}, 2, {0: 1, 1: 1, 2: 0}),
        ({0: 3, 1: 2}, 9, {0: 3, 1: 2}),
    ],
)
def test_labels_have_their_shares(sizes: dict[int, int], limit: int, expected: dict[int, int]) -> None:
    """At least one of each where there is room."""
    assert _quotas(sizes, limit) == expected
