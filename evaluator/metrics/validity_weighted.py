"""validity-weighted mean: degrees count as much as people found their cases still valid."""

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


def _over_degrees(by_degree: DegreeScores) -> Numbers | None:
    """Return the mean of a dimension that has weights, at degrees that have a strength."""
    degrees = [degree for degree in by_degree.degrees if degree is not None]
    if by_degree.validity is None or len(degrees) < len(by_degree.degrees):
        return None
    try:
        return validity_weighted(by_degree.scores, degrees, by_degree.validity)
    except NothingToScoreError:
        return None


VALIDITY_WEIGHTED = Metric(
    name="validity-weighted",
    summary="mean over degrees weighted by the share of cases that people found valid, from a weights file",
    heading="Validity-weighted",
    in_terminal=False,
    over_degrees=_over_degrees,
)
