"""The filter of word modification: keeps a case in which only a small share of the words is changed."""

from collections.abc import Sequence

from builder.filters.filter import Filter, FilterContext, Reasons
from contract.schema.drop_reasons import TOO_MANY_WORDS
from contract.schema.records import Record


def check_word_modification(context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case of which a larger share of the words is changed than `most`."""
    most = context.thresholds["most"]
    return [TOO_MANY_WORDS if (record.word_modification_rate or 0.0) > most else None for record in records]


WORD_MODIFICATION = Filter(
    name="word-modification",
    summary="at most this share of the words is changed, as in AdvGLUE",
    check=check_word_modification,
    reasons=(TOO_MANY_WORDS,),
    thresholds={"most": 0.15},
    # A rewrite is held by the distance of its sentence, not by its words.
    levels=("char", "word"),
)
