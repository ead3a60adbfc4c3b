"""The similarity filter: keeps a case whose sentence embedding is near that of its original."""

from collections.abc import Sequence
from dataclasses import replace

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.measures.embedding import embedding_distances
from builder.measures.measure import DECIMALS
from contract.schema.drop_reasons import DISSIMILAR
from contract.schema.records import Record


def similarities(context: FilterContext, records: Sequence[Record]) -> list[float]:
    """Return the cosine of each case and its original, without digits that differ between machines."""
    pairs = [(record.unperturbed_text, record.perturbed_text) for record in records]
    return [round(1.0 - far, DECIMALS) for far in embedding_distances(pairs, context.resources.encoder)]


def check_similarity(context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case whose embedding is too far from that of its original."""
    least = context.thresholds["least"]
    return [None if value >= least else DISSIMILAR for value in similarities(context, records)]


def note_similarity(context: FilterContext, records: Sequence[Record]) -> list[Record]:
    """Return the cases with their similarity."""
    values = similarities(context, records)
    return [replace(record, similarity=value) for record, value in zip(records, values, strict=True)]


SIMILARITY = Filter(
    name="similarity",
    summary="the sentence embeddings of case and original are at least this near (cosine)",
    check=check_similarity,
    reasons=(DISSIMILAR,),
    note=note_similarity,
    thresholds={"least": 0.5},
    # Characters are legible or not whatever an encoder says, and a sentence's degree is this very distance.
    levels=("word",),
    uses=("encoder",),
)
