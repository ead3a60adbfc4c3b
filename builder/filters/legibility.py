"""The legibility filter: misspelling a word must not spell another class, or a negation."""

from collections.abc import Sequence

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.label_guard.misreadings import misreading_of
from contract.schema.edits import changed_words
from contract.schema.records import Record


def check_legibility(context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Return why a reader would take a changed word for another one that speaks against the label."""
    return [_reason(context, record) for record in records]


def _reason(context: FilterContext, record: Record) -> str | None:
    edits = [edit for _, edit in record.edits]
    readings = (
        misreading_of(original, changed, record.label, context.resources.associations)
        for original, changed in changed_words(record.unperturbed_text, edits)
    )
    return next(filter(None, readings), None)


LEGIBILITY = Filter(
    name="legibility",
    summary="no misspelling reads as a negation or as a word that speaks for another class",
    check=check_legibility,
    levels=("char",),
    uses=("associations",),
)
