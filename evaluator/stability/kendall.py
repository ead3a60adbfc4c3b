"""Kendall's tau-b: how far two scores put the same things into the same order."""

from collections.abc import Sequence

import numpy as np


def kendall_tau(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return tau-b, which takes ties into account; nothing where one side has ties only."""
    pairs = np.triu_indices(len(first), 1)
    a, b = (
        np.sign(np.subtract.outer(values, values))[pairs] for values in (np.array(first), np.array(second))
    )
    n_untied = float((a != 0).sum()) * float((b != 0).sum())
    return float((a * b).sum() / np.sqrt(n_untied)) if n_untied else None
