"""validity-weighted mean: degrees count as much as people found their cases still valid."""

import contextlib
from collections.abc import Mapping, Sequence

import numpy as np

from evaluator.metrics.inputs import DegreeScores
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import NothingToScoreError, Numbers

# The weight of each degree of one dimension.
DegreeWeights = Mapping[float, float]


def validity_weighted(scores: Numbers, degrees: Sequence[float], weights: DegreeWeights) -> Numbers:
    """Return the weighted mean along the first axis, which stands for the degrees."""
    of_degrees = np.array([weight_at(weights, degree) for degree in degrees])
    if not of_degrees.sum():
        raise NothingToScoreError("no degree has any weight")
    return np.asarray(np.tensordot(of_degrees / of_degrees.sum(), scores, axes=1))


def weight_at(weights: DegreeWeights, degree: float) -> float:
    """Return the weight of a degree: linear between known degrees, outside them that of the nearest known."""
    known = sorted(weights)
    if not known:
        raise NothingToScoreError("no weights")
    # Below the lowest known degree the nearest higher one decides; above the highest there is only the last.
    return float(np.interp(degree, known, [weights[at] for at in known]))


def _over_degrees(by_degree: DegreeScores) -> dict[str, Numbers]:
    """Return the mean by each weights that the dimension has, at degrees that have a strength."""
    degrees = [degree for degree in by_degree.degrees if degree is not None]
    means: dict[str, Numbers] = {}
    if len(degrees) == len(by_degree.degrees):
        for name, weights in by_degree.validity.items():
            # Without any weight at the degrees that count there is nothing to score.
            with contextlib.suppress(NothingToScoreError):
                means[name] = validity_weighted(by_degree.scores, degrees, weights)
    return means


VALIDITY_WEIGHTED = Metric(
    name="validity-weighted",
    summary="mean over degrees weighted by the share of cases that readers found valid",
    heading="Validity-weighted",
    over_degrees=_over_degrees,
)
