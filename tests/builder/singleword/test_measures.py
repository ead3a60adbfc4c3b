"""κ, ρ and their bounds on matrices of all kinds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from builder.singleword.matrix import Matrix, Row, matrix_of
from builder.singleword.measures import kappa, kappa_upper, measured_rho, rho, rho_lower, wilson

SHAPES = array_shapes(min_dims=2, max_dims=2, max_side=12)
MATRICES = arrays(np.int8, SHAPES, elements=st.integers(0, 2))


def made(kinds: np.ndarray) -> Matrix:
    """Return a matrix in which 0 is not known, 1 flipped and 2 safe."""
    words = tuple(f"w{place}" for place in range(kinds.shape[1]))
    return Matrix(words=words, is_flipped=kinds == 1, is_safe=kinds == 2)


@given(MATRICES)
def test_rho_is_one_less_the_mean_of_kappa(kinds: np.ndarray) -> None:
    """Theorem 1 of the paper."""
    matrix = made(kinds)
    assert abs(rho(matrix) - (1 - kappa(matrix).mean())) < 1e-12


@given(MATRICES, st.integers(0, 2**32))
def test_whatever_the_unknown_parts_are_the_bounds_hold_the_truth_between_them(
    kinds: np.ndarray, seed: int
) -> None:
    """Each unknown entry may be either."""
    matrix = made(kinds)
    guess = np.random.default_rng(seed).integers(1, 3, kinds.shape)
    truth = made(np.where(kinds == 0, guess, kinds))
    assert rho_lower(matrix) - 1e-12 <= rho(truth) <= rho(matrix) + 1e-12
    assert (kappa(matrix) <= kappa(truth) + 1e-12).all()
    assert (kappa(truth) <= kappa_upper(matrix) + 1e-12).all()
    assert truth.is_exact
    assert abs(rho(truth) - rho_lower(truth)) < 1e-12


@given(st.integers(1, 500), st.data())
def test_an_interval_of_a_share_holds_the_share_and_has_a_width(n: int, data: st.DataObject) -> None:
    """Also where nothing or everything was flipped."""
    hits = data.draw(st.integers(0, n))
    low, high = wilson(hits, n)
    assert 0 <= low <= hits / n + 1e-12
    assert hits / n - 1e-12 <= high <= 1
    assert high > low


def test_an_interval_of_rho_holds_it_and_grows_where_words_are_drawn() -> None:
    """Both are draws with a seed, so that they can be made again."""
    draw = np.random.default_rng(0)
    # Words differ far more than texts do.
    matrix = made(np.where(draw.random((60, 12)) < np.linspace(0, 0.9, 12), 1, 2))
    over_texts = measured_rho(matrix, seed=3)
    over_both = measured_rho(matrix, seed=3, are_words_drawn=True)
    assert over_texts == measured_rho(matrix, seed=3)
    assert over_texts.interval.low < over_texts.value < over_texts.interval.high
    assert over_both.interval.high - over_both.interval.low > 2 * (
        over_texts.interval.high - over_texts.interval.low
    )


def test_a_matrix_of_nothing_is_an_error() -> None:
    """It has no shares."""
    with pytest.raises(ValueError, match="no texts"):
        matrix_of(["word"], [])


def test_an_entry_cannot_be_both() -> None:
    """A search that says so is wrong."""
    both = np.ones(2, np.bool_)
    with pytest.raises(ValueError, match="both"):
        matrix_of(["a", "b"], [Row(is_flipped=both, is_safe=both)])
