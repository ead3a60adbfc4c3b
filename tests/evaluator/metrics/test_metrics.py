"""Every metric is what its definition says, worked out by hand."""

import csv
import importlib
import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, roc_auc_score

from contract.schema.manifest import Mean
from contract.schema.metrics import FIRST_METRICS, MetricInfo
from evaluator.metrics import METRICS
from evaluator.metrics.accuracy_cases import accuracy_cases
from evaluator.metrics.attack_success_rate import attack_success_rate
from evaluator.metrics.auroc import auroc
from evaluator.metrics.clean_accuracy import clean_accuracy
from evaluator.metrics.ewma import ewma
from evaluator.metrics.f1 import f1
from evaluator.metrics.group_mean import group_means
from evaluator.metrics.inputs import Cell
from evaluator.metrics.metric import Metric
from evaluator.metrics.overall import halves_of, over_setting, overall
from evaluator.metrics.ratio import NothingToScoreError
from evaluator.metrics.recall import (
    RecallFigure,
    RelativeFigure,
    join_labels,
    kept_at_worst,
    kept_on_average,
)
from evaluator.metrics.validity_weighted import validity_weighted, weight_at
from evaluator.metrics.worst_at import worst_at
from evaluator.metrics.worst_at_k import worst_at_k, worst_at_rising_k

GOLDEN = Path(__file__).parents[2] / "golden" / "robtest_figure10.tsv"
DEGREES_HIGH_TO_LOW = ("0.6", "0.5", "0.4", "0.3", "0.2", "0.1", "0.05")

# Three samples, two degrees; the third has no case at the lower one.
N_CASES = np.array([[2, 2], [1, 3], [0, 1]], np.int32)
N_RIGHT = np.array([[2, 1], [1, 3], [0, 0]], np.int32)


def _golden_rows() -> list[dict[str, str]]:
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_a_sample_keeps_the_share_of_its_cases_at_the_last_degree_that_has_any() -> None:
    """Before the first such degree its clean text counts; whoever is wrong when clean keeps nothing."""
    n_cases = np.array([[0, 2, 0], [0, 2, 0], [0, 0, 0]], np.int32)
    n_right = np.array([[0, 1, 0], [0, 2, 0], [0, 0, 0]], np.int32)
    kept = kept_on_average(n_right, n_cases, np.array([True, False, True]))
    assert kept.tolist() == [[1, 0.5, 0.5], [0, 0, 0], [1, 1, 1]]


def test_a_sample_lost_at_a_low_degree_is_lost_at_all_higher_ones() -> None:
    """Right at the high degree alone is not enough, nor on cases alone."""
    n_cases = np.array([[1, 1], [0, 1], [1, 1]], np.int32)
    n_right = np.array([[0, 1], [0, 1], [1, 1]], np.int32)
    kept = kept_at_worst(n_right, n_cases, np.array([True, True, False]))
    assert kept.tolist() == [[0, 0], [1, 1], [0, 0]]
    assert worst_at(n_right, n_cases).values() == [0.5, 1]


@pytest.mark.parametrize(
    ("mean", "expected"),
    [
        ("geometric", [(0.5 * 0.9) ** 0.5, 0]),
        ("balanced", [0.7, 0.5]),
        ("above-chance", [0.4, 0]),
        ("plain", [0.5 * 0.25 + 0.9 * 0.75, 0.75]),
    ],
)
def test_labels_are_joined_as_the_mean_says(mean: Mean, expected: list[float]) -> None:
    """A label that is given up costs everything with the geometric mean, and chance is worth nothing."""
    recalls = np.array([[0.5, 0.0], [0.9, 1.0]])
    assert join_labels(recalls, [1, 3], mean) == pytest.approx(expected)


def test_a_joined_recall_on_draws_is_that_of_the_drawn_samples() -> None:
    """Each label has its own samples."""
    kept = np.array([[1.0], [0.0], [0.5], [1.0]])
    figure = RecallFigure(kept=kept, labels={0: slice(0, 2), 1: slice(2, 4)}, mean="balanced")
    assert figure.by_label().tolist() == [[0.5], [0.75]]
    assert figure.values() == [0.625]
    assert figure.resampled(np.array([[2.0, 0, 1, 1], [0, 2, 2, 0]])).tolist() == [[0.875], [0.25]]


def test_accuracy_of_cases_is_plain_accuracy() -> None:
    """Samples with more cases weigh more."""
    assert accuracy_cases(N_RIGHT, N_CASES).value() == pytest.approx([1.0, 4 / 6])


def test_a_metric_of_nothing_is_an_error() -> None:
    """Nothing is not zero."""
    nothing = np.zeros((3, 1), np.int32)
    for metric in (worst_at, accuracy_cases):
        with pytest.raises(NothingToScoreError):
            metric(nothing, nothing).value()
    with pytest.raises(NothingToScoreError):
        clean_accuracy(np.zeros(0, np.bool_)).value()
    with pytest.raises(NothingToScoreError):
        ewma([])
    with pytest.raises(NothingToScoreError):
        overall({})


def test_ewma_follows_the_equation() -> None:
    """V1 is the score at the highest degree, every step halves the past."""
    assert ewma([0.2, 0.6, 0.8]) == pytest.approx(0.5 * (0.5 * 0.2 + 0.5 * 0.6) + 0.5 * 0.8)
    assert ewma([0.2, 0.6], beta=0.25) == pytest.approx(0.25 * 0.2 + 0.75 * 0.6)


@pytest.mark.parametrize("row", _golden_rows(), ids=lambda row: f"{row['dimension']} {row['row']}")
def test_ewma_from_zero_gives_the_printed_tables_of_robtest(row: dict[str, str]) -> None:
    """The final column of the paper's figure 10 is reproduced to the printed digit."""
    scores = [float(row[degree]) for degree in DEGREES_HIGH_TO_LOW]
    assert f"{ewma(scores, start='zero'):.1f}" == row["final"]


def test_the_golden_file_has_all_rows_of_the_figure() -> None:
    """Nobody lost a row on the way."""
    assert len(_golden_rows()) == 42


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.floats(0, 1))
def test_ewma_stays_between_the_lowest_and_the_highest_score(scores: list[float], beta: float) -> None:
    """A mean is a mean."""
    assert min(scores) - 1e-12 <= ewma(scores, beta=beta) <= max(scores) + 1e-12


@settings(deadline=None)
@given(st.integers(1, 9), st.floats(0, 1))
def test_a_perfect_model_gets_one_or_one_minus_a_power_of_beta(n_degrees: int, beta: float) -> None:
    """The two starts differ by what the first score is worth."""
    assert ewma([1.0] * n_degrees, beta=beta) == pytest.approx(1)
    assert ewma([1.0] * n_degrees, beta=beta, start="zero") == pytest.approx(1 - beta**n_degrees)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=4), st.integers(1, 6))
def test_worst_at_k_is_the_mean_over_all_draws_of_k_cases(counts: list[tuple[int, int]], k: int) -> None:
    """Counted out by going through every choice of K cases."""
    n_right = np.array([[right] for right, _ in counts], np.int32)
    n_cases = np.array([[right + wrong] for right, wrong in counts], np.int32)
    shares = []
    for right, wrong in counts:
        choices = list(itertools.combinations([True] * right + [False] * wrong, k))
        if choices:
            shares.append(sum(map(all, choices)) / len(choices))
    if shares:
        assert worst_at_k(n_right, n_cases, k).value() == pytest.approx(np.mean(shares))
    else:
        with pytest.raises(NothingToScoreError):
            worst_at_k(n_right, n_cases, k).value()


def test_the_curve_over_k_falls_from_average_to_worst() -> None:
    """One case is the average case, all cases are the worst."""
    n_cases = np.full((30, 1), 5, np.int32)
    n_right = np.array([[sample % 6] for sample in range(30)], np.int32)
    ratios = worst_at_rising_k(n_right, n_cases, min_samples=20)
    curve = {k: float(ratio.value()) for k, ratio in ratios.items()}
    assert list(curve) == [1, 2, 3, 5]
    assert curve[1] == pytest.approx((n_right / n_cases).mean())
    assert curve[5] == pytest.approx(worst_at(n_right, n_cases).value()[0])
    assert sorted(curve.values(), reverse=True) == list(curve.values())


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30), st.integers(2, 3))
def test_f1_is_that_of_scikit_learn(pairs: list[tuple[int, int]], n_labels: int) -> None:
    """Binary F1 is about the second label, macro F1 about the labels that occur."""
    labels, guesses = (np.array(side) % n_labels for side in zip(*pairs, strict=True))
    if n_labels == 2 and not (labels.any() or guesses.any()):
        with pytest.raises(NothingToScoreError):
            f1(labels, guesses, n_labels)
        return
    average_by = "binary" if n_labels == 2 else "macro"
    assert f1(labels, guesses, n_labels) == pytest.approx(f1_score(labels, guesses, average=average_by))


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=40))
def test_auroc_is_that_of_scikit_learn(pairs: list[tuple[bool, int]]) -> None:
    """With ties, and an error where only one label occurs."""
    labels = np.array([int(label) for label, _ in pairs])
    scores = np.array([score / 5 for _, score in pairs])
    probabilities = np.stack([1 - scores, scores], axis=1)
    if labels.min() == labels.max():
        with pytest.raises(NothingToScoreError):
            auroc(labels, probabilities)
    else:
        assert auroc(labels, probabilities) == pytest.approx(roc_auc_score(labels, scores))


def test_auroc_of_three_labels_is_the_mean_of_each_against_the_rest() -> None:
    """As scikit-learn's one-versus-rest macro mean."""
    generator = np.random.default_rng(0)
    labels = generator.integers(0, 3, 50)
    probabilities = generator.dirichlet([1, 1, 1], 50)
    expected = roc_auc_score(labels, probabilities, multi_class="ovr", average="macro")
    assert auroc(labels, probabilities) == pytest.approx(expected)


def test_relative_scores_are_over_the_clean_score() -> None:
    """Nothing right when clean gives none."""
    labels = {0: slice(0, 1), 1: slice(1, 2)}

    def figure(kept: list[list[float]]) -> RecallFigure:
        return RecallFigure(kept=np.array(kept), labels=labels, mean="balanced")

    half = figure([[1, 0.5], [0, 0]])
    assert RelativeFigure(score=half, clean=figure([[1], [1]])).values() == [0.5, 0.25]
    assert RelativeFigure(score=half, clean=figure([[0], [0]])).values() == [None, None]


def test_attack_success_is_about_samples_that_were_right() -> None:
    """The third sample was wrong already and the first is lost at the second degree."""
    assert attack_success_rate(N_RIGHT, N_CASES, np.array([True, True, False])).values() == [0, 0.5]


def test_validity_weights_are_linear_between_degrees_and_take_the_nearest_outside() -> None:
    """A degree below all known ones has the weight of the nearest higher one."""
    weights = {0.1: 1.0, 0.3: 0.5}
    assert [weight_at(weights, degree) for degree in (0.05, 0.1, 0.2, 0.3, 0.6)] == [1, 1, 0.75, 0.5, 0.5]
    assert validity_weighted(np.array([0.9, 0.6]), [0.1, 0.3], weights) == pytest.approx((0.9 + 0.3) / 1.5)
    with pytest.raises(NothingToScoreError):
        validity_weighted(np.array([0.9]), [0.1], {0.1: 0.0})


def test_group_means_join_tasks_of_one_group() -> None:
    """A group of one and tasks without a group stand alone."""
    scores = {"mnli": 0.8, "mnli-mm": 0.6, "rte": 0.5, "sst2": 0.9}
    groups = {"mnli": "mnli", "mnli-mm": "mnli", "rte": "rte", "sst2": None}
    assert group_means(scores, groups) == {"mnli": pytest.approx(0.7)}


def test_overall_is_a_mean_of_means() -> None:
    """A task with many dimensions weighs no more than one with few."""
    scores = {
        Cell("a", "typo", "rule"): np.array(0.8),
        Cell("a", "glyph", "rule"): np.array(0.6),
        Cell("a", "typo", "score"): np.array(0.1),
        Cell("b", "typo", "rule"): np.array(0.5),
    }
    assert overall(scores) == pytest.approx(((0.7 + 0.1) / 2 + 0.5) / 2)


def test_attacked_is_the_mean_over_dimensions_of_the_settings_that_each_has() -> None:
    """A dimension without `gradient` counts by `score` alone; imported cases where nothing else is."""
    scores = {
        Cell("a", "typo", "score"): np.array(0.8),
        Cell("a", "typo", "gradient"): np.array(0.4),
        Cell("a", "syntax", "score"): np.array(0.2),
        Cell("a", "human", "imported"): np.array(0.9),
    }
    assert overall(scores) == over_setting(scores, "attacked") == pytest.approx((0.6 + 0.2) / 2)
    assert over_setting(scores, "score") == pytest.approx((0.8 + 0.2) / 2)
    assert over_setting(scores, "rule") is None
    assert halves_of(["score", "imported"]) == ("attacked",)
    assert halves_of(["imported"]) == ("imported",)


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_says_what_it_is(name: str) -> None:
    """`hardfrost list metrics` has a line for each, and each has the file and constant of its name."""
    module = importlib.import_module(f"evaluator.metrics.{name.replace('-', '_')}")
    assert getattr(module, name.replace("-", "_").upper()) is METRICS[name]
    assert METRICS[name].name == name
    assert METRICS[name].summary
    assert METRICS[name].heading
    assert METRICS[name].scopes


def test_a_metric_without_a_function_is_refused() -> None:
    """What is listed is computed."""
    with pytest.raises(ValueError, match="metric 'idle' has no function"):
        Metric(name="idle", summary="nothing", heading="Idle")


@pytest.mark.parametrize("info", FIRST_METRICS, ids=lambda info: info.name)
def test_results_that_describe_no_metric_are_read_as_if_they_did(info: MetricInfo) -> None:
    """What readers know of the first results is what the evaluator says of its metrics today."""
    assert METRICS[info.name].info == info
