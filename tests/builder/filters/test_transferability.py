"""The cascade decides as if everybody had been asked about everything, and asks far less."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.filters.transferability import Case, Juror, Jury, Screened, screen

Ask = Callable[[Sequence[int]], list[int]]


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
    n_wanted: int = 100

    @property
    def cases(self) -> list[Case]:
        """The cases as the jury takes them."""
        rows = zip(self.sources, self.groups, self.texts, strict=True)
        return [
            Case(label=0, source=source, group=group, turn=(place,), text=text)
            for place, (source, group, text) in enumerate(rows)
        ]


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
        texts=list(range(n_cases)),
        n_wanted=draw(st.integers(1, 4)),
    )


def run(trial: Trial, asked: list[tuple[int, int]]) -> list[Screened]:
    """Screen a trial and note who was asked about what."""

    def ask_of(number: int) -> Ask:
        def ask(places: Sequence[int]) -> list[int]:
            asked.extend((number, place) for place in places)
            return [trial.votes[number][place] for place in places]

        return ask

    jurors = [Juror(is_right=right, ask=ask_of(number)) for number, right in enumerate(trial.is_right)]
    jury = Jury(jurors=jurors, order=trial.order, min_fooled=trial.min_fooled, n_wanted=trial.n_wanted)
    return screen(jury, trial.cases)


def transfer_of(trial: Trial, place: int) -> Fraction | None:
    """Return fooled ÷ eligible by definition; nothing where nobody is eligible."""
    others = [number for number in range(len(trial.votes)) if number != trial.sources[place]]
    eligible = [number for number in others if trial.is_right[number][place]]
    fooled = [number for number in eligible if trial.votes[number][place] != 0]
    return Fraction(len(fooled), len(eligible)) if eligible else None


@given(trials())
def test_verdicts_are_those_of_the_definition_whatever_the_order(trial: Trial) -> None:
    """Fooled ÷ eligible, the source fooled too; the first that pass fill the group; nobody is asked twice."""
    asked: list[tuple[int, int]] = []
    kept: Counter[int] = Counter()
    for place, verdict in enumerate(run(trial, asked)):
        transfer = transfer_of(trial, place)
        if trial.votes[trial.sources[place]][place] == 0:
            assert verdict.reason == "source-not-fooled"
        elif transfer is None:
            assert verdict.reason == "no-eligible-surrogate"
        elif kept[trial.groups[place]] == trial.n_wanted:
            assert verdict.reason == "enough-cases"
        elif transfer < Fraction(repr(trial.min_fooled)):
            assert verdict.reason == "not-transferable"
        else:
            assert verdict.reason is None
            assert verdict.transfer == pytest.approx(float(transfer), abs=1e-6)
            assert verdict.votes == tuple(votes[place] for votes in trial.votes)
            kept[trial.groups[place]] += 1
    assert len(asked) == len(set(asked))


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
    verdicts = run(trial, asked)
    assert [verdict.reason is None for verdict in verdicts] == [False, False, False, True]
    assert [pair for pair in asked if pair[0]] == [(1, 1), (1, 2), (1, 3), (2, 3)]


def test_of_one_sample_no_more_cases_are_looked_at_than_are_wanted() -> None:
    """Five cases of two sources that all transfer, two wanted, two of one text: the jurors see two."""
    trial = Trial(
        is_right=[[True] * 5] * 3,
        votes=[[1] * 5] * 3,
        sources=[0, 1, 0, 1, 0],
        order=[0, 1, 2],
        min_fooled=1.0,
        groups=[7] * 5,
        texts=[3, 3, 4, 5, 6],
        n_wanted=2,
    )
    asked: list[tuple[int, int]] = []
    reasons = [verdict.reason for verdict in run(trial, asked)]
    assert reasons == [None, "duplicate", None, "enough-cases", "enough-cases"]
    assert [place for number, place in asked if number == 2] == [0, 2]
