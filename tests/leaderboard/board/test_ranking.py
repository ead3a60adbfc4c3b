"""Ranks are ranges, and chance does not decide a place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_results import make_result

from contract.schema.results import Replicates, Result
from leaderboard.board.ranking import paired_difference, rank_ranges


def test_results_far_apart_have_ranks_of_their_own() -> None:
    """A clear lead is a clear rank."""
    results = [make_result("a", strength=0.7), make_result("b", strength=0.6), make_result("c", strength=0.5)]
    assert rank_ranges(results) == [(1, 1), (2, 2), (3, 3)]


def test_results_within_noise_share_a_range() -> None:
    """The two leaders cannot be told apart; the third can."""
    results = [
        make_result("a", strength=0.7),
        make_result("b", strength=0.695),
        make_result("c", strength=0.5),
    ]
    assert rank_ranges(results) == [(1, 2), (1, 2), (3, 3)]
    assert paired_difference(results[0], results[1], "average").relation == "tied"
    assert paired_difference(results[1], results[2], "average").relation == "ahead"


def test_a_tie_is_not_transitive_and_ranges_show_it() -> None:
    """The middle one ties with both neighbours, which do not tie with each other."""
    results = [_with_noise(0.70, 0.0), _with_noise(0.69, 0.02), _with_noise(0.68, 0.0)]
    assert rank_ranges(results) == [(1, 2), (1, 3), (2, 3)]


def test_without_replicates_only_equal_scores_tie() -> None:
    """Nothing is known of chance, so points decide."""
    strengths = {"a": 0.6, "b": 0.6, "c": 0.59}
    results = [make_result(name, strength=s, with_replicates=False) for name, s in strengths.items()]
    assert rank_ranges(results) == [(1, 2), (1, 2), (3, 3)]


def test_a_partial_result_cannot_be_ranked() -> None:
    """Ranking nothing is an error, not the last place."""
    with pytest.raises(ValueError, match="partial"):
        rank_ranges([make_result(is_partial=True)])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(0.2, 0.8), min_size=1, max_size=8))
def test_a_range_holds_the_place_by_points(strengths: list[float]) -> None:
    """Whatever the scores, a range is inside the table and its best end is not behind its worst."""
    ranges = rank_ranges([make_result(f"m{i}", strength=s) for i, s in enumerate(strengths)])
    assert all(1 <= best <= worst <= len(strengths) for best, worst in ranges)
    assert min(best for best, _ in ranges) == 1
    assert max(worst for _, worst in ranges) == len(strengths)


def _with_noise(score: float, noise: float) -> Result:
    """Return a result whose draws swing by the noise around the score."""
    draws = tuple(score + (noise if index % 2 else -noise) for index in range(200))
    plain = make_result(f"{score}", strength=score)
    return plain.model_copy(update={"replicates": Replicates(average=draws, worst=draws)})
