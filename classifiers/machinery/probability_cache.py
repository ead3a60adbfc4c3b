"""Probabilities kept on disk, one small database for each classifier."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from classifiers.machinery.classifier import Probabilities, TextPair
from contract.machine.value_cache import SECONDS_TO_WAIT, SUFFIX, ValueCache

FOLDER = "probabilities"
# Six digits are kept: differences between processors or batches are smaller.
MILLION = 1_000_000
# About 80 bytes each, so 80 MB a classifier.
MOST_ROWS = 1_000_000
# Of all classifiers together.
MOST_BYTES = 1_000_000_000


class ProbabilityCache:
    """The probabilities of one classifier by text; without it the same numbers are computed."""

    def __init__(
        self,
        cache_path: Path,
        key: str,
        *,
        most_rows: int = MOST_ROWS,
        most_bytes: int = MOST_BYTES,
        seconds_to_wait: float = SECONDS_TO_WAIT,
    ) -> None:
        folder = cache_path / FOLDER
        self._values = ValueCache(
            folder / f"{key}{SUFFIX}",
            home=folder,
            most_rows=most_rows,
            most_bytes=most_bytes,
            seconds_to_wait=seconds_to_wait,
        )

    def load(self, texts: Sequence[TextPair]) -> dict[TextPair, Probabilities]:
        """Return the rows of the texts that are in the cache."""
        texts_by_key = {_key(text): text for text in texts}
        values = self._values.load(list(texts_by_key))
        try:
            return {
                texts_by_key[key]: np.frombuffer(value, dtype="<u4") / MILLION
                for key, value in values.items()
            }
        except ValueError:
            self._values.delete()
            return {}

    def store(self, rows: Mapping[TextPair, Probabilities]) -> None:
        """Store rows, all or none of them; the oldest are deleted when there are too many."""
        self._values.store(
            {_key(text): np.rint(row * MILLION).astype("<u4").tobytes() for text, row in rows.items()}
        )


def _key(text: TextPair) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for part in text:
        # A missing text differs from an empty one, and the lengths tell where the first text ends.
        encoded = b"" if part is None else b"\x01" + part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8) + encoded)
    return digest.digest()
