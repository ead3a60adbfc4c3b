"""The legibility filter: no misspelt word reads as a negation, opposite, number, name or word of a class."""

from collections.abc import Sequence

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


def check_legibility(context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case with a changed word that reads as another one and may change what the text says."""
    return [_reason(context, record) for record in records]


def _reason(context: FilterContext, record: Record) -> Reason | None:
    edits = [edit for _, edit in record.edits]
    misreadings = (
        misreading_of(original, changed, record.label, context.resources.associations)
        for original, changed in changed_words(record.unperturbed_text, edits)
    )
    misreading = next(filter(None, misreadings), None)
    return None if misreading is None else REASONS[misreading]


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
