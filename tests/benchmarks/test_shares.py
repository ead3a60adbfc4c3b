"""The share of time is taken where the models do their work."""

from benchmarks.shares import METHODS, seconds_by_model
from builder.language.masked_lm import Gap, fill_gaps
from builder.language.tagger import tag


def test_time_in_a_model_is_counted_only_while_measured() -> None:
    """Each model by its own; what is done before or after does not count."""
    tag(["a film"])
    with seconds_by_model() as seconds:
        assert set(seconds) == set(METHODS)
        tag(["another film of the year"])
        assert seconds["tagging"] > 0
        assert seconds["masked LM"] == 0
        fill_gaps([Gap("a film of the year", 2, 6)], 3, "packaged")
        assert seconds["masked LM"] > 0
    before = dict(seconds)
    tag(["and one more"])
    assert seconds == before
