"""A release and a predictions file give the scores of the definitions, whatever the file looks like."""

import json
import random
import tempfile
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.machine.errors import UserError
from contract.predictions.reading import ReleaseRows
from contract.release.release import Release
from contract.schema.results import ModelInfo, Result
from evaluator.metrics.average import average
from evaluator.metrics.ewma import ewma
from evaluator.metrics.worst import worst
from evaluator.metrics.worst_at import worst_at
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
    assert (degree.average, degree.worst, degree.worst_at) == pytest.approx((11 / 12, 5 / 6, 5 / 6))
    assert (degree.n_samples, degree.n_cases) == (6, 12)
    assert setting.degrees_used == ("0.05", "0.1")
    assert setting.average is not None
    assert setting.average.ewma == pytest.approx((1 + 11 / 12) / 2)
    assert result.overall is not None
    assert result.overall.average.ewma == pytest.approx((1 + (1 + 11 / 12) / 2) / 2)
    assert result.overall.malicious is not None
    assert result.overall.malicious.average.ewma == 1
    assert result.replicates is None


def test_a_dimension_left_out_is_absent_and_never_zero(release_path: Path, tmp_path: Path) -> None:
    """The entry is partial: what is there is scored, overall is null."""
    answers = {name: a for name, a in right_answers(release_path).items() if "typo-general" not in name}
    result = score(release_path, write_answers(tmp_path / "p.jsonl", answers), MODEL)
    assert result.absent == ("mr/typo-general/rule",)
    assert list(result.tasks["mr"].dimensions) == ["typo-malicious"]
    assert result.overall is None
    assert result.replicates is None


def test_degrees_with_too_few_samples_are_shown_but_not_used(tmp_path: Path) -> None:
    """The manifest decides, not the model."""
    cases = [Case(sample=s, dimension="typo", setting="rule", degree=0.1, case=0) for s in range(4)]
    cases += [Case(sample=0, dimension="typo", setting="rule", degree=0.5, case=0)]
    task = SyntheticTask(name="t", labels=LABELS[:2], clean=(0, 1, 0, 1), cases=tuple(cases))
    write_release(tmp_path / "r", [task], min_samples=2)
    answers = right_answers(tmp_path / "r")
    answers["t-00000.typo.rule.50.0"] = "positive"
    result = score(tmp_path / "r", write_answers(tmp_path / "p.csv", answers), MODEL, options=NO_BOOTSTRAP)
    setting = result.tasks["t"].dimensions["typo"]["rule"]
    assert setting.degrees["0.5"].average == 0
    assert setting.degrees_used == ("0.1",)
    assert setting.average is not None
    assert setting.average.ewma == 1


def test_a_dimension_without_usable_degrees_says_why(tmp_path: Path) -> None:
    """Not scored is not zero."""
    case = Case(sample=0, dimension="typo", setting="rule", degree=0.1, case=0)
    task = SyntheticTask(name="t", labels=LABELS[:2], clean=(0, 1), cases=(case,))
    write_release(tmp_path / "r", [task], min_samples=2)
    file = write_answers(tmp_path / "p.csv", right_answers(tmp_path / "r"))
    result = score(tmp_path / "r", file, MODEL, options=NO_BOOTSTRAP)
    setting = result.tasks["t"].dimensions["typo"]["rule"]
    assert (setting.average, setting.worst) == (None, None)
    assert setting.not_scored == "no degree has 2 samples"
    assert result.overall is None


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
    task = SyntheticTask(name="t", labels=LABELS[:2], clean=(0, 1, 0, 1), cases=cases)
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


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.booleans(), min_size=36, max_size=36))
def test_worst_is_at_most_worst_at_and_never_rises_where_all_samples_have_all_degrees(
    rights: list[bool],
) -> None:
    """An attacker with a larger budget can do all that one with a smaller budget can."""
    n_cases = np.full((4, 3), 3, np.int32)
    n_right = np.array(rights).reshape(4, 3, 3).sum(axis=2, dtype=np.int32)
    found, at = worst(n_right, n_cases).value(), worst_at(n_right, n_cases).value()
    assert (found <= at).all()
    assert (np.diff(found) <= 0).all()
    assert (at <= average(n_right, n_cases).value() + 1e-12).all()


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
    assert low.relative_average == pytest.approx(1 / (5 / 6))
    assert high.relative_worst == pytest.approx((5 / 6) / (5 / 6))
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
    assert result.measurements == {"nli/clean": 0.875, "nli/average": 1, "nli/worst": 1}


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
    result = score(release_path, file, MODEL, options=ScoreOptions(resamples=0, weights_path=path))
    assert result.overall is not None
    expected = {"judged/average": (0.9 + 0.3 * 11 / 12) / 1.2, "judged/worst": (0.9 + 0.3 * 5 / 6) / 1.2}
    assert result.overall.validity_weighted == pytest.approx(expected)
    assert "weights:judged" in result.signature
    path.write_text(json.dumps(weights | {"dimensions": {"typo": {"a lot": 1}}}))
    with pytest.raises(UserError, match="not a degree"):
        score(release_path, file, MODEL, options=ScoreOptions(resamples=0, weights_path=path))


def test_a_release_whose_files_lost_rows_is_not_scored(release_path: Path, tmp_path: Path) -> None:
    """The manifest's counts decide which degrees count, so they must be true."""
    file = write_answers(tmp_path / "p.jsonl", right_answers(release_path))
    path = release_path / "data" / "mr" / "clean.parquet"
    pq.write_table(pq.read_table(path).slice(1), path)
    with pytest.raises(UserError, match="5 rows, the manifest says 6"):
        score(release_path, file, MODEL)


@st.composite
def _tasks(draw: st.DrawFn) -> list[SyntheticTask]:
    tasks = []
    for name in draw(st.sampled_from([("a",), ("a", "b")])):
        n_samples = draw(st.integers(1, 6))
        n_labels = draw(st.integers(2, 3))
        counts = draw(
            st.dictionaries(
                st.tuples(
                    st.integers(0, n_samples - 1),
                    st.sampled_from(["glyph", "typo-malicious"]),
                    st.sampled_from(["rule", "score"]),
                    st.sampled_from([0.05, 0.1, 0.6]),
                ),
                st.integers(1, 3),
                max_size=12,
            )
        )
        cases = tuple(
            Case(sample=sample, dimension=dimension, setting=setting, degree=degree, case=case)
            for (sample, dimension, setting, degree), n_cases in counts.items()
            for case in range(n_cases)
        )
        clean = tuple(draw(st.lists(st.integers(0, n_labels - 1), min_size=n_samples, max_size=n_samples)))
        tasks.append(SyntheticTask(name=name, labels=LABELS[:n_labels], clean=clean, cases=cases))
    return tasks


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_scores_equal_an_independent_computation(data: st.DataObject) -> None:
    """Random releases and answers, scored again with pandas groupby alone."""
    tasks = data.draw(_tasks())
    min_samples = data.draw(st.integers(1, 2))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r"
        write_release(path, tasks, min_samples=min_samples)
        answers = {
            name: answer if data.draw(st.booleans()) else _other(answer)
            for name, answer in right_answers(path).items()
        }
        result = score(path, write_answers(Path(folder) / "p.jsonl", answers), MODEL, options=NO_BOOTSTRAP)
        columns = ("id", "sample_id", "task", "dimension", "setting", "degree", "label")
        frame = ReleaseRows.read(Release.open(path), columns).table.to_pandas()
    names = {task.name: task.labels for task in tasks}
    frame["right"] = [answers[row.id] == names[row.task][row.label] for row in frame.itertuples()]
    _compare(result, frame, min_samples)


def _compare(result: Result, frame: pd.DataFrame, min_samples: int) -> None:
    clean = frame[frame.dimension == "clean"]
    for task, rows in clean.groupby("task"):
        assert result.tasks[str(task)].clean.accuracy == pytest.approx(rows.right.mean())
        best_constant = rows.label.value_counts(normalize=True).max()
        assert result.tasks[str(task)].clean.best_constant == pytest.approx(best_constant)
    finals: dict[tuple[str, str, str], tuple[float, float]] = {}
    for (task, dimension, setting), rows in frame[frame.dimension != "clean"].groupby(
        ["task", "dimension", "setting"]
    ):
        found = result.tasks[task].dimensions[dimension][setting]
        averages, worsts = {}, {}
        for degree, at in rows.groupby("degree"):
            by_sample = at.groupby("sample_id").right
            up_to = rows[rows.degree <= degree].groupby("sample_id").right.all().mean()
            expected = (by_sample.mean().mean(), up_to, by_sample.all().mean(), at.right.mean())
            figures = found.degrees[f"{degree:g}"]
            actual = (figures.average, figures.worst, figures.worst_at, figures.accuracy_cases)
            assert actual == pytest.approx(expected)
            if at.sample_id.nunique() >= min_samples:
                averages[degree], worsts[degree] = expected[:2]
        assert found.degrees_used == tuple(f"{degree:g}" for degree in sorted(averages))
        if averages:
            high_to_low = sorted(averages, reverse=True)
            final = (ewma([averages[d] for d in high_to_low]), ewma([worsts[d] for d in high_to_low]))
            assert found.average is not None
            assert found.worst is not None
            assert (found.average.ewma, found.worst.ewma) == pytest.approx(final)
            finals[task, dimension, setting] = final
    if not finals:
        assert result.overall is None
        return
    table = pd.DataFrame([(*key, *value) for key, value in finals.items()], columns=["t", "d", "s", "a", "w"])
    means = table.groupby(["t", "s"])[["a", "w"]].mean().groupby("t").mean().mean()
    assert result.overall is not None
    assert (result.overall.average.ewma, result.overall.worst.ewma) == pytest.approx((means.a, means.w))
