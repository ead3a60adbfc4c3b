"""Transferability: which attempts fool, beside their source, enough of the other families of surrogates.

A family is eligible when it is not the source's and one of its surrogates is right on the original; it is
fooled when all of these are. `transfer` is the share of the eligible families that are fooled. It is unknown
with fewer than two eligible families, and where an expensive surrogate was not asked on whom it depends:
expensive surrogates are asked only where their vote can still decide about the tier.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

# Returns a surrogate's labels for the cases at these places.
Ask = Callable[[Sequence[int]], Sequence[int]]

FEWEST_FAMILIES = 2


@dataclass(frozen=True, kw_only=True)
class Panel:
    """The surrogates that are asked about cases, by their number in the manifest."""

    ask: Mapping[int, Ask]
    # The family of each.
    families: Sequence[str]
    # The order in which they are asked, the cheapest first.
    order: Sequence[int]
    expensive: Collection[int] = ()
    min_fooled: float


@dataclass(kw_only=True)
class Case:
    """A case that is kept, with the votes on it so far."""

    label: int
    # The surrogate that it was made against.
    source: int
    # By eligible family, the surrogates that are right on the original: only their votes count.
    eligible: Mapping[str, Sequence[int]]
    votes: dict[int, int] = field(default_factory=dict)

    @property
    def source_fooled(self) -> bool:
        """Whether the source gives the case another label."""
        return self._is_fooled(self.source)

    @property
    def transfer(self) -> Fraction | None:
        """Fooled families over eligible ones; null where there are too few, or where some are unknown."""
        verdicts = [self._verdict(members) for members in self.eligible.values()]
        if len(verdicts) < FEWEST_FAMILIES or None in verdicts:
            return None
        return Fraction(sum(map(bool, verdicts)), len(verdicts))

    def can_transfer(self, min_fooled: float) -> bool:
        """Whether it is in the tier if all surrogates that were not asked are fooled."""
        if len(self.eligible) < FEWEST_FAMILIES or not self.source_fooled:
            return False
        n_resisting = sum(self._verdict(members) is False for members in self.eligible.values())
        return 1 - Fraction(n_resisting, len(self.eligible)) >= Fraction(repr(min_fooled))

    def is_transferable(self, min_fooled: float) -> bool:
        """Whether it is in the tier."""
        return self.transfer is not None and self.can_transfer(min_fooled)

    def _verdict(self, members: Sequence[int]) -> bool | None:
        """Return whether a family is fooled; null where nobody resists and somebody was not asked."""
        if any(number in self.votes and not self._is_fooled(number) for number in members):
            return False
        return True if all(number in self.votes for number in members) else None

    def _is_fooled(self, number: int) -> bool:
        return self.votes[number] != self.label


def eligible_families(
    families: Sequence[str], source: int, is_right: Sequence[bool]
) -> dict[str, tuple[int, ...]]:
    """Return the families other than the source's, with those of their surrogates that have it right."""
    eligible: dict[str, tuple[int, ...]] = {}
    for number, family in enumerate(families):
        if family != families[source] and is_right[number]:
            eligible[family] = (*eligible.get(family, ()), number)
    return eligible


def ask_in_turn(panel: Panel, cases: Sequence[Case]) -> None:
    """Ask each case's source and every cheap surrogate, then the expensive ones where it matters.

    Cases do not depend on each other, and no vote of a cheap surrogate depends on the expensive ones.
    """
    everywhere = range(len(cases))
    for number in panel.order:
        if number in panel.expensive:
            _ask(panel, number, cases, [place for place in everywhere if cases[place].source == number])
        else:
            _ask(panel, number, cases, everywhere)
    for number in panel.order:
        if number in panel.expensive:
            _ask(
                panel, number, cases, [place for place in everywhere if _decides(panel, number, cases[place])]
            )


def _decides(panel: Panel, number: int, case: Case) -> bool:
    """Whether the case can be in the tier, and a vote of this surrogate can keep it out."""
    members = case.eligible.get(panel.families[number], ())
    return number in members and case.can_transfer(panel.min_fooled)


def _ask(panel: Panel, number: int, cases: Sequence[Case], places: Sequence[int]) -> None:
    unasked = [place for place in places if number not in cases[place].votes]
    if unasked:
        for place, vote in zip(unasked, panel.ask[number](unasked), strict=True):
            cases[place].votes[number] = vote
