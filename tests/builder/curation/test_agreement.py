"""Agreement of annotators: by definition, on random tables, and on Fleiss' own example."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from builder.curation.agreement import cohen_kappa, fleiss_kappa, majority, pairwise_agreement

# Fleiss (1971) as textbooks print it: 10 subjects, 14 raters, 5 categories.
FLEISS = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)


def test_kappa_of_the_textbook_table_is_the_printed_one() -> None:
    """To the three digits that are printed."""
    assert fleiss_kappa(FLEISS) == pytest.approx(0.210, abs=5e-4)


@pytest.mark.parametrize("seed", range(40))
def test_kappa_equals_the_definition_on_random_tables(seed: int) -> None:
    """To 1e-9: agreement over all pairs of raters, counted one by one, against that of the labels' shares."""
    random = np.random.default_rng(seed)
    n_cases, n_raters, n_labels = random.integers(2, 30), random.integers(2, 8), random.integers(2, 6)
    labels = random.integers(0, n_labels, (n_cases, n_raters))
    table = [np.bincount(row, minlength=n_labels).tolist() for row in labels]
    of_cases = [np.mean([a == b for a, b in combinations(row, 2)]) for row in labels]
    shares = np.bincount(labels.ravel(), minlength=n_labels) / labels.size
    expected = float((shares**2).sum())
    assert fleiss_kappa(table) == pytest.approx((np.mean(of_cases) - expected) / (1 - expected), abs=1e-9)
    assert pairwise_agreement(table) == pytest.approx(float(np.mean(of_cases)), abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_kappa_of_two_equals_that_of_scikit_learn(seed: int) -> None:
    """To 1e-9."""
    left, right = np.random.default_rng(seed).integers(0, 3, (2, 50)).tolist()
    assert cohen_kappa(list(zip(left, right, strict=True))) == pytest.approx(
        cohen_kappa_score(left, right), abs=1e-9
    )


def test_nothing_to_compare_has_no_kappa() -> None:
    """No cases, single votes, or only one label: an error in disguise would be a number."""
    assert fleiss_kappa([]) is None
    assert fleiss_kappa([(1, 0), (0, 1)]) is None
    assert fleiss_kappa([(3, 0), (5, 0)]) is None
    assert pairwise_agreement([(1, 0)]) is None
    assert cohen_kappa([]) is None


def test_a_case_without_enough_votes_changes_nothing() -> None:
    """A case that only one reliable annotator saw says nothing about agreement."""
    assert fleiss_kappa([*FLEISS, (1, 0, 0, 0, 0)]) == fleiss_kappa(FLEISS)


def test_a_tie_has_no_majority() -> None:
    """Nor have no votes at all."""
    assert majority((2, 2, 1)) is None
    assert majority((0, 0)) is None
    assert majority((1, 3, 2)) == 1
