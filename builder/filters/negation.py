"""The negation filter: a case has the negations of its original, no more and no fewer."""

from collections.abc import Sequence

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.language.sentences.neutral_sentences import n_negated_statements
from builder.language.words.negations import negations_of
from contract.schema import drop_reasons
from contract.schema.records import Record


def check_negation(_context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case that does not have the negations of its original."""
    return [None if _has_same_negations(record) else drop_reasons.NEGATION for record in records]


def _has_same_negations(record: Record) -> bool:
    before, after = record.unperturbed_text, record.perturbed_text
    negations = negations_of(after)
    # "Seven is not eight", appended, denies nothing that the text says.
    negations["not"] -= n_negated_statements(after) - n_negated_statements(before)
    return +negations == negations_of(before)


NEGATION = Filter(
    name="negation",
    summary="the case has the negations of its original, no more and no fewer",
    check=check_negation,
    reasons=(drop_reasons.NEGATION,),
    levels=("word", "sentence"),
)
