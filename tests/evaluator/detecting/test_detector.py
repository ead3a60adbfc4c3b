"""Thresholds of detectors: at most the allowed share of benign texts lies above them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.detecting.detector import threshold_for

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=60)


@given(scores=SCORES, target=st.sampled_from([0.0, 0.01, 0.05, 0.2]))
def test_no_more_than_the_share_is_flagged(scores: list[float], target: float) -> None:
    """Also where scores are equal; and a lower threshold of another text would flag more."""
    values = np.array(scores)
    threshold = threshold_for(target, values)
    assert (values > threshold).sum() <= target * len(values) + 1e-9
    lower = values[values < threshold]
    if lower.size:
        assert (values > lower.max()).sum() > target * len(values)


@pytest.mark.parametrize(("n", "n_flagged"), [(19, 0), (20, 1), (39, 1), (40, 2), (100, 5)])
def test_five_per_cent_of_twenty_is_one(n: int, n_flagged: int) -> None:
    """Rounding takes no text away."""
    values = np.arange(n) / n
    assert (values > threshold_for(0.05, values)).sum() == n_flagged
