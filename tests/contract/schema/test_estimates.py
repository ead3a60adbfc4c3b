"""One place says which of the two estimates ranks."""

from contract.schema.estimates import ESTIMATES, RANKED_BY, estimate_of
from contract.schema.results import Aggregate, LabelRecall, Overall, Pair, Replicates, WithoutFamily

AVERAGE, WORST = Aggregate(ewma=0.6), Aggregate(ewma=0.4)


def test_a_score_is_the_estimate_that_ranks_and_it_comes_first() -> None:
    """Whatever has both estimates has it."""
    assert ESTIMATES[0] == RANKED_BY == "worst"
    assert set(ESTIMATES) == {"average", "worst"}
    pair = Pair(average=AVERAGE, worst=WORST)
    assert [estimate_of(pair, estimate) for estimate in ESTIMATES] == [WORST, AVERAGE]
    overall = Overall(
        covers=("rule",), clean=0.8, average=AVERAGE, worst=WORST, settings={"rule": pair}, dimensions={}
    )
    assert overall.score == pair.score == WORST
    assert Replicates(average=(0.6, 0.7), worst=(0.4, 0.5)).score == (0.4, 0.5)
    assert WithoutFamily(n_dropped=1, average=0.6, worst=None).score is None
    assert LabelRecall(average=0.6, worst=0.4).score == 0.4


def test_a_score_is_not_written_a_second_time() -> None:
    """Files keep the names of the estimates, so that a result says what was measured."""
    assert set(Pair(average=AVERAGE, worst=WORST).model_dump()) == {"average", "worst"}
