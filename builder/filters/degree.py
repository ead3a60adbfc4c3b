"""The degree filter: a case has exactly the budget of its degree, measured anew from its text."""

from collections.abc import Sequence

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.measures import MEASURES
from builder.measures.measure import Change
from contract.edits import words_of
from contract.records import Record


def check_degree(context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Return "degree" for each case whose measured amount is not its budget."""
    measure = MEASURES[context.dimension.measure]
    reasons: Reasons = []
    for record in records:
        original = record.unperturbed_text
        edits = [edit for _, edit in record.edits]
        change = Change(original=original, words=words_of(original), text=record.perturbed_text, edits=edits)
        budget = measure.budget(record.degree or 0, measure.units(original, change.words))
        reasons.append(None if measure.amount(change) == budget else "degree")
    return reasons


DEGREE = Filter(
    name="degree",
    summary="the measured amount equals the budget of the degree",
    check=check_degree,
)
