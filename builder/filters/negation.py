"""The negation filter: no negation comes or goes."""

from collections.abc import Sequence

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.language.words.negations import negations_of
from contract.schema.records import Record


def check_negation(_context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Return "negation" for each case that does not have the negations of its original."""
    return [
        None if negations_of(record.unperturbed_text) == negations_of(record.perturbed_text) else "negation"
        for record in records
    ]


NEGATION = Filter(
    name="negation",
    summary="the case has the negations of its original, no more and no fewer",
    check=check_negation,
    levels=("word", "sentence"),
)
