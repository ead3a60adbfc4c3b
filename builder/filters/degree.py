"""The degree filter: measures each case anew and keeps it if it has its degree."""

from collections.abc import Sequence

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.measures import BIN_MEASURES, MEASURES
from builder.measures.measure import Change, bin_of
from builder.operations.dimension import SentenceDimension
from contract.schema import drop_reasons
from contract.schema.edits import words_of
from contract.schema.records import Record


def check_degree(context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case whose measured amount is not the budget of its degree, or not in its bin."""
    if isinstance(context.dimension, SentenceDimension):
        return _check_bins(context, records)
    measure = MEASURES[context.dimension.measure]
    reasons: Reasons = []
    for record in records:
        original = record.unperturbed_text
        edits = [edit for _, edit in record.edits]
        change = Change(original=original, words=words_of(original), text=record.perturbed_text, edits=edits)
        budget = measure.budget(record.degree or 0, measure.units(original, change.words))
        reasons.append(None if measure.amount(change) == budget else drop_reasons.DEGREE)
    return reasons


def _check_bins(context: FilterContext, records: Sequence[Record]) -> Reasons:
    pairs = [(record.unperturbed_text, record.perturbed_text) for record in records]
    measured = BIN_MEASURES[context.dimension.measure].realised(pairs, context.resources.encoder)
    return [
        None if bin_of(realised, context.degrees) == record.degree else drop_reasons.DEGREE
        for record, realised in zip(records, measured, strict=True)
    ]


DEGREE = Filter(
    name="degree",
    summary="the measured amount equals the budget of the degree, or is in its bin",
    check=check_degree,
    reasons=(drop_reasons.DEGREE,),
)
