"""The transferability filter: a case must fool its source and, by a given share, the other surrogates.

Surrogates are asked one after the other, the cheapest first, and each only about what is still alive.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

NOT_FOOLED = "source-not-fooled"
NO_JUROR = "no-eligible-surrogate"
NOT_TRANSFERABLE = "not-transferable"


@dataclass(frozen=True, kw_only=True)
class Screened:
    """What became of a case: a reason to drop it, or all surrogates' votes and the share that is fooled."""

    reason: str | None
    votes: tuple[int, ...] = ()
    transfer: float | None = None


@dataclass(frozen=True, kw_only=True)
class Juror:
    """A surrogate that is not the source of the cases."""

    # Whether it is right on the original of each case; only then does its vote count.
    is_right: Sequence[bool]
    # Returns its labels for the cases at these places.
    ask: Callable[[Sequence[int]], Sequence[int]]


@dataclass(frozen=True, kw_only=True)
class Jury:
    """The surrogates of a task in the manifest's order, and the order in which they are asked."""

    jurors: Sequence[Juror]
    source: int
    order: Sequence[int]
    min_fooled: float

    @property
    def others(self) -> list[int]:
        """The jurors beside the source, as they are asked."""
        return [number for number in self.order if number != self.source]


def screen(jury: Jury, labels: Sequence[int]) -> list[Screened]:
    """Return the verdict on each case; the labels are those of the cases."""
    cases = [_Case(label) for label in labels]
    _ask(jury, jury.source, cases, range(len(cases)))
    for place, case in enumerate(cases):
        case.eligible = [number for number in jury.others if jury.jurors[number].is_right[place]]
        if not case.is_fooled(jury.source):
            case.reason = NOT_FOOLED
        elif not case.eligible:
            case.reason = NO_JUROR
    for number in jury.others:
        concerned = [place for place, case in enumerate(cases) if case.is_alive and number in case.eligible]
        _ask(jury, number, cases, concerned)
        for place in concerned:
            if cases[place].best_transfer < Fraction(repr(jury.min_fooled)):
                cases[place].reason = NOT_TRANSFERABLE
    # Rows hold everybody's vote, also of those whose vote does not count.
    for number in jury.others:
        alive = [place for place, case in enumerate(cases) if case.is_alive and number not in case.votes]
        _ask(jury, number, cases, alive)
    return [case.verdict(len(jury.jurors)) for case in cases]


class _Case:
    """A case before the jury."""

    def __init__(self, label: int) -> None:
        self.label = label
        self.votes: dict[int, int] = {}
        self.eligible: list[int] = []
        self.reason: str | None = None

    @property
    def is_alive(self) -> bool:
        return self.reason is None

    def is_fooled(self, number: int) -> bool:
        return self.votes[number] != self.label

    @property
    def best_transfer(self) -> Fraction:
        """The share of eligible surrogates that will be fooled if all are who were not yet asked."""
        n_resisting = sum(number in self.votes and not self.is_fooled(number) for number in self.eligible)
        return 1 - Fraction(n_resisting, len(self.eligible))

    def verdict(self, n_jurors: int) -> Screened:
        if self.reason is not None:
            return Screened(reason=self.reason)
        votes = tuple(self.votes[number] for number in range(n_jurors))
        return Screened(reason=None, votes=votes, transfer=round(float(self.best_transfer), 6))


def _ask(jury: Jury, number: int, cases: Sequence[_Case], places: Sequence[int]) -> None:
    if places:
        for place, vote in zip(places, jury.jurors[number].ask(places), strict=True):
            cases[place].votes[number] = vote
