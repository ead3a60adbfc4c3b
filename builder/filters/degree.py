"""The degree filter: measures each case anew and keeps it if it has its degree."""

from collections.abc import Sequence

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.measures import BIN_MEASURES, MEASURES
from builder.measures.measure import Change, bin_of
from builder.operations.dimension import ProbabilityDimension, SentenceDimension, SingleWordDimension
from contract.schema import drop_reasons
from contract.schema.edits import words_of
from contract.schema.records import Record


def check_degree(context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case whose measured amount is not the budget of its degree, not in its bin, or above p."""
    if isinstance(context.dimension, SentenceDimension):
        return _check_bins(context, records)
    is_most = isinstance(context.dimension, ProbabilityDimension)
    measure = MEASURES[context.dimension.measure]
    reasons: Reasons = []
    original, words = "", words_of("")
    for record in records:
        if record.unperturbed_text != original:
            # The cases of a text come one after the other.
            original = record.unperturbed_text
            words = words_of(original)
        edits = [edit for _, edit in record.edits]
        change = Change(original=original, words=words, text=record.perturbed_text, edits=edits)
        units, degree = measure.units(original, words), record.degree or 0
        amount = measure.amount(change)
        if isinstance(context.dimension, SingleWordDimension):
            reasons.append(None if amount == 1 else drop_reasons.DEGREE)
            continue
        is_kept = (
            0 < amount <= measure.most(degree, units) if is_most else amount == measure.budget(degree, units)
        )
        reasons.append(None if is_kept else drop_reasons.DEGREE)
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
    summary="the measured amount equals the budget of the degree, is in its bin, or is at most its share",
    check=check_degree,
    reasons=(drop_reasons.DEGREE,),
)
