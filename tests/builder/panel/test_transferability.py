"""The cascade decides as if every surrogate had been asked about everything, and asks far less."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from builder.panel.transferability import Ask, Case, Panel, decide
from contract.schema.drop_reasons import (
    DUPLICATE,
    ENOUGH_CASES,
    NO_ELIGIBLE_SURROGATE,
    NOT_TRANSFERABLE,
    SOURCE_NOT_FOOLED,
)


@dataclass(frozen=True)
class Trial:
    """Cases with label 0: which surrogates are right on the originals, and what each surrogate votes."""

    is_right: list[list[bool]]
    votes: list[list[int]]
    sources: list[int]
    order: list[int]
    min_fooled: float
    groups: list[int]
    texts: list[int]
    expensive: frozenset[int] = frozenset()
    n_wanted: int = 100

    @property
    def cases(self) -> list[Case]:
        """The cases as the panel takes them."""
        rows = zip(self.sources, self.groups, self.texts, strict=True)
        return [
            Case(
                label=0,
                source=source,
                group=group,
                turn=(place,),
                text=(str(text), None),
                eligible=self.eligible(place),
            )
            for place, (source, group, text) in enumerate(rows)
        ]

    def eligible(self, place: int) -> list[int]:
        """Return the other surrogates that are right on the original."""
        return [n for n in self.order if n != self.sources[place] and self.is_right[n][place]]

    def transfer(self, place: int, numbers: Sequence[int]) -> Fraction:
        """Return the share of eligible ones that are fooled, or are not among these."""
        eligible = self.eligible(place)
        n_resisting = sum(self.votes[n][place] == 0 for n in eligible if n in numbers)
        return 1 - Fraction(n_resisting, len(eligible))


@st.composite
def trials(draw: st.DrawFn) -> Trial:
    """Return any trial of up to five surrogates."""
    n_surrogates, n_cases = draw(st.integers(1, 5)), draw(st.integers(0, 12))

    def table(values: st.SearchStrategy[int]) -> list[list[int]]:
        row = st.lists(values, min_size=n_cases, max_size=n_cases)
        return draw(st.lists(row, min_size=n_surrogates, max_size=n_surrogates))

    def row(values: st.SearchStrategy[int]) -> list[int]:
        return draw(st.lists(values, min_size=n_cases, max_size=n_cases))

    return Trial(
        is_right=[[bool(each) for each in row] for row in table(st.integers(0, 1))],
        votes=table(st.integers(0, 2)),
        sources=row(st.integers(0, n_surrogates - 1)),
        order=draw(st.permutations(range(n_surrogates))),
        min_fooled=draw(st.sampled_from([0.0, 0.3, 0.5, 0.6, 1.0])),
        groups=row(st.integers(0, 2)),
        texts=row(st.integers(0, 20)),
        expensive=frozenset(draw(st.sets(st.integers(0, n_surrogates - 1)))),
        n_wanted=draw(st.integers(1, 4)),
    )


def panel_of(trial: Trial, asked: list[tuple[int, int]]) -> Panel:
    """Return the panel of a trial, which notes which surrogate was asked about what."""

    def ask_of(number: int) -> Ask:
        def ask(places: Sequence[int]) -> list[int]:
            asked.extend((number, place) for place in places)
            return [trial.votes[number][place] for place in places]

        return ask

    return Panel(
        ask={number: ask_of(number) for number in trial.order},
        order=trial.order,
        expensive=trial.expensive,
        min_fooled=trial.min_fooled,
        n_wanted=trial.n_wanted,
    )


def run(trial: Trial, asked: list[tuple[int, int]]) -> list[Case]:
    """Decide on the cases of a trial, and note which surrogate was asked about what."""
    cases = trial.cases
    decide(panel_of(trial, asked), cases)
    return cases


@given(trials())
def test_decisions_are_those_of_the_definition_whatever_the_order(trial: Trial) -> None:
    """Fooled ÷ eligible, the source fooled too; the first that pass fill a group; no question comes twice."""
    asked: list[tuple[int, int]] = []
    kept: Counter[int] = Counter()
    seen: set[tuple[int, int]] = set()
    least = Fraction(repr(trial.min_fooled))
    cheap = [number for number in trial.order if number not in trial.expensive]
    for place, case in enumerate(run(trial, asked)):
        group, text = trial.groups[place], trial.texts[place]
        if trial.votes[trial.sources[place]][place] == 0:
            assert case.reason is SOURCE_NOT_FOOLED
            continue
        if not trial.eligible(place):
            assert case.reason is NO_ELIGIBLE_SURROGATE
            continue
        if (group, text) in seen:
            assert case.reason is DUPLICATE
        elif trial.transfer(place, cheap) < least:
            assert case.reason is NOT_TRANSFERABLE
        elif kept[group] == trial.n_wanted:
            assert case.reason is ENOUGH_CASES
        elif trial.transfer(place, trial.order) < least:
            assert case.reason is NOT_TRANSFERABLE
        else:
            assert case.reason is None
            assert case.best_transfer == trial.transfer(place, trial.order)
            assert case.votes == {number: votes[place] for number, votes in enumerate(trial.votes)}
            kept[group] += 1
        seen.add((group, text))
    assert len(asked) == len(set(asked))


@given(trials(), st.permutations(range(3)))
def test_a_group_fares_the_same_in_any_company(trial: Trial, order: list[int]) -> None:
    """Groups may be decided one by one, in any order; no surrogate is asked more for it."""
    together: list[tuple[int, int]] = []
    expected = run(trial, together)
    alone: list[tuple[int, int]] = []
    cases = trial.cases
    for group in order:
        members = [place for place in range(len(cases)) if trial.groups[place] == group]
        panel = panel_of(trial, alone)
        asks = {
            n: lambda places, ask=ask, members=members: ask([members[p] for p in places])
            for n, ask in panel.ask.items()
        }
        decide(replace(panel, ask=asks), [cases[place] for place in members])
    assert cases == expected
    assert sorted(alone) == sorted(together)


def test_the_next_surrogate_is_asked_only_about_survivors() -> None:
    """Four cases: one does not fool the source, two not the cheap surrogate, one all three."""
    trial = Trial(
        is_right=[[True] * 4] * 3,
        votes=[[0, 1, 1, 1], [1, 0, 0, 1], [1, 1, 1, 1]],
        sources=[0] * 4,
        order=[0, 1, 2],
        min_fooled=1.0,
        groups=[0] * 4,
        texts=list(range(4)),
    )
    asked: list[tuple[int, int]] = []
    cases = run(trial, asked)
    assert [case.reason is None for case in cases] == [False, False, False, True]
    assert [pair for pair in asked if pair[0]] == [(1, 1), (1, 2), (1, 3), (2, 3)]


def test_of_one_sample_an_expensive_surrogate_sees_no_more_cases_than_are_wanted() -> None:
    """Five cases of two sources that all transfer, two wanted, two of one text: the last one sees two."""
    trial = Trial(
        is_right=[[True] * 5] * 3,
        votes=[[1] * 5] * 3,
        sources=[0, 1, 0, 1, 0],
        order=[0, 1, 2],
        min_fooled=1.0,
        groups=[7] * 5,
        texts=[3, 3, 4, 5, 6],
        expensive=frozenset([2]),
        n_wanted=2,
    )
    asked: list[tuple[int, int]] = []
    reasons = [case.reason for case in run(trial, asked)]
    assert reasons == [None, DUPLICATE, None, ENOUGH_CASES, ENOUGH_CASES]
    assert [place for number, place in asked if number == 2] == [0, 2]
