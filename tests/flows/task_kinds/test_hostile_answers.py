"""Predictions files that do not fit tasks with many labels end as errors with file, line and remedy."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from answers import noisy_answers, written

from contract.machine.errors import ExitCode, UserError
from contract.predictions.reading import ReleaseRows, read_predictions
from contract.release.release import Release
from evaluator.predicting.writing import write_rows


@pytest.fixture(scope="module")
def rows(release: Path) -> ReleaseRows:
    """Return the rows of the release."""
    return ReleaseRows.read(Release.open(release))


def _tags(answers: list[dict[str, Any]]) -> tuple[int, dict[str, Any]]:
    """Return the line and the row of the first text with tags."""
    return next((line, row) for line, row in enumerate(answers, 1) if isinstance(row.get("prediction"), list))


def _shares(answers: list[dict[str, Any]]) -> tuple[int, dict[str, Any]]:
    return next((line, row) for line, row in enumerate(answers, 1) if "probabilities" in row)


Spoil = Callable[[dict[str, Any]], None]
HOSTILE: dict[str, tuple[Any, Spoil, str]] = {
    "too few tags": (_tags, lambda row: row["prediction"].pop(), "one a token"),
    "too many tags": (_tags, lambda row: row["prediction"].append("NOUN"), "one a token"),
    "no tags": (_tags, lambda row: row.update(prediction=[]), "one a token"),
    "a single tag": (_tags, lambda row: row.update(prediction="NOUN"), "is no list"),
    "tags left out": (_tags, lambda row: row.pop("prediction"), "no `prediction`"),
    "an unknown tag": (_tags, lambda row: row["prediction"].__setitem__(1, "NOUM"), "did you mean 'NOUN'"),
    "an index beyond": (_tags, lambda row: row["prediction"].__setitem__(0, 99), "is no label of task"),
    "NaN among tags": (_tags, lambda row: row["prediction"].__setitem__(0, float("nan")), "is no label"),
    "a list in a list": (_tags, lambda row: row["prediction"].__setitem__(0, ["X"]), "is no label"),
    "NaN": (_shares, lambda row: row["probabilities"].__setitem__(0, float("nan")), "list of numbers"),
    "above one": (_shares, lambda row: row["probabilities"].__setitem__(0, 1.5), "from 0 to 1"),
    "below zero": (_shares, lambda row: row["probabilities"].__setitem__(0, -0.5), "from 0 to 1"),
    "a label missing": (_shares, lambda row: row["probabilities"].pop(), "for each of 3 labels"),
    "a label null": (_shares, lambda row: row["probabilities"].__setitem__(1, None), "list of numbers"),
    "no probabilities": (_shares, lambda row: row.pop("probabilities"), "no `probabilities`"),
    "labels for probabilities": (_shares, lambda row: row.update(probabilities=["joy"]), "list of numbers"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_bad_row_is_named_with_its_line_and_a_remedy(
    name: str, release: Path, rows: ReleaseRows, tmp_path: Path
) -> None:
    """One line is spoilt, and only that one is told of."""
    chosen, spoil, words = HOSTILE[name]
    answers = noisy_answers(release)
    line, row = chosen(answers)
    spoil(row)
    path = written(tmp_path / "p.jsonl", answers)
    with pytest.raises(UserError) as caught:
        read_predictions(path, rows)
    assert caught.value.exit_code is ExitCode.BAD_INPUT
    assert f"{path}:{line}: " in caught.value.message
    assert words in caught.value.message
    assert row["id"] in caught.value.message
    assert "; " in caught.value.message
    assert caught.value.message.count(f"{path}:") == 1


def test_a_list_for_a_task_with_one_label_is_refused(
    release: Path, rows: ReleaseRows, tmp_path: Path
) -> None:
    """In a release of tasks of several kinds each row is judged by its own task."""
    answers = noisy_answers(release)
    answers[0]["prediction"] = ["good"]
    with pytest.raises(UserError, match="is no label of task plain"):
        read_predictions(written(tmp_path / "p.jsonl", answers), rows)
    answers[0]["prediction"] = None
    with pytest.raises(UserError, match="no `prediction`"):
        read_predictions(written(tmp_path / "p.jsonl", answers), rows)


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl.gz"])
def test_every_format_holds_lists(suffix: str, release: Path, rows: ReleaseRows, tmp_path: Path) -> None:
    """CSV and Parquet hold them as JSON; all formats say the same."""
    answers = [{"prediction": None, "probabilities": None, **row} for row in noisy_answers(release)]
    columns = ("id", "prediction", "probabilities")
    write_rows(tmp_path / f"p{suffix}", columns, answers)
    expected = read_predictions(written(tmp_path / "p.jsonl", answers), rows)
    found = read_predictions(tmp_path / f"p{suffix}", rows)
    assert expected.lists is not None
    assert found.lists is not None
    assert (found.lists.codes == expected.lists.codes).all()
    assert (found.labels == expected.labels).all()


def test_indices_are_labels_too(release: Path, rows: ReleaseRows, tmp_path: Path) -> None:
    """A tag may be given by its name or its index."""
    labels = Release.open(release).manifest.task("words").labels
    answers = noisy_answers(release)
    numbered = json.loads(json.dumps(answers))
    for row in numbered:
        if isinstance(row.get("prediction"), list):
            row["prediction"] = [labels.index(tag) for tag in row["prediction"]]
    found = [
        read_predictions(written(tmp_path / f"{n}.jsonl", each), rows)
        for n, each in enumerate([answers, numbered])
    ]
    assert found[0].lists is not None
    assert found[1].lists is not None
    assert (found[0].lists.codes == found[1].lists.codes).all()


def test_a_whole_dimension_may_be_left_out(release: Path, rows: ReleaseRows, tmp_path: Path) -> None:
    """Clean rows must be answered, the others of a task and dimension together or not at all."""
    answers = [row for row in noisy_answers(release) if "words-" not in row["id"] or ".clean" in row["id"]]
    found = read_predictions(written(tmp_path / "p.jsonl", answers), rows)
    assert set(found.absent) == {"words/intrude/rule", "words/typo-general/rule"}
