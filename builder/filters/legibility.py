"""The legibility filter: no misspelt word reads as a negation, opposite, number, name or word of a class."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.label_guard.misreadings import misreading_of
from contract.schema.drop_reasons import (
    LOSES_NEGATION,
    READS_AS_NEGATION,
    READS_AS_OPPOSITE,
    READS_AS_OTHER_CLASS,
    READS_AS_OTHER_NAME,
    READS_AS_OTHER_NUMBER,
    REASONS,
    Reason,
)
from contract.schema.edits import changed_words
from contract.schema.records import Record

MOST_REMEMBERED = 16_384


def check_legibility(context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case with a changed word that reads as another one and may change what the text says."""

    # The same word is changed in the same way in many cases.
    @lru_cache(maxsize=MOST_REMEMBERED)
    def misreading(original: str, changed: str, label: int) -> str | None:
        return misreading_of(original, changed, label, context.resources.associations)

    return [_reason(misreading, record) for record in records]


def _reason(misreading: Callable[[str, str, int], str | None], record: Record) -> Reason | None:
    edits = [edit for _, edit in record.edits]
    words = changed_words(record.unperturbed_text, edits)
    found = next(filter(None, (misreading(*word, record.label) for word in words)), None)
    return None if found is None else REASONS[found]


LEGIBILITY = Filter(
    name="legibility",
    summary="no misspelling reads as a negation, opposite, other number or name, or word of another class",
    check=check_legibility,
    reasons=(
        READS_AS_NEGATION,
        LOSES_NEGATION,
        READS_AS_OPPOSITE,
        READS_AS_OTHER_NUMBER,
        READS_AS_OTHER_NAME,
        READS_AS_OTHER_CLASS,
    ),
    levels=("char",),
    uses=("associations",),
)
