"""The legibility filter: no misspelt word reads as a negation or as a word of another class."""

from collections.abc import Sequence

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.label_guard.misreadings import misreading_of
from contract.schema.drop_reasons import READS_AS_NEGATION, READS_AS_OTHER_CLASS, REASONS, Reason
from contract.schema.edits import changed_words
from contract.schema.records import Record


def check_legibility(context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case with a changed word that reads as another one, which speaks against the label."""
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
    summary="no misspelling reads as a negation or as a word that speaks for another class",
    check=check_legibility,
    reasons=(READS_AS_NEGATION, READS_AS_OTHER_CLASS),
    levels=("char",),
    uses=("associations",),
)
