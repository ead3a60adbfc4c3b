"""Transferable accuracy: plain accuracy on the cases that fool their source and the other families."""

from collections.abc import Sequence
from dataclasses import dataclass

from contract.schema.results import Result
from leaderboard.text.formatting import percent


@dataclass(frozen=True, kw_only=True)
class Transferable:
    """The accuracy on the whole tier of some settings, and its cases; nothing is ranked by it."""

    accuracy: float
    n_cases: int

    @property
    def text(self) -> str:
        """The accuracy in per cent."""
        return percent(self.accuracy)


def transferable_of(result: Result, settings: Sequence[str]) -> Transferable | None:
    """Return the accuracy on all cases of the tier in these settings, over all tasks and dimensions."""
    tiers = [
        degree.transferable
        for task in result.tasks.values()
        for by_setting in task.dimensions.values()
        for setting in settings
        if setting in by_setting
        for degree in by_setting[setting].degrees.values()
        if degree.transferable is not None
    ]
    n_cases = sum(tier.n_cases for tier in tiers)
    if not n_cases:
        return None
    n_right = sum(tier.accuracy * tier.n_cases for tier in tiers)
    return Transferable(accuracy=n_right / n_cases, n_cases=n_cases)
