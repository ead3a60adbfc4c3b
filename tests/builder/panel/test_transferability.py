"""The cascade forms the tier as if every surrogate had been asked about everything, and asks less."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from builder.panel.transferability import Ask, Case, Panel, ask_in_turn, eligible_families


@dataclass(frozen=True)
class Trial:
    """Cases with label 0: who is right on the originals, who votes what, and who is of which family."""

    families: list[str]
    is_right: list[list[bool]]
    votes: list[list[int]]
    sources: list[int]
    order: list[int]
    min_fooled: float
    expensive: frozenset[int] = frozenset()

    @property
    def cases(self) -> list[Case]:
        """The cases as the panel takes them."""
        return [
            Case(
                label=0,
                source=source,
                eligible=eligible_families(self.families, source, [row[place] for row in self.is_right]),
            )
            for place, source in enumerate(self.sources)
        ]

    @property
    def panel(self) -> Panel:
        """The panel of the trial."""
        return Panel(
            ask={number: self._asker(number) for number in range(len(self.families))},
            families=self.families,
            order=self.order,
            expensive=self.expensive,
            min_fooled=self.min_fooled,
        )

    def _asker(self, number: int) -> Ask:
        return lambda places: [self.votes[number][place] for place in places]

    def transfer(self, place: int) -> Fraction | None:
        """Return the share of fooled families by the definition, every surrogate asked."""
        members: dict[str, list[bool]] = {}
        for number, family in enumerate(self.families):
            if family != self.families[self.sources[place]] and self.is_right[number][place]:
                members.setdefault(family, []).append(self.votes[number][place] != 0)
        if len(members) < 2:
            return None
        return Fraction(sum(all(fooled) for fooled in members.values()), len(members))

    def is_transferable(self, place: int) -> bool:
        """Return whether the case is in the tier by the definition."""
        transfer = self.transfer(place)
        is_fooled = self.votes[self.sources[place]][place] != 0
        return is_fooled and transfer is not None and transfer >= Fraction(repr(self.min_fooled))


@st.composite
def trials(draw: st.DrawFn) -> Trial:
    """Return any trial of up to six surrogates."""
    n_surrogates, n_cases = draw(st.integers(1, 6)), draw(st.integers(0, 10))

    def table(values: st.SearchStrategy[int]) -> list[list[int]]:
        row = st.lists(values, min_size=n_cases, max_size=n_cases)
        return draw(st.lists(row, min_size=n_surrogates, max_size=n_surrogates))

    numbers = st.integers(0, n_surrogates - 1)
    return Trial(
        families=draw(st.lists(st.sampled_from("abcd"), min_size=n_surrogates, max_size=n_surrogates)),
        is_right=[[bool(each) for each in row] for row in table(st.integers(0, 1))],
        votes=table(st.integers(0, 2)),
        sources=draw(st.lists(numbers, min_size=n_cases, max_size=n_cases)),
        order=draw(st.permutations(range(n_surrogates))),
        min_fooled=draw(st.sampled_from([0.0, 0.3, 0.5, 0.6, 1.0])),
        expensive=frozenset(draw(st.sets(numbers))),
    )


def voted(trial: Trial) -> Sequence[Case]:
    """Return the cases after the panel was asked."""
    cases = trial.cases
    ask_in_turn(trial.panel, cases)
    return cases


@given(trials())
def test_the_tier_is_that_of_the_definition(trial: Trial) -> None:
    """Whoever is expensive, and in whatever order surrogates are asked."""
    for place, case in enumerate(voted(trial)):
        assert case.is_transferable(trial.min_fooled) == trial.is_transferable(place)
        assert case.source_fooled == (trial.votes[trial.sources[place]][place] != 0)


@given(trials())
def test_a_transfer_that_is_stored_is_the_whole_one(trial: Trial) -> None:
    """It is null rather than a share among those who happened to be asked."""
    for place, case in enumerate(voted(trial)):
        assert case.transfer in {None, trial.transfer(place)}
    for place, case in enumerate(voted(replace(trial, expensive=frozenset()))):
        assert case.transfer == trial.transfer(place)


@given(trials())
def test_cheap_surrogates_and_the_source_always_vote(trial: Trial) -> None:
    """Only expensive ones are left out, and only where the case is in no tier or they do not count."""
    for place, case in enumerate(voted(trial)):
        for number in range(len(trial.families)):
            if number not in trial.expensive or number == trial.sources[place]:
                assert case.votes[number] == trial.votes[number][place]
            elif number not in case.votes and case.is_transferable(trial.min_fooled):
                assert all(number not in members for members in case.eligible.values())


@given(trials(), st.data())
def test_another_expensive_surrogate_changes_no_other_vote_of_a_cheap_one(
    trial: Trial, data: st.DataObject
) -> None:
    """What is stored of the cheap ones is the same with and without it."""
    new = len(trial.families)
    n_cases = len(trial.sources)
    wider = replace(
        trial,
        families=[*trial.families, data.draw(st.sampled_from("abcde"))],
        is_right=[*trial.is_right, data.draw(st.lists(st.booleans(), min_size=n_cases, max_size=n_cases))],
        votes=[*trial.votes, data.draw(st.lists(st.integers(0, 2), min_size=n_cases, max_size=n_cases))],
        order=[*trial.order, new],
        expensive=trial.expensive | {new},
    )
    cheap = set(range(new)) - trial.expensive
    for before, after in zip(voted(trial), voted(wider), strict=True):
        assert {n: before.votes[n] for n in cheap} == {n: after.votes[n] for n in cheap}


def test_a_family_resists_when_one_of_its_right_members_does() -> None:
    """And a member that has the original wrong does not count."""
    trial = Trial(
        families=["words", "words", "characters", "encoder"],
        is_right=[[True], [True], [True], [True]],
        votes=[[0], [1], [1], [1]],
        sources=[3],
        order=[0, 1, 2, 3],
        min_fooled=1.0,
    )
    assert voted(trial)[0].transfer == Fraction(1, 2)
    without = replace(trial, is_right=[[False], [True], [True], [True]])
    assert voted(without)[0].transfer == 1


def test_two_families_beside_the_source_are_needed() -> None:
    """One family that agrees shows little: the row is in no tier."""
    trial = Trial(
        families=["words", "characters"],
        is_right=[[True], [True]],
        votes=[[1], [1]],
        sources=[0],
        order=[0, 1],
        min_fooled=0.0,
    )
    (case,) = voted(trial)
    assert case.transfer is None
    assert not case.is_transferable(0.0)
