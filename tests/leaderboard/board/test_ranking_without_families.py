"""Ranks with each family of surrogates left out."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from made_boards import board_of_results
from made_results import make_result, without_skill

from contract.schema.results import ModelInfo, Result, WithoutFamily
from leaderboard.board.ranking import ranks_without_families

SCORES = st.lists(
    st.lists(st.sampled_from([0.1, 0.3, 0.5, 0.7]), min_size=2, max_size=2), min_size=1, max_size=6
)


@given(scores=SCORES)
def test_a_range_holds_the_rank_of_every_family_left_out(scores: list[list[float]]) -> None:
    """By points, where equal points share the better rank."""
    found = ranks_without_families([_result(place, by_family) for place, by_family in enumerate(scores)])
    for place, rank in enumerate(found):
        ranks = [1 + sum(other[family] > scores[place][family] for other in scores) for family in range(2)]
        assert rank == (min(ranks), max(ranks))


def test_a_family_that_one_model_has_no_score_without_does_not_count() -> None:
    """Ranks among fewer models would be other ranks."""
    results = [_result(0, [0.5, 0.1]), _result(1, [0.4, None])]
    assert ranks_without_families(results) == [(1, 1), (2, 2)]
    assert ranks_without_families([_result(0, [None, None])]) == [None]
    assert ranks_without_families([]) == []


def test_only_ranked_entries_have_such_a_range() -> None:
    """Surrogates and models without skill neither have nor take a rank."""
    scope = {"settings": ("rule", "score")}
    surrogate = ModelInfo(name="s", is_surrogate_family=True)
    board = board_of_results(
        [
            make_result("weak", strength=0.4, **scope),
            make_result("s", strength=0.8, model=surrogate, **scope),
            without_skill(make_result("constant", strength=0.9, **scope)),
        ]
    )
    found = {entry.result.model.name: entry.rank_without_families for entry in board.entries}
    assert found == {"weak": (1, 1), "s": None, "constant": None}


def _result(place: int, scores: Sequence[float | None]) -> Result:
    without = {
        f"family {family}": WithoutFamily(n_dropped=1, average=score, worst=score)
        for family, score in enumerate(scores)
    }
    return make_result(f"model {place}").model_copy(update={"without_families": without})
