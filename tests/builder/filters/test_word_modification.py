"""The filter of word modification counts words of the perturbed text."""

from dataclasses import replace

from builder.dimensions import DIMENSIONS
from builder.filters.filter import FilterContext
from builder.filters.word_modification import WORD_MODIFICATION
from builder.models.resources import Resources
from contract.schema.drop_reasons import TOO_MANY_WORDS
from contract.schema.records import Record

RECORD = Record(
    id="a",
    sample_id="a",
    text="a",
    text_pair=None,
    original_text="b",
    original_text_pair=None,
    label=0,
    task="t",
    dimension="synonym",
    degree=0.1,
    realised_degree=0.1,
)


def test_a_case_that_changes_more_words_than_the_threshold_is_dropped() -> None:
    """AdvGLUE's threshold is .15, and what equals it is kept."""
    assert WORD_MODIFICATION.thresholds == {"most": 0.15}
    context = FilterContext(
        dimension=DIMENSIONS["synonym"],
        degrees=(0.1,),
        thresholds=dict(WORD_MODIFICATION.thresholds),
        resources=Resources(),
    )
    records = [replace(RECORD, word_modification_rate=rate) for rate in (0.1, 0.15, 0.1501, 0.5)]
    assert WORD_MODIFICATION.check(context, records) == [None, None, TOO_MANY_WORDS, TOO_MANY_WORDS]
