"""A release and a predictions file give the scores of the definitions, whatever the file looks like."""

import random
import tempfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.errors import UserError
from contract.predictions import ReleaseRows
from contract.release import Release
from contract.results import ModelInfo, Result
from evaluator.metrics.ewma import ewma
from evaluator.scoring import ScoreOptions, score

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
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

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


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
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
            assert figures.worst <= figures.worst_at + 1e-12 or up_to > by_sample.all().mean()
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
