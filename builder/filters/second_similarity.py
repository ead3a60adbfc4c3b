"""The second similarity filter: another encoder, too, finds the case near its original.

The degree of a sentence is a distance by the first encoder, so that one alone cannot judge it.
"""

from collections.abc import Sequence

from builder.filters.filter import Filter, FilterContext, Reasons
from builder.measures.embedding import embedding_distances
from contract.machine.errors import bad_input
from contract.schema.drop_reasons import DISSIMILAR_TO_SECOND
from contract.schema.records import Record


def check_second_similarity(context: FilterContext, records: Sequence[Record]) -> Reasons:
    """Refuse each case that the second encoder finds farther from its original than its degree allows.

    Where the degree is no distance of texts, the least cosine is the same for all degrees.
    """
    encoder = context.resources.second_encoder
    if encoder is None:
        raise bad_input(
            "the filter second-similarity needs a second encoder; name one as `second_encoder` in the recipe"
        )
    pairs = [(record.unperturbed_text, record.perturbed_text) for record in records]
    least, slack = context.thresholds["least"], context.thresholds["slack"]
    is_distance = context.dimension.measure == "embedding"
    return [
        None
        if far <= (slack + (record.degree or 0.0) if is_distance else 1 - least)
        else DISSIMILAR_TO_SECOND
        for record, far in zip(records, embedding_distances(pairs, encoder), strict=True)
    ]


SECOND_SIMILARITY = Filter(
    name="second-similarity",
    summary="a second encoder finds case and original near each other, too (cosine)",
    check=check_second_similarity,
    reasons=(DISSIMILAR_TO_SECOND,),
    # The least cosine of word swaps, and what a distance may exceed the degree of a rewrite by.
    thresholds={"least": 0.5, "slack": 0.2},
    levels=("word", "sentence"),
    uses=("second_encoder",),
)
