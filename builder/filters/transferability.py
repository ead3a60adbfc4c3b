"""The transferability filter: a case must fool its source and, by a given share, the other surrogates.

Surrogates are asked one after the other, the cheapest first, and each only about what is still alive; of one
sample's cases no more are looked at than are wanted.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

NOT_FOOLED = "source-not-fooled"
NO_JUROR = "no-eligible-surrogate"
NOT_TRANSFERABLE = "not-transferable"
DUPLICATE = "duplicate"
ENOUGH = "enough-cases"


@dataclass(frozen=True, kw_only=True)
class Screened:
    """What became of a case: a reason to drop it, or all surrogates' votes and the share that is fooled."""

    reason: str | None
    votes: tuple[int, ...] = ()
    transfer: float | None = None


@dataclass(frozen=True, kw_only=True)
class Juror:
    """A surrogate before whom cases are brought."""

    # Whether it is right on the original of each case; only then does its vote count.
    is_right: Sequence[bool]
    # Returns its labels for the cases at these places.
    ask: Callable[[Sequence[int]], Sequence[int]]


@dataclass(frozen=True, kw_only=True)
class Jury:
    """The surrogates of a task in the manifest's order, and the order in which they are asked."""

    jurors: Sequence[Juror]
    order: Sequence[int]
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
    text: Hashable
    votes: dict[int, int] = field(default_factory=dict)
    eligible: list[int] = field(default_factory=list)
    reason: str | None = None

    def is_fooled(self, number: int) -> bool:
        """Whether a surrogate gives it another label."""
        return self.votes[number] != self.label

    @property
    def best_transfer(self) -> Fraction:
        """The share of eligible surrogates that will be fooled if all are who were not yet asked."""
        n_resisting = sum(number in self.votes and not self.is_fooled(number) for number in self.eligible)
        return 1 - Fraction(n_resisting, len(self.eligible))


def screen(jury: Jury, cases: Sequence[Case]) -> list[Screened]:
    """Return the verdict on each case; of a group the first that pass are kept, up to the number wanted."""
    _ask_sources(jury, cases)
    waiting = _in_groups(cases)
    n_open = dict.fromkeys(waiting, jury.n_wanted)
    while True:
        heard = [place for group, own in waiting.items() for place in own[: n_open[group]]]
        if not heard:
            break
        _hear(jury, cases, heard)
        for group, own in waiting.items():
            now, later = own[: n_open[group]], own[n_open[group] :]
            n_open[group] -= sum(cases[place].reason is None for place in now)
            waiting[group] = later
    for own in waiting.values():
        for place in own:
            cases[place].reason = ENOUGH
    # Rows hold everybody's vote, also of those whose vote does not count.
    for number in jury.order:
        _ask(jury, number, cases, [place for place, case in enumerate(cases) if case.reason is None])
    return [_verdict(case, len(jury.jurors)) for case in cases]


def _ask_sources(jury: Jury, cases: Sequence[Case]) -> None:
    """Drop what does not fool its own source, and what nobody else could judge."""
    for number in jury.order:
        _ask(jury, number, cases, [place for place, case in enumerate(cases) if case.source == number])
    for place, case in enumerate(cases):
        others = [number for number in jury.order if number != case.source]
        case.eligible = [number for number in others if jury.jurors[number].is_right[place]]
        if not case.is_fooled(case.source):
            case.reason = NOT_FOOLED
        elif not case.eligible:
            case.reason = NO_JUROR


def _in_groups(cases: Sequence[Case]) -> dict[Hashable, list[int]]:
    """Return the places of what is alive by group, in turns; two sources may lead to the same text."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    seen: set[tuple[Hashable, Hashable]] = set()
    for place in sorted(range(len(cases)), key=lambda each: (cases[each].turn, each)):
        case = cases[place]
        if case.reason is not None:
            continue
        if (case.group, case.text) in seen:
            case.reason = DUPLICATE
            continue
        seen.add((case.group, case.text))
        groups[case.group].append(place)
    return groups


def _hear(jury: Jury, cases: Sequence[Case], places: Sequence[int]) -> None:
    """Bring cases before one juror after the other, each seeing only what is still alive."""
    for number in jury.order:
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
        for place, vote in zip(unasked, jury.jurors[number].ask(unasked), strict=True):
            cases[place].votes[number] = vote


def _verdict(case: Case, n_jurors: int) -> Screened:
    if case.reason is not None:
        return Screened(reason=case.reason)
    votes = tuple(case.votes[number] for number in range(n_jurors))
    return Screened(reason=None, votes=votes, transfer=round(float(case.best_transfer), 6))
