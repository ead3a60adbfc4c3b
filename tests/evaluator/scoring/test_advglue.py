"""AdvGLUE's submissions score on an imported release, with AdvGLUE's own average."""

import csv
import gzip
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import accuracy_score, f1_score
from synthetic import (
    Case,
    SyntheticTask,
    right_answers,
    write_answers,
    write_release,
    write_small_release,
)

from builder.release.importing.advglue import import_advglue
from contract.machine.errors import UserError
from contract.predictions.reading import ReleaseRows, read_predictions
from contract.release.release import Release
from contract.schema.results import ModelInfo
from evaluator.commands.check import check
from evaluator.commands.score import score
from evaluator.metrics.advglue_average import advglue_average
from evaluator.metrics.ratio import NothingToScoreError
from evaluator.scoring.score import ScoreOptions
from evaluator.scoring.score import score as score_file

Document = dict[str, list[dict[str, Any]]]
GOLDEN = Path(__file__).parents[2] / "golden" / "advglue_leaderboard.tsv"
MODEL = ModelInfo(name="model")
OPTIONS = ScoreOptions(resamples=50)
GROUPS = {"mnli": "mnli", "mnli-mm": "mnli"}


@pytest.fixture
def annotated(advglue_document: Document, tmp_path: Path) -> Path:
    """Return a release with originals."""
    (tmp_path / "dev_ann.json").write_text(json.dumps(advglue_document), encoding="utf-8")
    import_advglue(tmp_path / "dev_ann.json", tmp_path / "annotated")
    return tmp_path / "annotated"


@pytest.fixture
def plain(advglue_document: Document, tmp_path: Path) -> Path:
    """Return a release without originals."""
    for row in (row for rows in advglue_document.values() for row in rows):
        for key in [key for key in row if key.startswith("original_")] + ["data_construction", "method"]:
            row.pop(key, None)
    (tmp_path / "dev.json").write_text(json.dumps(advglue_document), encoding="utf-8")
    import_advglue(tmp_path / "dev.json", tmp_path / "plain")
    return tmp_path / "plain"


def _labels(document: Document) -> dict[str, list[Any]]:
    """Return the right labels in the order of the file: what a perfect submission holds."""
    return {task: [row["label"] for row in rows] for task, rows in document.items()}


def _write(path: Path, answers: object) -> Path:
    path.write_text(json.dumps(answers), encoding="utf-8")
    return path


def _golden_rows() -> list[dict[str, str]]:
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _by_advglue(answers: dict[str, list[int]], labels: dict[str, list[int]]) -> float:
    """Return the score as AdvGLUE's evaluation script computes it."""
    scores = {}
    for task, true in labels.items():
        metrics = [accuracy_score(true, answers[task])]
        if task == "qqp":
            metrics.append(f1_score(true, answers[task]))
        scores[task] = sum(metrics) / len(metrics)
    scores["mnli"] = (scores["mnli"] + scores.pop("mnli-mm")) / 2
    return sum(scores.values()) / len(scores)


@pytest.mark.parametrize("row", _golden_rows(), ids=lambda row: row["model"])
def test_published_figures_of_tasks_give_the_published_score(row: dict[str, str]) -> None:
    """Models of AdvGLUE's leaderboard: the figures of their pages, the score of the table."""
    scores: dict[str, dict[str, np.ndarray]] = {}
    for name, value in row.items():
        if "/" in name:
            task, metric = name.split("/")
            scores.setdefault(task, {})[metric] = np.array(float(value) / 100)
    assert round(float(advglue_average(scores, GROUPS)), 4) == float(row["score"])


def test_the_average_of_nothing_is_an_error() -> None:
    """As of every metric."""
    with pytest.raises(NothingToScoreError):
        advglue_average({}, {})


@pytest.mark.parametrize("seed", range(5))
def test_any_submission_scores_as_in_advglues_script(
    seed: int, annotated: Path, advglue_document: Document, tmp_path: Path
) -> None:
    """Rows of one original stand in several splits, and still every label meets its row."""
    generator = random.Random(seed)
    labels = _labels(advglue_document)
    answers = {
        task: [generator.randrange(3 if task.startswith("mnli") else 2) for _ in true]
        for task, true in labels.items()
    }
    answers["qqp"][1] = 1
    result = score_file(annotated, _write(tmp_path / "p.json", answers), MODEL, options=OPTIONS)
    figures = result.measurements
    assert figures["advglue/average"] == pytest.approx(_by_advglue(answers, labels))
    assert figures["advglue/qqp/f1"] == pytest.approx(f1_score(labels["qqp"], answers["qqp"]))
    assert figures["advglue/rte/accuracy"] == pytest.approx(accuracy_score(labels["rte"], answers["rte"]))
    low, high = figures["advglue/average/low"], figures["advglue/average/high"]
    assert isinstance(low, float)
    assert isinstance(high, float)
    assert 0 <= low <= figures["advglue/average"] <= high <= 1


def test_a_release_that_names_f1_is_scored_in_advglues_way(tmp_path: Path) -> None:
    """The two parts of MNLI count as one task, QQP by accuracy and F1; releases that name none have none."""
    cases = tuple(Case(sample=n, dimension="syntax", setting="rule", degree=0.1, case=0) for n in range(4))
    made = [
        SyntheticTask(
            name=name, labels=("no", "yes"), clean=(0, 1, 0, 1), cases=cases, metrics=metrics, group=group
        )
        for name, metrics, group in [
            ("qqp", ("accuracy", "f1"), None),
            ("mnli", ("accuracy",), "mnli"),
            ("mnli-mm", ("accuracy",), "mnli"),
        ]
    ]
    write_release(tmp_path / "named", made)
    answers = right_answers(tmp_path / "named")
    for task, sample in {"qqp": 1, "mnli-mm": 3}.items():
        of_task = [name for name in answers if name.startswith(f"{task}-0") and "syntax" in name]
        answers[of_task[sample]] = "no"
    path = write_answers(tmp_path / "p.jsonl", answers)
    figures = score_file(tmp_path / "named", path, MODEL, options=OPTIONS).measurements
    assert figures["advglue/qqp/f1"] == pytest.approx(2 / 3)
    assert figures["advglue/average"] == pytest.approx(((0.75 + 2 / 3) / 2 + (1 + 0.75) / 2) / 2)
    write_small_release(tmp_path / "small")
    path = write_answers(tmp_path / "s.jsonl", right_answers(tmp_path / "small"))
    plain = score_file(tmp_path / "small", path, MODEL, options=OPTIONS).measurements
    assert not any(name.startswith("advglue/") for name in plain)


def test_labels_may_be_names_and_the_file_compressed(
    annotated: Path, advglue_document: Document, tmp_path: Path
) -> None:
    """The same answers in another dress."""
    answers = _labels(advglue_document)
    answers["sst2"] = [["negative", "positive"][label] for label in answers["sst2"]]
    path = tmp_path / "p.json.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + json.dumps(answers).encode()))
    result = score_file(annotated, path, MODEL, options=OPTIONS)
    assert result.measurements["advglue/average"] == 1
    assert result.predictions.rows == 48


def test_a_submission_without_clean_rows_is_partial_where_there_are_some(
    annotated: Path, advglue_document: Document, tmp_path: Path
) -> None:
    """AdvGLUE's format has no place for them; predictions by id have, and get an overall score."""
    result = score_file(annotated, _write(tmp_path / "p.json", _labels(advglue_document)), MODEL)
    assert result.absent == tuple(f"{task}/clean" for task in advglue_document)
    assert result.overall is None
    assert result.tasks["sst2"].clean is None
    by_id = write_answers(tmp_path / "p.jsonl", right_answers(annotated))
    whole = score_file(annotated, by_id, MODEL)
    assert whole.absent == ()
    assert whole.overall is not None
    assert whole.overall.clean == 1
    assert whole.measurements["advglue/average"] == result.measurements["advglue/average"] == 1


def test_a_submission_is_whole_where_there_are_no_clean_rows(
    plain: Path, advglue_document: Document, tmp_path: Path
) -> None:
    """The plain release has no headline: its cases are counted, and AdvGLUE's average is made of them."""
    answers = _labels(advglue_document)
    answers["sst2"][0] = 1 - answers["sst2"][0]
    result = score_file(plain, _write(tmp_path / "p.json", answers), MODEL, options=OPTIONS)
    assert result.absent == ()
    assert result.overall is None
    degree = result.tasks["sst2"].dimensions["advglue"]["imported"].degrees["any"]
    assert (degree.accuracy_cases, degree.n_cases, degree.average) == (7 / 8, 8, None)
    assert result.measurements["advglue/average"] == pytest.approx(1 - 1 / 8 / 5)


def test_a_task_left_out_leaves_no_average(plain: Path, advglue_document: Document, tmp_path: Path) -> None:
    """What is left out can never help."""
    answers = _labels(advglue_document)
    del answers["rte"]
    result = score_file(plain, _write(tmp_path / "p.json", answers), MODEL, options=OPTIONS)
    assert result.absent == ("rte/advglue/imported",)
    assert "rte" not in result.tasks
    assert not [name for name in result.measurements if name.startswith("advglue/")]


def test_an_undefined_f1_leaves_no_average(plain: Path, advglue_document: Document, tmp_path: Path) -> None:
    """Neither a true nor a predicted duplicate: nothing to average."""
    answers = _labels(advglue_document)
    for row in advglue_document["qqp"]:
        row["label"] = 0
    file = tmp_path / "no_duplicates.json"
    import_advglue(_write(file, advglue_document), tmp_path / "release")
    answers["qqp"] = [0] * 8
    result = score_file(tmp_path / "release", _write(tmp_path / "p.json", answers), MODEL, options=OPTIONS)
    assert "advglue/average" not in result.measurements


BROKEN = {
    "label": (lambda labels: labels["sst2"].__setitem__(5, 2), "sst2[5]: prediction '2' for id"),
    "name": (lambda labels: labels["rte"].__setitem__(0, "entails"), "rte[0]: prediction 'entails' for id"),
    "null": (lambda labels: labels["mnli-mm"].__setitem__(7, None), "mnli-mm[7]: no `prediction` for id"),
    "half": (lambda labels: labels["qqp"].__setitem__(1, 0.5), "qqp[1]: prediction 0.5 is no label"),
    "short": (lambda labels: labels["qqp"].pop(), "qqp: 7 labels, the release has 8 rows"),
    "long": (lambda labels: labels["qqp"].append(0), "qqp: 9 labels, the release has 8 rows"),
    "object": (lambda labels: labels.update(qnli={"0": 1}), "qnli: expected a list of labels"),
    "task": (lambda labels: labels.update(ssst2=[]), "unknown task 'ssst2'; did you mean 'sst2'?"),
    "nothing": (lambda labels: labels.clear(), "no row of the release is answered"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_named_with_its_key_and_index(
    name: str, annotated: Path, advglue_document: Document, tmp_path: Path
) -> None:
    """Counted as the file counts, from 0."""
    damage, expected = BROKEN[name]
    answers = _labels(advglue_document)
    damage(answers)
    path = _write(tmp_path / "p.json", answers)
    with pytest.raises(UserError) as caught:
        score_file(annotated, path, MODEL)
    assert f"{path}: {expected}" in caught.value.message
    assert caught.value.exit_code == 3


def test_labels_without_ids_are_only_read_for_imported_releases(release_path: Path, tmp_path: Path) -> None:
    """A built release has no order that anybody could mean."""
    with pytest.raises(UserError, match="labels without ids are only read for AdvGLUE"):
        score_file(release_path, _write(tmp_path / "p.json", {"mr": [0]}), MODEL)


def test_damaged_submissions_are_refused_or_read(
    plain: Path, advglue_document: Document, tmp_path: Path
) -> None:
    """Cut, overwritten, with bytes put in: a clear error or labels, never a traceback."""
    rows = ReleaseRows.read(Release.open(plain))
    whole = json.dumps(_labels(advglue_document)).encode()
    path = tmp_path / "p.json"
    refused = []
    for seed in range(300):
        generator = random.Random(seed)
        data = bytearray(whole)
        for _ in range(generator.randint(1, 3)):
            place = generator.randrange(len(data) + 1)
            junk = generator.choice(
                [b"", b"\x00", b"\xff", b"[", b"{", b"1e999", b"NaN", b"9" * 5_000, b',"qqp":1']
            )
            data[place : place + generator.choice([0, 1, 50, len(data)])] = junk
        path.write_bytes(data)
        try:
            labels = read_predictions(path, rows).labels
        except UserError as error:
            refused.append(error.message)
        else:
            assert labels.max() <= 2
    assert len(refused) > 200
    assert all(message.startswith(str(path)) for message in refused)
    path.write_bytes(b"[" * 2_000_000)
    with pytest.raises(UserError, match="longer than"):
        read_predictions(path, rows)
    path.write_bytes(b"[" * 500_000)
    with pytest.raises(UserError, match="nested too deeply"):
        read_predictions(path, rows)


def test_the_commands_show_the_average(plain: Path, advglue_document: Document, tmp_path: Path) -> None:
    """In a table of its own, between the tasks and the overall score."""
    path = _write(tmp_path / "p.json", _labels(advglue_document))
    answer = CliRunner().invoke(check, [str(plain), str(path)], catch_exceptions=False)
    assert "48 predictions for advglue@1.0, no problems" in answer.stdout
    arguments = [str(plain), str(path), "--model-name", "m", "-o", str(tmp_path / "result.json")]
    answer = CliRunner().invoke(score, arguments, catch_exceptions=False)
    assert "AdvGLUE's average" in answer.stdout
    assert "qqp F1" in answer.stdout
