"""Transferability: a case must fool its source and, by a given share, the other surrogates.

Surrogates are asked one after the other, the cheapest first, and each only about cases that can still pass.
Expensive surrogates come last, and of one sample's cases they see no more than are wanted.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from builder.values.distinct import Distinct
from contract.schema.drop_reasons import (
    DUPLICATE,
    ENOUGH_CASES,
    NO_ELIGIBLE_SURROGATE,
    NOT_TRANSFERABLE,
    SOURCE_NOT_FOOLED,
    Reason,
)

# Returns a surrogate's labels for the cases at these places.
Ask = Callable[[Sequence[int]], Sequence[int]]


@dataclass(frozen=True, kw_only=True)
class Panel:
    """The surrogates that are asked about cases, by their number in the manifest."""

    ask: Mapping[int, Ask]
    # The order in which they are asked.
    order: Sequence[int]
    expensive: Collection[int] = ()
    min_fooled: float
    # How many cases of one group are wanted.
    n_wanted: int


@dataclass(kw_only=True)
class Case:
    """A case with the votes on it so far, and the reason why it is dropped, if it is."""

    label: int
    # The surrogate that it was made against.
    source: int
    # The sample and degree: cases of one group compete for the places that are wanted.
    group: Hashable
    # The lower goes first in its group.
    turn: Sequence[int]
    text: tuple[str, str | None]
    # The other surrogates that are right on its original: only their votes count.
    eligible: Sequence[int] = ()
    votes: dict[int, int] = field(default_factory=dict)
    reason: Reason | None = None

    def is_fooled(self, number: int) -> bool:
        """Whether a surrogate gives the case another label."""
        return self.votes[number] != self.label

    @property
    def best_transfer(self) -> Fraction:
        """The upper bound of transfer: surrogates that were not yet asked count as fooled."""
        n_resisting = sum(number in self.votes and not self.is_fooled(number) for number in self.eligible)
        return 1 - Fraction(n_resisting, len(self.eligible))


def decide(panel: Panel, cases: Sequence[Case]) -> None:
    """Ask the panel, and give every case that is dropped its reason.

    Groups do not depend on each other: the decision on one is the same whatever other groups are there.
    """
    cheap = [number for number in panel.order if number not in panel.expensive]
    expensive = [number for number in panel.order if number in panel.expensive]
    _ask_sources(panel, cases)
    _drop_duplicates(cases)
    _ask_in_turn(panel, cheap, cases, _undecided(cases))
    # A row holds the votes of all surrogates, also of those whose vote does not count.
    for number in cheap:
        _ask(panel, number, cases, _undecided(cases))
    _fill_groups(panel, expensive, cases)
    for number in expensive:
        _ask(panel, number, cases, _undecided(cases))


def _ask_sources(panel: Panel, cases: Sequence[Case]) -> None:
    """Drop cases that do not fool their own source, and cases on which no other surrogate's vote counts."""
    for number in panel.order:
        _ask(panel, number, cases, [place for place, case in enumerate(cases) if case.source == number])
    for case in cases:
        if not case.is_fooled(case.source):
            case.reason = SOURCE_NOT_FOOLED
        elif not case.eligible:
            case.reason = NO_ELIGIBLE_SURROGATE


def _fill_groups(panel: Panel, numbers: Sequence[int], cases: Sequence[Case]) -> None:
    """Ask the expensive surrogates about the first cases of each group until as many pass as are wanted."""
    waiting = _in_groups(cases)
    n_open = dict.fromkeys(waiting, panel.n_wanted)
    while asked := [place for group, places in waiting.items() for place in places[: n_open[group]]]:
        _ask_in_turn(panel, numbers, cases, asked)
        for group, places in waiting.items():
            now, later = places[: n_open[group]], places[n_open[group] :]
            n_open[group] -= sum(cases[place].reason is None for place in now)
            waiting[group] = later
    for places in waiting.values():
        for place in places:
            cases[place].reason = ENOUGH_CASES


def _undecided(cases: Sequence[Case]) -> list[int]:
    return [place for place, case in enumerate(cases) if case.reason is None]


def _in_groups(cases: Sequence[Case]) -> dict[Hashable, list[int]]:
    """Return the places of the undecided cases by group, in the order of their turns."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for place in sorted(_undecided(cases), key=lambda place: (cases[place].turn, place)):
        groups[cases[place].group].append(place)
    return groups


def _drop_duplicates(cases: Sequence[Case]) -> None:
    """Drop all but the first of a text in a group: two sources may lead to the same one."""
    for places in _in_groups(cases).values():
        distinct = Distinct()
        for place in places:
            if not distinct.is_new(cases[place].text):
                cases[place].reason = DUPLICATE


def _ask_in_turn(panel: Panel, numbers: Sequence[int], cases: Sequence[Case], places: Sequence[int]) -> None:
    """Ask one surrogate after the other, each only about cases that can still pass and where it counts."""
    for number in numbers:
        counted = [
            place for place in places if cases[place].reason is None and number in cases[place].eligible
        ]
        _ask(panel, number, cases, counted)
        for place in counted:
            if cases[place].best_transfer < Fraction(repr(panel.min_fooled)):
                cases[place].reason = NOT_TRANSFERABLE


def _ask(panel: Panel, number: int, cases: Sequence[Case], places: Iterable[int]) -> None:
    unasked = [place for place in places if number not in cases[place].votes]
    if unasked:
        for place, vote in zip(unasked, panel.ask[number](unasked), strict=True):
            cases[place].votes[number] = vote
