"""Embeddings kept on disk, one small database for each encoder."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from contract.machine.value_cache import SECONDS_TO_WAIT, SUFFIX, ValueCache

Embedding = NDArray[np.float32]

# 1.5 kB each with the packaged encoder, so 300 MB.
MOST_ROWS = 200_000
# Of all encoders together.
MOST_BYTES = 1_000_000_000


class EmbeddingCache:
    """The embeddings of one encoder by text; without it the same numbers are computed."""

    def __init__(
        self,
        folder: Path,
        *,
        most_rows: int = MOST_ROWS,
        most_bytes: int = MOST_BYTES,
        seconds_to_wait: float = SECONDS_TO_WAIT,
    ) -> None:
        self._values = ValueCache(
            folder / f"embeddings{SUFFIX}",
            home=folder.parent,
            most_rows=most_rows,
            most_bytes=most_bytes,
            seconds_to_wait=seconds_to_wait,
        )

    def load(self, texts: Sequence[str]) -> dict[str, Embedding]:
        """Return the embeddings of the texts that are in the cache."""
        texts_by_key = {_key(text): text for text in texts}
        values = self._values.load(list(texts_by_key))
        return {texts_by_key[key]: np.frombuffer(value, dtype="<f4") for key, value in values.items()}

    def store(self, embeddings: Mapping[str, Embedding]) -> None:
        """Store embeddings, all or none of them; the oldest are deleted when there are too many."""
        self._values.store(
            {_key(text): vector.astype("<f4").tobytes() for text, vector in embeddings.items()}
        )


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
