"""The transferability filter: a case must fool its source and, by a given share, the other surrogates.

Surrogates are asked one after the other, the cheapest first, and each only about what is still alive. Those
that cost much come last, and of one sample's cases they see no more than are wanted.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

NOT_FOOLED = "source-not-fooled"
NO_JUROR = "no-eligible-surrogate"
NOT_TRANSFERABLE = "not-transferable"
DUPLICATE = "duplicate"
ENOUGH = "enough-cases"

# Returns a surrogate's labels for the cases at these places.
Ask = Callable[[Sequence[int]], Sequence[int]]


@dataclass(frozen=True, kw_only=True)
class Jury:
    """The surrogates before whom cases are brought, by their number in the manifest."""

    ask: Mapping[int, Ask]
    # In which they are asked.
    order: Sequence[int]
    # Those that cost much.
    late: Collection[int] = ()
    min_fooled: float
    # How many cases of one group are wanted.
    n_wanted: int


@dataclass(kw_only=True)
class Case:
    """A case before the jury, with what is known of it so far."""

    label: int
    # The surrogate it was made against.
    source: int
    # Cases of one group compete for its few places: those of one sample at one degree.
    group: Hashable
    # The lower goes first in its group.
    turn: Sequence[int]
    text: tuple[str, str | None]
    # The others that are right on its original: only their votes count.
    eligible: Sequence[int] = ()
    votes: dict[int, int] = field(default_factory=dict)
    reason: str | None = None

    def is_fooled(self, number: int) -> bool:
        """Whether a surrogate gives it another label."""
        return self.votes[number] != self.label

    @property
    def best_transfer(self) -> Fraction:
        """The share of eligible surrogates that will be fooled if all are who were not yet asked."""
        n_resisting = sum(number in self.votes and not self.is_fooled(number) for number in self.eligible)
        return 1 - Fraction(n_resisting, len(self.eligible))


def sift(jury: Jury, cases: Sequence[Case]) -> None:
    """Ask the sources and all who cost little, and drop whatever cannot pass any more."""
    _ask_sources(jury, cases)
    _drop_duplicates(cases)
    early = [number for number in jury.order if number not in jury.late]
    _hear(jury, early, cases, _alive(cases))
    # Rows hold everybody's vote, also of those whose vote does not count.
    for number in early:
        _ask(jury, number, cases, _alive(cases))


def settle(jury: Jury, cases: Sequence[Case]) -> None:
    """Ask the late ones about what was left; of a group the first that pass stay, up to the number wanted.

    Groups have nothing to do with each other: what becomes of one does not depend on who else is there.
    """
    late = [number for number in jury.order if number in jury.late]
    waiting = _in_groups(cases)
    n_open = dict.fromkeys(waiting, jury.n_wanted)
    while heard := [place for group, own in waiting.items() for place in own[: n_open[group]]]:
        _hear(jury, late, cases, heard)
        for group, own in waiting.items():
            now, later = own[: n_open[group]], own[n_open[group] :]
            n_open[group] -= sum(cases[place].reason is None for place in now)
            waiting[group] = later
    for own in waiting.values():
        for place in own:
            cases[place].reason = ENOUGH
    for number in late:
        _ask(jury, number, cases, _alive(cases))


def _ask_sources(jury: Jury, cases: Sequence[Case]) -> None:
    """Drop what does not fool its own source, and what nobody else could judge."""
    for number in jury.order:
        _ask(jury, number, cases, [place for place, case in enumerate(cases) if case.source == number])
    for case in cases:
        if not case.is_fooled(case.source):
            case.reason = NOT_FOOLED
        elif not case.eligible:
            case.reason = NO_JUROR


def _alive(cases: Sequence[Case]) -> list[int]:
    return [place for place, case in enumerate(cases) if case.reason is None]


def _in_groups(cases: Sequence[Case]) -> dict[Hashable, list[int]]:
    """Return the places of what is alive by group, in turns."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for place in sorted(_alive(cases), key=lambda each: (cases[each].turn, each)):
        groups[cases[place].group].append(place)
    return groups


def _drop_duplicates(cases: Sequence[Case]) -> None:
    """Drop all but the first of a text in a group: two sources may lead to the same one."""
    for places in _in_groups(cases).values():
        seen: set[Hashable] = set()
        for place in places:
            if cases[place].text in seen:
                cases[place].reason = DUPLICATE
            seen.add(cases[place].text)


def _hear(jury: Jury, numbers: Sequence[int], cases: Sequence[Case], places: Sequence[int]) -> None:
    """Bring cases before one juror after the other, each seeing only what is still alive."""
    for number in numbers:
        concerned = [
            place for place in places if cases[place].reason is None and number in cases[place].eligible
        ]
        _ask(jury, number, cases, concerned)
        for place in concerned:
            if cases[place].best_transfer < Fraction(repr(jury.min_fooled)):
                cases[place].reason = NOT_TRANSFERABLE


def _ask(jury: Jury, number: int, cases: Sequence[Case], places: Iterable[int]) -> None:
    unasked = [place for place in places if number not in cases[place].votes]
    if unasked:
        for place, vote in zip(unasked, jury.ask[number](unasked), strict=True):
            cases[place].votes[number] = vote
