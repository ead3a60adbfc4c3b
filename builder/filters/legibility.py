"""The legibility filter: misspelling a word must not spell another class, or a negation."""

from collections.abc import Sequence

from builder.associations import cores_of
from builder.filters.filter import Filter, FilterContext, Reasons
from builder.negations import is_negation
from contract.edits import changed_words
from contract.records import Record


def check_legibility(context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Return why a reader would take a changed word for another one that speaks against the label."""
    return [_reason(context, record) for record in records]


def _reason(context: FilterContext, record: Record) -> str | None:
    edits = [edit for _, edit in record.edits]
    for original, changed in changed_words(record.unperturbed_text, edits):
        if is_negation(changed) and not is_negation(original):
            return "reads-as-negation"
        before = set(cores_of(original))
        for core in cores_of(changed):
            speaks_for = context.resources.associations.get(core, record.label)
            if speaks_for != record.label and core not in before:
                return "reads-as-other-class"
    return None


LEGIBILITY = Filter(
    name="legibility",
    summary="no misspelling reads as a negation or as a word that speaks for another class",
    check=check_legibility,
    levels=("char",),
    uses=("associations",),
)
