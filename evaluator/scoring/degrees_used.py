"""The degrees that count: those at which a tenth of a task's clean samples have a random case."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from contract.predictions.reading import ReleaseRows
from contract.schema.names import CLEAN
from evaluator.metrics.overall import RULE

if TYPE_CHECKING:
    from contract.schema.manifest import SplitInfo

# By task and dimension, low degrees first; the same for all settings and models.
UsedDegrees = Mapping[tuple[str, str], tuple[float, ...]]

# One in so many clean samples must have a case.
ONE_IN = 10


def used_degrees(rows: ReleaseRows, samples: NDArray[np.int32]) -> UsedDegrees:
    """Return the degrees that count; without `rule` in a dimension, cases of its other settings decide.

    A split without degrees always counts and is not listed here.
    """
    manifest = rows.release.manifest
    n_clean = {split.task: split.rows for split in manifest.splits if split.dimension == CLEAN}
    dimensions: dict[tuple[str, str], list[SplitInfo]] = {}
    for split in manifest.splits:
        if split.is_adversarial and split.degree is not None:
            dimensions.setdefault((split.task, split.dimension), []).append(split)
    used: dict[tuple[str, str], tuple[float, ...]] = {}
    for (task, dimension), splits in dimensions.items():
        counts: dict[float, int] = {}
        of_rule = [split for split in splits if split.setting == RULE]
        for degree in sorted({split.degree for split in splits if split.degree is not None}):
            if of_rule:
                # A degree of `rule` is one file, which the manifest describes, downloaded or not.
                counts[degree] = sum(split.samples for split in of_rule if split.degree == degree)
            else:
                counts[degree] = _n_with_case(rows, samples, task, dimension, degree)
        least = max(n_clean.get(task, 0), 1)
        used[task, dimension] = tuple(degree for degree, n in counts.items() if n * ONE_IN >= least)
    return used


def _n_with_case(
    rows: ReleaseRows, samples: NDArray[np.int32], task: str, dimension: str, degree: float
) -> int:
    """Return how many samples have a case at a degree in any setting."""
    of_degree = [
        samples[start:stop]
        for split, start, stop in zip(rows.splits, rows.bounds[:-1], rows.bounds[1:], strict=True)
        if (split.task, split.dimension, split.degree) == (task, dimension, degree)
    ]
    return len(np.unique(np.concatenate(of_degree))) if of_degree else 0
