"""Every metric is what its definition says, worked out by hand."""

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.metrics import METRICS
from evaluator.metrics.accuracy_cases import accuracy_cases
from evaluator.metrics.average import average
from evaluator.metrics.clean_accuracy import clean_accuracy
from evaluator.metrics.ewma import ewma
from evaluator.metrics.metric import NothingToScoreError
from evaluator.metrics.overall import Cell, overall
from evaluator.metrics.worst import worst
from evaluator.metrics.worst_at import worst_at

GOLDEN = Path(__file__).parents[1] / "golden" / "robtest_figure10.tsv"
DEGREES_HIGH_TO_LOW = ("0.6", "0.5", "0.4", "0.3", "0.2", "0.1", "0.05")

# Three samples, two degrees; the third has no case at the lower one.
N_CASES = np.array([[2, 2], [1, 3], [0, 1]], np.int32)
N_RIGHT = np.array([[2, 1], [1, 3], [0, 0]], np.int32)


def _golden_rows() -> list[dict[str, str]]:
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_average_is_the_mean_over_samples_of_the_share_right() -> None:
    """Samples weigh the same however many cases they have."""
    assert average(N_RIGHT, N_CASES) == pytest.approx([1.0, (0.5 + 1 + 0) / 3])


def test_worst_needs_every_case_up_to_the_degree_to_be_right() -> None:
    """A sample lost at a low degree is lost at all higher ones; one without a case yet is not counted."""
    assert worst(N_RIGHT, N_CASES) == pytest.approx([1.0, 1 / 3])


def test_worst_looks_at_lower_degrees_too() -> None:
    """Right at the high degree alone is not enough."""
    n_cases = np.array([[1, 1]], np.int32)
    n_right = np.array([[0, 1]], np.int32)
    assert worst(n_right, n_cases).tolist() == [0, 0]
    assert worst_at(n_right, n_cases).tolist() == [0, 1]


def test_accuracy_of_cases_is_plain_accuracy() -> None:
    """Samples with more cases weigh more."""
    assert accuracy_cases(N_RIGHT, N_CASES) == pytest.approx([1.0, 4 / 6])


def test_a_metric_of_nothing_is_an_error() -> None:
    """Nothing is not zero."""
    nothing = np.zeros((3, 1), np.int32)
    for metric in (average, worst, worst_at, accuracy_cases):
        with pytest.raises(NothingToScoreError):
            metric(nothing, nothing)
    with pytest.raises(NothingToScoreError):
        clean_accuracy(np.zeros(0, np.bool_))
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


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.floats(0, 1))
def test_ewma_stays_between_the_lowest_and_the_highest_score(scores: list[float], beta: float) -> None:
    """A mean is a mean."""
    assert min(scores) - 1e-12 <= ewma(scores, beta=beta) <= max(scores) + 1e-12


@given(st.integers(1, 9), st.floats(0, 1))
def test_a_perfect_model_gets_one_or_one_minus_a_power_of_beta(n_degrees: int, beta: float) -> None:
    """The two starts differ by what the first score is worth."""
    assert ewma([1.0] * n_degrees, beta=beta) == pytest.approx(1)
    assert ewma([1.0] * n_degrees, beta=beta, start="zero") == pytest.approx(1 - beta**n_degrees)


def test_overall_is_a_mean_of_means() -> None:
    """A task with many dimensions weighs no more than one with few."""
    scores = {
        Cell("a", "typo", "rule"): np.array(0.8),
        Cell("a", "glyph", "rule"): np.array(0.6),
        Cell("a", "typo", "score"): np.array(0.1),
        Cell("b", "typo", "rule"): np.array(0.5),
    }
    assert overall(scores) == pytest.approx(((0.7 + 0.1) / 2 + 0.5) / 2)


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_says_what_it_is(name: str) -> None:
    """`hardfrost list metrics` has a line for each."""
    assert METRICS[name].name == name
    assert METRICS[name].summary
