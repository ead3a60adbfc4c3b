"""On any release and any answers, scores are what the definitions say and keep what these promise."""

import random
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from synthetic import ATTACKED, Case, SyntheticTask, right_answers, write_answers, write_release

from contract.predictions.reading import ReleaseRows
from contract.release.release import Release
from contract.schema.manifest import Mean
from contract.schema.results import ModelInfo, Result
from evaluator.metrics.ewma import ewma
from evaluator.scoring.score import ScoreOptions, score

LABELS = ("negative", "positive", "neutral")
MODEL = ModelInfo(name="model")
COLUMNS = ("id", "sample_id", "task", "dimension", "setting", "degree", "label")
MEANS: tuple[Mean, ...] = ("geometric", "above-chance", "balanced", "plain")
EXACT = {"rel": 0, "abs": 1e-9}
SLOW = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def _tasks(draw: st.DrawFn) -> list[SyntheticTask]:
    tasks = []
    for name in draw(st.sampled_from([("a",), ("a", "b")])):
        n_samples = draw(st.integers(2, 7))
        n_labels = draw(st.integers(2, 3))
        counts = draw(
            st.dictionaries(
                st.tuples(
                    st.integers(0, n_samples - 1),
                    st.sampled_from(["glyph", "typo-malicious"]),
                    st.sampled_from(["rule", "score", "gradient"]),
                    st.sampled_from([0.05, 0.1, 0.6]),
                ),
                st.lists(st.booleans(), min_size=1, max_size=3),
                max_size=10,
            )
        )
        cases = tuple(
            Case(
                sample=sample,
                dimension=dimension,
                setting=setting,
                degree=degree,
                case=case,
                tier="transferable" if is_in_tier and setting in ATTACKED else None,
            )
            for (sample, dimension, setting, degree), tiers in counts.items()
            for case, is_in_tier in enumerate(tiers)
        )
        clean = tuple(draw(st.lists(st.integers(0, n_labels - 1), min_size=n_samples, max_size=n_samples)))
        mean = draw(st.sampled_from(MEANS))
        tasks.append(SyntheticTask(name=name, labels=LABELS[:n_labels], clean=clean, cases=cases, mean=mean))
    return tasks


def _is_wrong(seed: int, name: str) -> bool:
    """Tell whether a model has a row wrong; the same in every release that has the row."""
    return random.Random(f"{seed}:{name}").random() < 0.4


class Scored:
    """A release, somebody's answers to it, and their result."""

    def __init__(self, tasks: list[SyntheticTask], seed: int | None, **options: object) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "r"
            write_release(path, tasks)
            self.answers = right_answers(path)
            names = {task.name: task.labels for task in tasks}
            if seed is not None:
                self.answers = {
                    name: LABELS[(LABELS.index(answer) + 1) % 2] if _is_wrong(seed, name) else answer
                    for name, answer in self.answers.items()
                }
            else:
                self.answers = dict.fromkeys(self.answers, LABELS[0])
            file = write_answers(Path(folder) / "p.jsonl", self.answers)
            chosen = ScoreOptions(**{"resamples": 0, **options})  # type: ignore[arg-type]
            self.result = score(path, file, MODEL, options=chosen)
            release = Release.open(path)
            self.frame = ReleaseRows.read(release, COLUMNS).table.to_pandas()
            tiers = [split.tier for split in ReleaseRows.read(release).splits for _ in range(split.rows)]
        self.frame["tier"] = tiers
        self.frame["right"] = [
            self.answers[row.id] == names[row.task][row.label] for row in self.frame.itertuples()
        ]


@SLOW
@given(_tasks(), st.integers(0, 99))
def test_scores_equal_an_independent_computation(tasks: list[SyntheticTask], seed: int) -> None:
    """Random releases and answers, scored again with pandas and loops alone."""
    made = Scored(tasks, seed)
    finals: dict[tuple[str, str, str], tuple[float, float]] = {}
    for task in tasks:
        frame = made.frame[made.frame.task == task.name]
        clean = frame[frame.dimension == "clean"].set_index("sample_id")
        found = made.result.tasks[task.name]
        assert found.clean is not None
        recalls = clean.groupby("label").right.mean()
        assert found.clean.accuracy == pytest.approx(clean.right.mean(), **EXACT)
        assert found.clean.balanced == pytest.approx(recalls.mean(), **EXACT)
        assert found.clean.recall == pytest.approx({task.labels[k]: v for k, v in recalls.items()}, **EXACT)
        if len(recalls) > 1:
            expected = _join(clean.right.astype(float), clean.label, task.mean)
            assert found.clean.score == pytest.approx(expected, **EXACT)
        for (dimension, setting), rows in frame[frame.dimension != "clean"].groupby(["dimension", "setting"]):
            of_dimension = frame[frame.dimension == dimension]
            used = _used(of_dimension, len(clean), dimension, task)
            cell = found.dimensions[dimension][setting]
            degrees = sorted({*rows.degree, *used})
            assert list(cell.degrees) == [f"{degree:g}" for degree in degrees]
            scores = {degree: _scores(rows, clean, degree, task.mean) for degree in degrees}
            for degree in degrees:
                figures, at = cell.degrees[f"{degree:g}"], rows[rows.degree == degree]
                assert figures.share_with_case == pytest.approx(at.sample_id.nunique() / len(clean), **EXACT)
                assert (figures.n_cases, figures.n_samples) == (len(at), at.sample_id.nunique())
                tier = at[at.tier == "transferable"]
                assert (figures.transferable is None) == (not len(tier))
                if figures.transferable is not None:
                    assert figures.transferable.accuracy == pytest.approx(tier.right.mean(), **EXACT)
                    assert figures.transferable.n_cases == len(tier)
                if len(at):
                    assert figures.accuracy_cases == pytest.approx(at.right.mean(), **EXACT)
                    all_right = at.groupby("sample_id").right.all()
                    assert figures.worst_at == pytest.approx(all_right.mean(), **EXACT)
                if len(recalls) > 1:
                    assert (figures.average, figures.worst) == pytest.approx(scores[degree], **EXACT)
            if len(recalls) < 2 or not used:
                assert (cell.average, cell.degrees_used) == (None, ())
                continue
            assert cell.degrees_used == tuple(f"{degree:g}" for degree in used)
            final = tuple(ewma([scores[degree][which] for degree in reversed(used)]) for which in (0, 1))
            assert cell.average is not None
            assert cell.worst is not None
            assert (cell.average.ewma, cell.worst.ewma) == pytest.approx(final, **EXACT)
            finals[task.name, str(dimension), str(setting)] = (final[0], final[1])
    _compare_overall(made.result, finals)


def _used(of_dimension: pd.DataFrame, n_clean: int, dimension: str, task: SyntheticTask) -> list[float]:
    if any(case.setting == "rule" for case in task.cases if case.dimension == dimension):
        of_dimension = of_dimension[of_dimension.setting == "rule"]
    n_samples = of_dimension.groupby("degree").sample_id.nunique()
    return sorted(degree for degree, n in n_samples.items() if n >= n_clean / 10)


def _scores(rows: pd.DataFrame, clean: pd.DataFrame, degree: float, mean: Mean) -> tuple[float, float]:
    averages, worsts = {}, {}
    for sample, original in clean.iterrows():
        mine = rows[(rows.sample_id == sample) & (rows.degree <= degree)]
        share = mine[mine.degree == mine.degree.max()].right.mean() if len(mine) else 1.0
        averages[sample] = original.right * share
        worsts[sample] = float(original.right and mine.right.all())
    return tuple(_join(pd.Series(kept), clean.label, mean) for kept in (averages, worsts))  # type: ignore[return-value]


def _join(kept: pd.Series, labels: pd.Series, mean: Mean) -> float:
    if mean == "plain":
        return float(kept.mean())
    recalls = kept.groupby(labels).mean()
    if mean == "geometric":
        return float(np.prod(recalls) ** (1 / len(recalls)))
    if mean == "balanced":
        return float(recalls.mean())
    guessing = 1 / max(len(recalls), 2)
    return float(max(0, (recalls.mean() - guessing) / (1 - guessing)))


def _compare_overall(result: Result, finals: Mapping[tuple[str, str, str], tuple[float, float]]) -> None:
    if not finals:
        assert result.overall is None
        return
    rows = [(*key, *value) for key, value in finals.items()]
    table = pd.DataFrame(rows, columns=["task", "dimension", "setting", "average", "worst"])
    table["half"] = table.setting.where(table.setting == "rule", "attacked")
    figures = ["average", "worst"]
    by_dimension = table.groupby(["task", "half", "dimension"])[figures].mean()
    halves = by_dimension.groupby(["task", "half"]).mean()
    headline = halves.groupby("task").mean().mean()
    assert result.overall is not None
    found = (result.overall.average.ewma, result.overall.worst.ewma)
    assert found == pytest.approx((headline.average, headline.worst), **EXACT)
    for half, values in halves.groupby("half").mean().iterrows():
        assert result.overall.settings[str(half)].average.ewma == pytest.approx(values.average, **EXACT)
    for (dimension, setting), values in table.groupby(["dimension", "setting"])[figures].mean().iterrows():
        assert result.overall.dimensions[dimension][setting].worst.ewma == pytest.approx(
            values.worst, **EXACT
        )


@SLOW
@given(_tasks(), st.integers(0, 99))
def test_worst_is_at_most_average_which_is_at_most_clean_and_worst_never_rises(
    tasks: list[SyntheticTask], seed: int
) -> None:
    """At every degree, whatever the mean: nothing that is added lifts a score above the clean one."""
    made = Scored(tasks, seed)
    for task in made.result.tasks.values():
        for settings_ in task.dimensions.values():
            for cell in settings_.values():
                lowest = 1.0
                for figures in cell.degrees.values():
                    if figures.average is None or figures.worst is None:
                        continue
                    assert task.clean is not None
                    assert figures.worst <= figures.average + 1e-9
                    assert figures.average <= task.clean.score + 1e-9
                    assert figures.worst <= lowest + 1e-9
                    lowest = figures.worst
    overall = made.result.overall
    if overall is not None and overall.clean is not None and len(made.result.tasks) == 1:
        assert overall.worst.ewma <= overall.average.ewma + 1e-9 <= overall.clean + 2e-9


@SLOW
@given(_tasks(), st.sampled_from(["geometric", "above-chance"]))
def test_a_constant_answer_gets_exactly_nothing(tasks: list[SyntheticTask], mean: Mean) -> None:
    """With the geometric mean and above chance: whoever gives up a label loses."""
    made = Scored(tasks, None, mean=mean)
    for task in made.result.tasks.values():
        for settings_ in task.dimensions.values():
            for cell in settings_.values():
                assert cell.average is None or cell.average.ewma == 0
        assert task.clean is not None
        assert len(task.clean.recall) < 2 or task.clean.score == 0


@SLOW
@given(_tasks(), st.integers(0, 99))
def test_a_split_added_to_one_dimension_changes_no_figure_of_another(
    tasks: list[SyntheticTask], seed: int
) -> None:
    """Neither its degrees nor its scores."""
    added = [Case(sample=s, dimension="glyph", setting="score", degree=0.9, case=9) for s in (0, 1)]
    more = [replace(task, cases=(*task.cases, *added)) for task in tasks]
    before, after = Scored(tasks, seed).result, Scored(more, seed).result
    for name, task in before.tasks.items():
        assert after.tasks[name].clean == task.clean
        others = {dimension: cells for dimension, cells in task.dimensions.items() if dimension != "glyph"}
        assert {name_: after.tasks[name].dimensions[name_] for name_ in others} == others
