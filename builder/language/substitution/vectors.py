"""Vectors of words without a context: the packaged encoder's own input vectors of their pieces."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from builder.language.masked_lm.model import PACKAGED, load_model

Vectors = NDArray[np.float32]


@lru_cache(maxsize=1)
def piece_vectors() -> Vectors:
    """Return a unit vector for each piece of the packaged encoder's vocabulary."""
    from safetensors.numpy import load_file

    # Imported only here, because it loads torch.
    from builder.language.masked_lm.network import base_folder

    values = load_file(str(base_folder() / "model.safetensors"))
    (name,) = (name for name in values if name.endswith("word_embeddings.weight"))
    vectors: Vectors = values[name].astype(np.float32)
    lengths: Vectors = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    unit: Vectors = vectors / lengths
    return unit


def word_vectors(words: Sequence[str]) -> Vectors:
    """Return a unit vector for each word or expression in small letters: the mean of its pieces."""
    unknown = list(dict.fromkeys(word for word in words if word not in _known))
    if len(_known) > MOST_KNOWN:
        _known.clear()
        unknown = list(dict.fromkeys(words))
    vectors = piece_vectors()
    for word, pieces in zip(unknown, load_model(PACKAGED).pieces_of(unknown), strict=True):
        mean = vectors[list(pieces)].mean(axis=0) if pieces else np.zeros(vectors.shape[1], np.float32)
        _known[word] = mean / max(float(np.linalg.norm(mean)), 1e-12)
    return (
        np.stack([_known[word] for word in words]) if words else np.zeros((0, vectors.shape[1]), np.float32)
    )


# Bounds the memory: 1.5 kB each.
MOST_KNOWN = 50_000
_known: dict[str, Vectors] = {}
