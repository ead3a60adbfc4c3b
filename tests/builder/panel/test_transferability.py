"""The cascade decides as if everybody had been asked about everything, and asks far less."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from builder.panel.transferability import Ask, Case, Jury, settle, sift


@dataclass(frozen=True)
class Trial:
    """Cases with label 0: who is right on the originals, and what each surrogate votes."""

    is_right: list[list[bool]]
    votes: list[list[int]]
    sources: list[int]
    order: list[int]
    min_fooled: float
    groups: list[int]
    texts: list[int]
    late: frozenset[int] = frozenset()
    n_wanted: int = 100

    @property
    def cases(self) -> list[Case]:
        """The cases as the jury takes them."""
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
        """Who else is right on the original."""
        return [n for n in self.order if n != self.sources[place] and self.is_right[n][place]]

    def transfer(self, place: int, numbers: Sequence[int]) -> Fraction:
        """Return the share of eligible ones that are fooled, or are not among these."""
        eligible = self.eligible(place)
        n_resisting = sum(self.votes[n][place] == 0 for n in eligible if n in numbers)
        return 1 - Fraction(n_resisting, len(eligible))


@st.composite
def trials(draw: st.DrawFn) -> Trial:
    """Return any trial of up to five surrogates."""
    n_jurors, n_cases = draw(st.integers(1, 5)), draw(st.integers(0, 12))

    def table(values: st.SearchStrategy[int]) -> list[list[int]]:
        row = st.lists(values, min_size=n_cases, max_size=n_cases)
        return draw(st.lists(row, min_size=n_jurors, max_size=n_jurors))

    def row(values: st.SearchStrategy[int]) -> list[int]:
        return draw(st.lists(values, min_size=n_cases, max_size=n_cases))

    return Trial(
        is_right=[[bool(each) for each in row] for row in table(st.integers(0, 1))],
        votes=table(st.integers(0, 2)),
        sources=row(st.integers(0, n_jurors - 1)),
        order=draw(st.permutations(range(n_jurors))),
        min_fooled=draw(st.sampled_from([0.0, 0.3, 0.5, 0.6, 1.0])),
        groups=row(st.integers(0, 2)),
        texts=row(st.integers(0, 20)),
        late=frozenset(draw(st.sets(st.integers(0, n_jurors - 1)))),
        n_wanted=draw(st.integers(1, 4)),
    )


def jury_of(trial: Trial, asked: list[tuple[int, int]]) -> Jury:
    """Return the jury of a trial, which notes who was asked about what."""

    def ask_of(number: int) -> Ask:
        def ask(places: Sequence[int]) -> list[int]:
            asked.extend((number, place) for place in places)
            return [trial.votes[number][place] for place in places]

        return ask

    return Jury(
        ask={number: ask_of(number) for number in trial.order},
        order=trial.order,
        late=trial.late,
        min_fooled=trial.min_fooled,
        n_wanted=trial.n_wanted,
    )


def run(trial: Trial, asked: list[tuple[int, int]]) -> list[Case]:
    """Screen a trial and note who was asked about what."""
    cases = trial.cases
    jury = jury_of(trial, asked)
    sift(jury, cases)
    settle(jury, cases)
    return cases


@given(trials())
def test_verdicts_are_those_of_the_definition_whatever_the_order(trial: Trial) -> None:
    """Fooled ÷ eligible, the source fooled too; the first that pass fill the group; nobody is asked twice."""
    asked: list[tuple[int, int]] = []
    kept: Counter[int] = Counter()
    seen: set[tuple[int, int]] = set()
    least = Fraction(repr(trial.min_fooled))
    early = [number for number in trial.order if number not in trial.late]
    for place, case in enumerate(run(trial, asked)):
        group, text = trial.groups[place], trial.texts[place]
        if trial.votes[trial.sources[place]][place] == 0:
            assert case.reason == "source-not-fooled"
            continue
        if not trial.eligible(place):
            assert case.reason == "no-eligible-surrogate"
            continue
        if (group, text) in seen:
            assert case.reason == "duplicate"
        elif trial.transfer(place, early) < least:
            assert case.reason == "not-transferable"
        elif kept[group] == trial.n_wanted:
            assert case.reason == "enough-cases"
        elif trial.transfer(place, trial.order) < least:
            assert case.reason == "not-transferable"
        else:
            assert case.reason is None
            assert case.best_transfer == trial.transfer(place, trial.order)
            assert case.votes == {number: votes[place] for number, votes in enumerate(trial.votes)}
            kept[group] += 1
        seen.add((group, text))
    assert len(asked) == len(set(asked))


@given(trials(), st.permutations(range(3)))
def test_a_group_fares_the_same_in_any_company(trial: Trial, order: list[int]) -> None:
    """Groups may be settled one by one, in any order; nobody is asked more for it."""
    together: list[tuple[int, int]] = []
    expected = run(trial, together)
    alone: list[tuple[int, int]] = []
    cases = trial.cases
    sift(jury_of(trial, alone), cases)
    for group in order:
        own = [place for place in range(len(cases)) if trial.groups[place] == group]
        jury = jury_of(trial, alone)
        asks = {
            n: lambda places, ask=ask, own=own: ask([own[p] for p in places]) for n, ask in jury.ask.items()
        }
        settle(replace(jury, ask=asks), [cases[place] for place in own])
    assert cases == expected
    assert sorted(alone) == sorted(together)


def test_the_next_surrogate_is_asked_only_about_survivors() -> None:
    """Four cases: one does not fool the source, two not the cheap juror, one all three."""
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


def test_of_one_sample_who_costs_much_sees_no_more_cases_than_are_wanted() -> None:
    """Five cases of two sources that all transfer, two wanted, two of one text: the last juror sees two."""
    trial = Trial(
        is_right=[[True] * 5] * 3,
        votes=[[1] * 5] * 3,
        sources=[0, 1, 0, 1, 0],
        order=[0, 1, 2],
        min_fooled=1.0,
        groups=[7] * 5,
        texts=[3, 3, 4, 5, 6],
        late=frozenset([2]),
        n_wanted=2,
    )
    asked: list[tuple[int, int]] = []
    reasons = [case.reason for case in run(trial, asked)]
    assert reasons == [None, "duplicate", None, "enough-cases", "enough-cases"]
    assert [place for number, place in asked if number == 2] == [0, 2]
