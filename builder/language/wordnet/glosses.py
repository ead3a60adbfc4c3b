"""Small vectors of what each sense means, and how well a sense fits a text embedded by the encoder."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from builder.language.wordnet.tables import DATA_PATH
from builder.models.embedding_cache import Embedding
from contract.machine.hashes import hash_of_file

GLOSSES_PATH = DATA_PATH / "glosses.npz"
# Units are keyed by the hash of the code, which through this constant covers the data.
GLOSSES_SHA256 = "cf88a02104cabb4fe25e0a74c52d4cf9b00bb3f0ac30994ccce997f417280afa"
# Of the encoder's 384 dimensions the ones in which senses differ most, in whole numbers from -127 to 127.
N_DIMENSIONS = 64
SCALE = 127


@dataclass(frozen=True, kw_only=True)
class Glosses:
    """A projection of the encoder's vectors, and in it the unit vector of each synset that has one."""

    mean: NDArray[np.float64]
    axes: NDArray[np.float64]
    rows: dict[int, int]
    vectors: NDArray[np.int8]

    def fits(self, text: Embedding, synsets: Sequence[int]) -> list[float]:
        """Return the cosine of a text with the glosses of some synsets; 0 for a synset without."""
        projected = _project(text.astype(np.float64)[None, :], self.mean, self.axes)[0]
        cosines = []
        for synset in synsets:
            row = self.rows.get(synset)
            vector = None if row is None else self.vectors[row].astype(np.float64)
            cosines.append(
                0.0 if vector is None else float(vector @ projected) / float(np.linalg.norm(vector))
            )
        return cosines


def reduce_glosses(synsets: Sequence[int], embeddings: Sequence[Embedding]) -> Glosses:
    """Return the vectors of some synsets in the dimensions in which they differ most."""
    matrix = np.stack(embeddings).astype(np.float64)
    mean = matrix.mean(axis=0).astype(np.float16).astype(np.float64)
    _, vectors = np.linalg.eigh((matrix - mean).T @ (matrix - mean))
    axes = vectors[:, ::-1][:, :N_DIMENSIONS]
    # The sign of an axis is arbitrary: its largest component is made positive.
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(N_DIMENSIONS)])
    axes = axes.astype(np.float16).astype(np.float64)
    reduced = _project(matrix, mean, axes)
    largest = np.abs(reduced).max(axis=1, keepdims=True)
    return Glosses(
        mean=mean,
        axes=axes,
        rows={synset: row for row, synset in enumerate(synsets)},
        vectors=np.round(reduced / largest * SCALE).astype(np.int8),
    )


def save_glosses(glosses: Glosses) -> None:
    """Write the vectors, the same bytes for the same vectors."""
    np.savez(
        GLOSSES_PATH,
        mean=glosses.mean.astype(np.float16),
        axes=glosses.axes.astype(np.float16),
        synsets=np.array(list(glosses.rows), dtype=np.int32),
        vectors=glosses.vectors,
    )


@lru_cache(maxsize=1)
def load_glosses() -> Glosses:
    """Return the shipped vectors, read once for each process."""
    if hash_of_file(GLOSSES_PATH) != GLOSSES_SHA256:
        raise ValueError(f"{GLOSSES_PATH} is not the file this code was made for; install the package again")
    with np.load(GLOSSES_PATH, allow_pickle=False) as file:
        return Glosses(
            mean=file["mean"].astype(np.float64),
            axes=file["axes"].astype(np.float64),
            rows={int(synset): row for row, synset in enumerate(file["synsets"])},
            vectors=file["vectors"],
        )


def _project(
    vectors: NDArray[np.float64], mean: NDArray[np.float64], axes: NDArray[np.float64]
) -> NDArray[np.float64]:
    reduced = (vectors - mean) @ axes
    unit: NDArray[np.float64] = reduced / np.maximum(np.linalg.norm(reduced, axis=1, keepdims=True), 1e-12)
    return unit
