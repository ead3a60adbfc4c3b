"""The two estimates of every score, and the one that models are ranked by."""

from typing import Literal, Protocol, TypeVar

Estimate = Literal["average", "worst"]

# The one place that says what ranks: the headline, called robustness, is this estimate. Against models that
# were attacked directly, `worst` orders them better than `average` does (`python -m benchmarks.ranks`:
# Kendall tau .79 against .70 on mr, .75 against .65 on AG News).
RANKED_BY: Estimate = "worst"
# Wherever both stand, the one that ranks comes first.
ESTIMATES: tuple[Estimate, ...] = ("worst", "average")

Figure_co = TypeVar("Figure_co", covariant=True)


class Both(Protocol[Figure_co]):
    """Whatever has both estimates of something."""

    @property
    def average(self) -> Figure_co:
        """What is kept on average over the cases."""

    @property
    def worst(self) -> Figure_co:
        """What is kept on every case."""


def estimate_of(both: Both[Figure_co], estimate: Estimate) -> Figure_co:
    """Return one of the two estimates."""
    return both.average if estimate == "average" else both.worst


class Estimated:
    """Adds `score`, the estimate that ranks, to a class that has both; it is no field and is not written."""

    @property
    def score(self: Both[Figure_co]) -> Figure_co:
        """The estimate that models are ranked by."""
        return estimate_of(self, RANKED_BY)
