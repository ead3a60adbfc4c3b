"""The page's scores against the definitions, written anew with pandas on releases that have tiers."""

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from made_tiers import LABELS, read_frame, write_tiered_release
from scored_in_node import NEEDS_NODE, score_in_node, scripts_of
from synthetic import write_answers

from contract.schema.names import degree_key
from contract.schema.results import ScoreSettings

pytestmark = NEEDS_NODE
ATTACKED = ("score", "gradient")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the scripts of the page."""
    return scripts_of(tmp_path_factory.mktemp("page"))


# Each example writes a release and starts node: few of them, and none made smaller when one fails.
@settings(max_examples=4, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 10**6),
    mean=st.sampled_from([None, "geometric", "above-chance", "balanced", "plain"]),
    beta=st.sampled_from([0.5, 0.3]),
    start=st.sampled_from(["first", "zero"]),
    n_labels=st.integers(2, 4),
)
def test_every_figure_follows_its_definition(  # noqa: PLR0917
    scripts: list[Path], seed: int, mean: Any, beta: float, start: Any, n_labels: int
) -> None:
    """Random cases in both files of a degree, samples without cases, two tasks, dimensions of two groups."""
    random = Random(seed)
    shared = ScoreSettings(min_samples=2, beta=beta, ewma_start=start, mean=mean)
    with tempfile.TemporaryDirectory() as folder:
        path = write_tiered_release(Path(folder) / "r", random, n_labels=n_labels)
        frame = read_frame(path)
        labels = LABELS[:n_labels]
        frame["answer"] = [
            label if random.random() < 0.75 else random.randrange(n_labels) for label in frame["label"]
        ]
        answers = {row.id: labels[row.answer] for row in frame.itertuples()}
        file = write_answers(Path(folder) / "p.jsonl", answers)
        (found,) = score_in_node(scripts, path, [file], shared)["answers"]
    assert found["problems"] == []
    expected = _reference(frame, shared)
    _check(found["scores"]["tasks"], expected["tasks"], "tasks")
    _check(found["scores"]["overall"], expected["overall"], "overall")


@settings(max_examples=2, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6), answer=st.integers(0, 1))
def test_a_constant_answer_gets_exactly_nothing_and_no_rank(
    scripts: list[Path], seed: int, answer: int
) -> None:
    """Worst is never above average, average never above clean; worst never rises with the degree."""
    random = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = write_tiered_release(Path(folder) / "r", random, n_labels=2)
        frame = read_frame(path)
        constant = write_answers(Path(folder) / "c.jsonl", dict.fromkeys(frame["id"], LABELS[answer]))
        other = {
            row.id: LABELS[row.label if random.random() < 0.8 else 1 - row.label]
            for row in frame.itertuples()
        }
        files = [constant, write_answers(Path(folder) / "o.jsonl", other)]
        found, varied = score_in_node(scripts, path, files, ScoreSettings(min_samples=2))["answers"]
    assert found["scores"]["overall"]["average"]["ewma"] == 0
    assert found["scores"]["overall"]["clean"] == 0
    assert not found["has_skill"]
    for task in varied["scores"]["tasks"].values():
        for by_setting in task["dimensions"].values():
            for score in by_setting.values():
                worst = 1.0
                for degree in score["degrees"].values():
                    assert degree["worst"] <= degree["average"] + 1e-12
                    assert degree["average"] <= task["clean"]["score"] + 1e-12
                    assert degree["worst"] <= worst + 1e-12
                    worst = degree["worst"]


def _reference(frame: pd.DataFrame, shared: ScoreSettings) -> dict[str, Any]:
    """Return the scores of a release's rows with answers, as the definitions say."""
    tasks, cells = {}, []
    for task, rows in frame.groupby("task", sort=False):
        clean = rows[rows["setting"].isna()].set_index("sample_id")
        right = (clean["answer"] == clean["label"]).astype(float)
        mean = shared.mean or "geometric"
        scored: dict[str, dict[str, Any]] = {}
        for (dimension, setting), cases in rows[rows["setting"].notna()].groupby(["dimension", "setting"]):
            of_rule = rows[(rows["dimension"] == dimension) & (rows["setting"] == "rule")]
            basis = of_rule if len(of_rule) else rows[rows["dimension"] == dimension]
            with_case = basis.groupby("degree")["sample_id"].nunique()
            used = [degree for degree, n in with_case.items() if n >= 0.1 * len(clean)]
            score = _cell(cases, clean, right, mean, used, shared)
            scored.setdefault(dimension, {})[setting] = score
            if score["average"] is not None:
                group = rows.loc[rows["dimension"] == dimension, "group"].iloc[0]
                pair = {name: score[name]["ewma"] for name in ("average", "worst")}
                cells.append(
                    {"task": task, "dimension": dimension, "setting": setting, "group": group, **pair}
                )
        recall = right.groupby(clean["label"]).mean()
        tasks[task] = {
            "clean": {
                "accuracy": right.mean(),
                "score": _joined(right, clean["label"], mean),
                "balanced": recall.mean(),
                "recall": {LABELS[label]: value for label, value in recall.items()},
                "n_samples": len(clean),
            },
            "mean": mean,
            "dimensions": scored,
        }
    return {"tasks": tasks, "overall": _overall(pd.DataFrame(cells), tasks)}


def _cell(  # noqa: PLR0917
    cases: pd.DataFrame,
    clean: pd.DataFrame,
    right: pd.Series,
    mean: str,
    used: Sequence[float],
    shared: ScoreSettings,
) -> dict[str, Any]:
    cases = cases.assign(is_right=cases["answer"] == cases["label"])
    outcomes: dict[str, dict[float, list[bool]]] = {sample: {} for sample in clean.index}
    for sample, degree, is_right in zip(cases["sample_id"], cases["degree"], cases["is_right"], strict=True):
        outcomes[sample].setdefault(degree, []).append(bool(is_right))
    degrees = {}
    for degree in sorted({*cases["degree"], *used}):
        here = cases[cases["degree"] == degree]
        average, worst = {}, {}
        for sample, by_degree in outcomes.items():
            own = {at: answers for at, answers in by_degree.items() if at <= degree}
            average[sample] = right[sample] * fmean(own[max(own)] if own else [1.0])
            worst[sample] = right[sample] * float(all(map(all, own.values())))
        tier = here[here["tier"].notna()]
        by_label = {
            name: pd.Series(values).groupby(clean["label"]).mean()
            for name, values in (("average", average), ("worst", worst))
        }
        degrees[degree_key(degree)] = {
            "average": _joined(pd.Series(average), clean["label"], mean),
            "worst": _joined(pd.Series(worst), clean["label"], mean),
            "accuracy_cases": here["is_right"].mean() if len(here) else None,
            "recall": {
                LABELS[label]: {name: values[label] for name, values in by_label.items()}
                for label in by_label["average"].index
            },
            "transferable": {
                "accuracy": tier["is_right"].mean(),
                "n_cases": len(tier),
                "n_samples": tier["sample_id"].nunique(),
            }
            if len(tier)
            else None,
            "share_with_case": here["sample_id"].nunique() / len(clean),
            "n_samples": here["sample_id"].nunique(),
            "n_cases": len(here),
        }
    keys = [degree_key(degree) for degree in sorted(used) if degree_key(degree) in degrees]
    return {
        "degrees": degrees,
        "degrees_used": keys,
        "average": _ewma([degrees[key]["average"] for key in keys], shared),
        "worst": _ewma([degrees[key]["worst"] for key in keys], shared),
    }


def _joined(values: pd.Series, labels: pd.Series, mean: str) -> float:
    recalls = values.groupby(labels).mean()
    if mean == "plain":
        return float(values.mean())
    if mean == "geometric":
        return math.prod(recalls) ** (1 / len(recalls))
    if mean == "balanced":
        return float(recalls.mean())
    chance = 1 / len(recalls)
    return max(0.0, (float(recalls.mean()) - chance) / (1 - chance))


def _ewma(low_to_high: Sequence[float], shared: ScoreSettings) -> dict[str, float] | None:
    if not low_to_high:
        return None
    first, *rest = reversed(low_to_high)
    value = first if shared.ewma_start == "first" else (1 - shared.beta) * first
    for score in rest:
        value = shared.beta * value + (1 - shared.beta) * score
    return {"ewma": value}


def _overall(cells: pd.DataFrame, tasks: dict[str, Any]) -> dict[str, Any]:
    cells = cells.assign(half=cells["setting"].where(~cells["setting"].isin(ATTACKED), "attacked"))
    core = cells[cells["group"] == "core"]

    def pair(some: pd.DataFrame) -> dict[str, Any]:
        figures = {}
        for name in ("average", "worst"):
            dimensions = some.groupby(["task", "half", "dimension"])[name].mean()
            halves = dimensions.groupby(["task", "half"]).mean()
            figures[name] = {"ewma": halves.groupby("task").mean().mean()}
        return figures

    def by_setting(some: pd.DataFrame) -> dict[str, Any]:
        pairs = {half: pair(part) for half, part in some.groupby("half")}
        return pairs | {setting: pair(part) for setting, part in some.groupby("setting")}

    clean = pd.DataFrame([task["clean"] for task in tasks.values()])
    return {
        "covers": [half for half in ("rule", "attacked") if half in set(core["half"])],
        "clean": clean["score"].mean(),
        "clean_accuracy": clean["accuracy"].mean(),
        **pair(core),
        "settings": by_setting(core),
        "groups": {name: by_setting(part) for name, part in cells.groupby("group")},
        "dimensions": {name: by_setting(part) for name, part in cells.groupby("dimension")},
    }


def _check(found: Any, expected: Any, where: str) -> None:
    """Check every figure of the reference; the page may have more."""
    if isinstance(expected, dict):
        assert isinstance(found, dict), where
        for key, value in expected.items():
            assert key in found, f"{where}/{key}"
            _check(found[key], value, f"{where}/{key}")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=1e-9), where
    else:
        assert found == expected, where
