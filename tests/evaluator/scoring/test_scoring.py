"""A release and a predictions file give the scores of the definitions, whatever the file looks like."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.machine.errors import UserError
from contract.release.release import Release
from contract.schema.manifest import Mean
from contract.schema.results import ModelInfo, Result
from evaluator.scoring.score import ScoreOptions, score

MODEL = ModelInfo(name="model")
NO_BOOTSTRAP = ScoreOptions(resamples=0)
LABELS = ("negative", "positive", "neutral")


def _other(answer: str) -> str:
    return LABELS[(LABELS.index(answer) + 1) % 2]


def _figures(result: Result) -> dict[str, object]:
    """Return all that a result says about the model's answers."""
    return {"tasks": result.tasks, "overall": result.overall, "replicates": result.replicates}


def test_a_perfect_model_scores_one_everywhere(release_path: Path, tmp_path: Path) -> None:
    """All right is 1, with intervals that say so."""
    file = write_answers(tmp_path / "p.jsonl", right_answers(release_path))
    result = score(release_path, file, MODEL)
    assert result.overall is not None
    assert result.overall.average.ewma == result.overall.worst.ewma == 1
    assert result.overall.average.ci == (1, 1)
    assert result.replicates is not None
    assert result.replicates.average == (1.0,) * 200


def test_one_wrong_case_costs_what_the_definitions_say(release_path: Path, tmp_path: Path) -> None:
    """One of twelve cases at the higher of two degrees, worked out by hand."""
    answers = right_answers(release_path)
    answers["mr-00001.typo-general.rule.10.0"] = "negative"
    result = score(release_path, write_answers(tmp_path / "p.jsonl", answers), MODEL, options=NO_BOOTSTRAP)
    setting = result.tasks["mr"].dimensions["typo-general"]["rule"]
    degree = setting.degrees["0.1"]
    # One of the three positive samples is right on one of its two cases.
    average, worst = ((2.5 / 3) ** 0.5, (2 / 3) ** 0.5)
    assert (degree.average, degree.worst, degree.worst_at) == pytest.approx((average, worst, 5 / 6))
    assert degree.recall["positive"].average == pytest.approx(2.5 / 3)
    assert (degree.n_samples, degree.n_cases, degree.share_with_case) == (6, 12, 1)
    assert setting.most_hurt_label == "positive"
    assert setting.degrees_used == ("0.05", "0.1")
    assert setting.average is not None
    assert setting.average.ewma == pytest.approx((1 + average) / 2)
    assert result.overall is not None
    assert result.overall.covers == ("rule",)
    assert result.overall.average.ewma == pytest.approx((1 + (1 + average) / 2) / 2)
    assert result.overall.tags["malicious"]["rule"].average.ewma == 1
    assert result.overall.settings["rule"].average == result.overall.average
    assert result.overall.groups["core"]["rule"].average == result.overall.average
    assert result.overall.dimensions["typo-general"]["rule"].average == setting.average
    assert result.replicates is None


def test_a_dimension_left_out_is_absent_and_never_zero(release_path: Path, tmp_path: Path) -> None:
    """The entry is partial: what is there is scored, overall is null."""
    answers = {name: a for name, a in right_answers(release_path).items() if "typo-general" not in name}
    result = score(release_path, write_answers(tmp_path / "p.jsonl", answers), MODEL)
    assert result.absent == ("mr/typo-general/rule",)
    assert list(result.tasks["mr"].dimensions) == ["typo-malicious"]
    assert result.overall is None
    assert result.replicates is None


def _task(n_samples: int, counts: dict[tuple[str, str, float], int], **values: Any) -> SyntheticTask:
    """Return a task in which the first samples have a case each: by dimension, setting and degree."""
    cases = tuple(
        Case(sample=sample, dimension=dimension, setting=setting, degree=degree, case=0)
        for (dimension, setting, degree), n in counts.items()
        for sample in range(n)
    )
    clean = tuple(sample % 2 for sample in range(n_samples))
    return SyntheticTask(name="t", labels=LABELS[:2], clean=clean, cases=cases, **values)


def _scored(tmp_path: Path, task: SyntheticTask, wrong: Sequence[str] = (), **options: Any) -> Result:
    """Return the result of a model that is right but for some rows."""
    write_release(tmp_path / "r", [task])
    answers = right_answers(tmp_path / "r")
    answers |= {name: _other(answers[name]) for name in wrong}
    file = write_answers(tmp_path / "p.csv", answers)
    return score(tmp_path / "r", file, MODEL, options=ScoreOptions(**{"resamples": 0} | options))


def test_degrees_count_where_a_tenth_of_the_samples_have_a_random_case(tmp_path: Path) -> None:
    """The same ones in every setting, whether it has cases there or not; others are shown, not used."""
    counts = {("typo", "rule", 0.1): 20, ("typo", "rule", 0.2): 2, ("typo", "rule", 0.5): 1}
    counts |= {("typo", "score", 0.1): 4, ("typo", "score", 0.5): 20}
    result = _scored(tmp_path, _task(20, counts), ["t-00000.typo.score.10.0", "t-00001.typo.rule.20.0"])
    found = result.tasks["t"].dimensions["typo"]
    assert found["rule"].degrees_used == found["score"].degrees_used == ("0.1", "0.2")
    assert list(found["rule"].degrees) == list(found["score"].degrees) == ["0.1", "0.2", "0.5"]
    lost = found["score"].degrees["0.2"]
    # No case here: the sample that was lost at 0.1 stays lost.
    assert lost.average == found["score"].degrees["0.1"].average == pytest.approx((0.9 * 1) ** 0.5)
    assert (lost.n_cases, lost.share_with_case, lost.worst_at, lost.accuracy_cases) == (0, 0, None, None)
    assert found["rule"].degrees["0.2"].share_with_case == 0.1
    assert found["score"].degrees["0.5"].average is not None
    assert found["score"].degrees["0.5"].average > lost.average


def test_without_random_cases_those_of_any_setting_decide(tmp_path: Path) -> None:
    """Samples of all settings together."""
    counts = {("typo", "score", 0.1): 1, ("typo", "gradient", 0.1): 2, ("typo", "score", 0.2): 1}
    found = _scored(tmp_path, _task(20, counts)).tasks["t"].dimensions["typo"]
    assert found["score"].degrees_used == found["gradient"].degrees_used == ("0.1",)


def test_a_dimension_without_usable_degrees_says_why(tmp_path: Path) -> None:
    """Not scored is not zero."""
    result = _scored(tmp_path, _task(20, {("typo", "rule", 0.1): 1, ("typo", "score", 0.1): 20}))
    for setting in result.tasks["t"].dimensions["typo"].values():
        assert (setting.average, setting.worst, setting.degrees_used) == (None, None, ())
        assert setting.not_scored == "no degree at which a tenth of the clean samples have a case"
    assert result.overall is None


def test_a_task_needs_clean_samples_of_two_labels(tmp_path: Path) -> None:
    """There is nothing to join, and no guessing to be better than."""
    cases = tuple(Case(sample=s, dimension="typo", setting="rule", degree=0.1, case=0) for s in range(3))
    task = SyntheticTask(name="t", labels=LABELS, clean=(1, 1, 1), cases=cases)
    result = _scored(tmp_path, task, resamples=10)
    setting = result.tasks["t"].dimensions["typo"]["rule"]
    assert setting.not_scored == "a score needs clean samples of two labels"
    assert (setting.degrees["0.1"].average, setting.degrees["0.1"].worst_at) == (None, 1)
    assert result.tasks["t"].clean is not None
    assert result.tasks["t"].clean.has_skill is None
    assert result.overall is None


def test_labels_without_clean_samples_stay_out(tmp_path: Path) -> None:
    """Three labels, two of them with samples: the third costs nothing."""
    cases = tuple(Case(sample=s, dimension="typo", setting="rule", degree=0.1, case=0) for s in range(4))
    task = SyntheticTask(name="t", labels=LABELS, clean=(0, 0, 1, 1), cases=cases)
    result = _scored(tmp_path, task)
    assert result.overall is not None
    assert (result.overall.average.ewma, result.overall.clean) == (1, 1)
    assert result.tasks["t"].dimensions["typo"]["rule"].most_hurt_label is None


@pytest.mark.parametrize(
    ("mean", "expected"),
    [("geometric", (0.5 * 0.9) ** 0.5), ("balanced", 0.7), ("above-chance", 0.4), ("plain", 0.7)],
)
def test_the_mean_may_be_chosen(tmp_path: Path, mean: Mean, expected: float) -> None:
    """It stands in settings and signature; without a choice the release decides."""
    wrong = [f"t-{sample:05d}.typo.rule.10.0" for sample in (0, 2, 4, 6, 8, 1)]
    task = _task(20, {("typo", "rule", 0.1): 20}, mean="balanced")
    result = _scored(tmp_path, task, wrong, mean=mean)
    assert result.overall is not None
    assert result.overall.average.ewma == pytest.approx(expected)
    assert (result.settings.mean, result.tasks["t"].mean) == (mean, mean)
    assert f"|mean:{mean}|" in result.signature
    (tmp_path / "own").mkdir()
    own = _scored(tmp_path / "own", task, wrong)
    assert (own.settings.mean, own.tasks["t"].mean) == (None, "balanced")
    assert own.overall is not None
    assert own.overall.average.ewma == pytest.approx(0.7)


def test_no_setting_is_mixed_with_another_but_in_the_headline(tmp_path: Path) -> None:
    """Half random, half attacked; a dimension outside the core has a mean of its own."""
    counts = {("typo", "rule", 0.1): 20, ("typo", "score", 0.1): 20, ("typo", "gradient", 0.1): 20}
    counts |= {("glyph", "rule", 0.1): 20, ("extra", "rule", 0.1): 20}
    wrong = {"rule": 2, "score": 10, "gradient": 6}
    lost = [f"t-{s:05d}.typo.{name}.10.0" for name, n in wrong.items() for s in range(n)]
    lost += [f"t-{sample:05d}.extra.rule.10.0" for sample in range(20)]
    task = _task(20, counts, mean="plain")
    write_release(tmp_path / "r", [task])
    manifest = Release.open(tmp_path / "r").manifest
    dimensions = [
        info.model_copy(update={"group": "zeroe" if info.name == "extra" else "core"})
        for info in manifest.dimensions
    ]
    manifest.model_copy(update={"dimensions": tuple(dimensions)}).write(tmp_path / "r" / "manifest.json")
    answers = right_answers(tmp_path / "r")
    answers |= {name: _other(answers[name]) for name in lost}
    result = score(tmp_path / "r", write_answers(tmp_path / "p.csv", answers), MODEL, options=NO_BOOTSTRAP)
    overall = result.overall
    assert overall is not None
    assert overall.covers == ("rule", "attacked")
    settings_ = {name: pair.average.ewma for name, pair in overall.settings.items()}
    assert settings_ == pytest.approx({"rule": 0.95, "attacked": 0.6, "score": 0.5, "gradient": 0.7})
    assert overall.average.ewma == pytest.approx((0.95 + 0.6) / 2)
    assert overall.groups["zeroe"]["rule"].average.ewma == 0
    assert overall.groups["core"]["attacked"].average.ewma == pytest.approx(0.6)
    by_setting = {name: pair.average.ewma for name, pair in overall.dimensions["typo"].items()}
    assert by_setting == pytest.approx({"rule": 0.9, "attacked": 0.6, "score": 0.5, "gradient": 0.7})
    assert set(overall.dimensions["glyph"]) == {"rule"}


def test_a_dimension_without_any_case_says_so(tmp_path: Path) -> None:
    """What was tried and gave nothing is not scored and does not vanish; one empty degree is no matter."""
    cases = tuple(Case(sample=i, dimension="typo", setting="rule", degree=0.1, case=0) for i in range(3))
    empty = (("typo", "rule", 0.6), ("typo", "score", 0.1), ("syntax", "rule", 0.1), ("syntax", "rule", 0.2))
    task = SyntheticTask(name="mr", labels=("no", "yes"), clean=(0, 1, 0), cases=cases, empty=empty)
    write_release(tmp_path / "r", [task])
    path = write_answers(tmp_path / "p.jsonl", right_answers(tmp_path / "r"))
    result = score(tmp_path / "r", path, MODEL)
    found = result.tasks["mr"].dimensions
    for score_ in (found["typo"]["score"], found["syntax"]["rule"]):
        assert (score_.degrees, score_.degrees_used, score_.average, score_.worst) == ({}, (), None, None)
        assert score_.not_scored == "no case was frozen"
    assert list(found["typo"]["rule"].degrees) == ["0.1"]
    assert result.overall is not None
    assert set(result.overall.dimensions) == {"typo"}
    assert result.absent == ()


def test_a_split_without_degrees_is_its_own_score(tmp_path: Path) -> None:
    """There is nothing to average over, whatever EWMA starts with."""
    cases = tuple(Case(sample=s, dimension="human", setting="rule", degree=None, case=0) for s in range(4))
    task = SyntheticTask(name="t", labels=LABELS[:2], clean=(0, 1, 0, 1), cases=cases, mean="plain")
    write_release(tmp_path / "r", [task])
    answers = right_answers(tmp_path / "r")
    answers["t-00000.human.rule.any.0"] = "positive"
    file = write_answers(tmp_path / "p.csv", answers)
    options = ScoreOptions(resamples=0, ewma_start="zero")
    setting = score(tmp_path / "r", file, MODEL, options=options).tasks["t"].dimensions["human"]["rule"]
    assert setting.degrees_used == ("any",)
    assert setting.average is not None
    assert setting.average.ewma == 0.75


@pytest.mark.parametrize("name", ["p.jsonl", "p.csv", "p.parquet", "p.jsonl.gz", "p.csv.gz"])
@pytest.mark.parametrize("by_index", [False, True])
def test_scores_do_not_depend_on_format_order_or_labels_as_names(
    release_path: Path, tmp_path: Path, name: str, *, by_index: bool
) -> None:
    """Only ids and answers count."""
    answers: dict[str, str | int] = dict(right_answers(release_path))
    answers["mr-00003.typo-malicious.rule.05.1"] = "negative"
    expected = score(release_path, write_answers(tmp_path / "plain.jsonl", answers), MODEL)
    shuffled = list(answers.items())
    random.Random(1).shuffle(shuffled)
    other = {key: LABELS.index(str(answer)) if by_index else answer for key, answer in shuffled}
    result = score(release_path, write_answers(tmp_path / name, other), MODEL)
    assert _figures(result) == _figures(expected)


def test_withheld_labels_come_from_a_file(release_path: Path, tmp_path: Path) -> None:
    """Without it the remedy is named; with it the scores are the same."""
    answers = right_answers(release_path)
    file = write_answers(tmp_path / "p.jsonl", answers)
    expected = score(release_path, file, MODEL)
    for path in release_path.rglob("*.parquet"):
        table = pq.read_table(path)
        place = table.schema.get_field_index("label")
        withheld = pa.array([-1] * table.num_rows, pa.int64())
        pq.write_table(table.set_column(place, table.schema.field(place), withheld), path)
    with pytest.raises(UserError, match="--labels"):
        score(release_path, file, MODEL)
    labels = write_answers(tmp_path / "labels.jsonl", answers)
    labels.write_text(labels.read_text().replace('"prediction"', '"label"'))
    assert _figures(score(release_path, file, MODEL, labels_path=labels)) == _figures(expected)


def test_a_result_fits_the_published_schema(release_path: Path, tmp_path: Path) -> None:
    """What is written is what the schema promises, and reads back as it was."""
    answers = right_answers(release_path)
    file = write_answers(tmp_path / "p.jsonl", answers, probabilities=[0.25, 0.75])
    result = score(release_path, file, MODEL)
    result.write(tmp_path / "result.json")
    raw = json.loads((tmp_path / "result.json").read_text())
    jsonschema.validate(raw, Result.model_json_schema(mode="serialization"))
    assert Result.read(tmp_path / "result.json") == result
    raw["overall"]["average"]["ewma"] = 1.5
    (tmp_path / "result.json").write_text(json.dumps(raw))
    with pytest.raises(UserError, match=r"overall\.average\.ewma"):
        Result.read(tmp_path / "result.json")


def test_a_result_is_the_same_bytes_every_time(release_path: Path, tmp_path: Path) -> None:
    """No clock, no chance."""
    file = write_answers(tmp_path / "p.jsonl", right_answers(release_path))
    for name in ("a.json", "b.json"):
        score(release_path, file, MODEL).write(tmp_path / name)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_relative_scores_and_attack_success_state_their_denominators(
    release_path: Path, tmp_path: Path
) -> None:
    """Sample 0 is wrong when clean, sample 1 is lost at the higher degree."""
    answers = right_answers(release_path)
    answers["mr-00000.clean"] = "positive"
    answers["mr-00001.typo-general.rule.10.0"] = "negative"
    file = write_answers(tmp_path / "p.jsonl", answers)
    setting = (
        score(release_path, file, MODEL, options=NO_BOOTSTRAP).tasks["mr"].dimensions["typo-general"]["rule"]
    )
    low, high = setting.degrees["0.05"], setting.degrees["0.1"]
    assert (low.attack_success_rate, low.n_attacked) == (0, 5)
    assert (high.attack_success_rate, high.n_attacked) == (0.2, 5)
    assert low.relative_average == 1
    assert high.relative_worst == pytest.approx((2 / 3) ** 0.5)
    assert setting.worst_at_k == pytest.approx({"1": 1 - 1 / 24, "2": 1 - 1 / 12, "3": 1 - 1 / 8})
    assert setting.worst_at_k_samples == {"1": 6, "2": 6, "3": 6}


def test_f1_auroc_and_group_means_are_reported_where_asked(tmp_path: Path) -> None:
    """F1 where the task asks, AUROC where there are probabilities, a mean for tasks of one group."""
    cases = tuple(Case(sample=s, dimension="typo", setting="rule", degree=0.1, case=0) for s in range(4))
    tasks = [
        SyntheticTask(
            name=name,
            labels=LABELS[:2],
            clean=(0, 1, 0, 1),
            cases=cases,
            metrics=("accuracy", "f1"),
            group="nli",
        )
        for name in ("m", "mm")
    ]
    write_release(tmp_path / "r", tasks)
    answers = right_answers(tmp_path / "r")
    answers["m-00001.clean"] = "negative"
    file = write_answers(tmp_path / "p.jsonl", answers, probabilities=[0.5, 0.5])
    result = score(tmp_path / "r", file, MODEL, options=NO_BOOTSTRAP)
    assert result.tasks["m"].clean.metrics == pytest.approx({"f1": 2 / 3, "auroc": 0.5})
    assert result.tasks["mm"].dimensions["typo"]["rule"].degrees["0.1"].metrics == {"f1": 1, "auroc": 0.5}
    half_lost = (1 + 0.5**0.5) / 2
    expected = {"nli/clean": half_lost, "nli/average": half_lost, "nli/worst": half_lost}
    of_group = {name: value for name, value in result.measurements.items() if name.startswith("nli/")}
    assert of_group == pytest.approx(expected)


def test_validity_weights_make_a_figure_of_their_own(release_path: Path, tmp_path: Path) -> None:
    """Dimensions without weights are left out of it; the file's name stands in the signature."""
    weights = {
        "schema": "hardfrost/validity-weights/1",
        "name": "judged",
        "source": "made up",
        "dimensions": {"typo-general": {"0.05": 0.9, "0.1": 0.3}, "typo-malicious": {"0.1": 0}},
    }
    path = tmp_path / "weights.json"
    path.write_text(json.dumps(weights))
    answers = right_answers(release_path)
    answers["mr-00001.typo-general.rule.10.0"] = "negative"
    file = write_answers(tmp_path / "p.jsonl", answers)
    result = score(release_path, file, MODEL, options=ScoreOptions(resamples=0, weights=str(path)))
    assert result.overall is not None
    average, worst = (2.5 / 3) ** 0.5, (2 / 3) ** 0.5
    expected = {"judged/average": (0.9 + 0.3 * average) / 1.2, "judged/worst": (0.9 + 0.3 * worst) / 1.2}
    assert result.overall.validity_weighted == pytest.approx(expected)
    assert "weights:judged" in result.signature
    path.write_text(json.dumps(weights | {"dimensions": {"typo": {"a lot": 1}}}))
    with pytest.raises(UserError, match="not a degree"):
        score(release_path, file, MODEL, options=ScoreOptions(resamples=0, weights=str(path)))
    with pytest.raises(UserError, match=r"judges: no such file, nor weights .*robtest-table3"):
        score(release_path, file, MODEL, options=ScoreOptions(resamples=0, weights="judges"))


def test_a_release_whose_files_lost_rows_is_not_scored(release_path: Path, tmp_path: Path) -> None:
    """The manifest's counts decide which degrees count, so they must be true."""
    file = write_answers(tmp_path / "p.jsonl", right_answers(release_path))
    path = release_path / "data" / "mr" / "clean.parquet"
    pq.write_table(pq.read_table(path).slice(1), path)
    with pytest.raises(UserError, match="5 rows, the manifest says 6"):
        score(release_path, file, MODEL)
