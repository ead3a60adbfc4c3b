"""The embedding measure: 1 − cosine of the sentence embeddings of original and case."""

import math
from collections.abc import Sequence

import numpy as np

from builder.measures.measure import BinMeasure, OriginalAndCase
from builder.models.embedding_cache import Embedding
from builder.models.encoder import encode


def embedding_distances(pairs: Sequence[OriginalAndCase], encoder: str) -> list[float]:
    """Return 1 − cosine for each original and case."""
    vectors = encode([text for pair in pairs for text in pair], encoder)
    return [1.0 - _cosine(*both) for both in zip(vectors[::2], vectors[1::2], strict=True)]


def _cosine(first: Embedding, second: Embedding) -> float:
    """Return the cosine in fp64: what counts is the difference of two numbers near 1."""
    one, other = first.astype(np.float64), second.astype(np.float64)
    return float(one @ other / math.sqrt(float(one @ one) * float(other @ other)))


EMBEDDING = BinMeasure(
    name="embedding",
    summary="1 − cosine of sentence embeddings",
    distances=embedding_distances,
)
