"""Boosted decision trees in plain arrays: read from a file, asked with NumPy alone."""

import io
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from builder.language.substitution.features import NAMES, Matrix
from contract.machine.hashes import hash_of_file

WEIGHTS_PATH = Path(__file__).parent / "weights" / "judge.npz"
# Units are keyed by the hash of the code, which through this constant covers the weights.
WEIGHTS_SHA256 = "e687a6e0a35f042e1285d35787f63d27b0812c071f81a98685631a92bf7d1cb6"


@dataclass(frozen=True, kw_only=True)
class Trees:
    """Nodes of all trees, one after the other; a leaf is its own child on both sides.

    A row goes left where its feature is at most the threshold. The answer is a log-odds: start plus leaves.
    """

    feature: NDArray[np.int16]
    threshold: NDArray[np.float64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float64]
    roots: NDArray[np.int32]
    depth: NDArray[np.int16]
    start: NDArray[np.float64]

    def probabilities(self, rows: Matrix) -> Matrix:
        """Return for each row how likely it is that the substitution is acceptable."""
        nodes = np.repeat(self.roots[None, :], len(rows), axis=0)
        numbers = np.arange(len(rows))[:, None]
        for _ in range(int(self.depth)):
            goes_left = rows[numbers, self.feature[nodes]] <= self.threshold[nodes]
            nodes = np.where(goes_left, self.left[nodes], self.right[nodes])
        odds = float(self.start) + self.value[nodes].sum(axis=1)
        probabilities: Matrix = np.round(1.0 / (1.0 + np.exp(-odds)), 4)
        return probabilities


def save_trees(trees: Trees) -> bytes:
    """Return the file of some trees, the same bytes for the same trees."""
    file = io.BytesIO()
    np.savez_compressed(
        file,
        names=np.frombuffer("\n".join(NAMES).encode(), dtype=np.uint8),
        **{field.name: getattr(trees, field.name) for field in fields(Trees)},
    )
    return file.getvalue()


@lru_cache(maxsize=1)
def load_trees() -> Trees:
    """Return the shipped trees, read once for each process."""
    if hash_of_file(WEIGHTS_PATH) != WEIGHTS_SHA256:
        raise ValueError(f"{WEIGHTS_PATH} is not the file this code was made for; install the package again")
    with np.load(WEIGHTS_PATH, allow_pickle=False) as arrays:
        return Trees(**{field.name: arrays[field.name] for field in fields(Trees)})
