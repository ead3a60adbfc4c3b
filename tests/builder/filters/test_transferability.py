"""The cascade decides as if everybody had been asked about everything, and asks far less."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.filters.transferability import Juror, Jury, Screened, screen

Ask = Callable[[Sequence[int]], list[int]]


@dataclass(frozen=True)
class Trial:
    """Cases with label 0: who is right on the originals, and what each surrogate votes."""

    is_right: list[list[bool]]
    votes: list[list[int]]
    source: int
    order: list[int]
    min_fooled: float


@st.composite
def trials(draw: st.DrawFn) -> Trial:
    """Return any trial of up to five surrogates."""
    n_jurors, n_cases = draw(st.integers(1, 5)), draw(st.integers(0, 12))

    def table(values: st.SearchStrategy[int]) -> list[list[int]]:
        row = st.lists(values, min_size=n_cases, max_size=n_cases)
        return draw(st.lists(row, min_size=n_jurors, max_size=n_jurors))

    return Trial(
        is_right=[[bool(each) for each in row] for row in table(st.integers(0, 1))],
        votes=table(st.integers(0, 2)),
        source=draw(st.integers(0, n_jurors - 1)),
        order=draw(st.permutations(range(n_jurors))),
        min_fooled=draw(st.sampled_from([0.0, 0.3, 0.5, 0.6, 1.0])),
    )


def run(trial: Trial, asked: list[tuple[int, int]]) -> list[Screened]:
    """Screen a trial and note who was asked about what."""

    def ask_of(number: int) -> Ask:
        def ask(places: Sequence[int]) -> list[int]:
            asked.extend((number, place) for place in places)
            return [trial.votes[number][place] for place in places]

        return ask

    jurors = [Juror(is_right=right, ask=ask_of(number)) for number, right in enumerate(trial.is_right)]
    jury = Jury(jurors=jurors, source=trial.source, order=trial.order, min_fooled=trial.min_fooled)
    return screen(jury, [0] * len(trial.votes[0]))


def transfer_of(trial: Trial, place: int) -> Fraction | None:
    """Return fooled ÷ eligible by definition; nothing where nobody is eligible."""
    others = [number for number in range(len(trial.votes)) if number != trial.source]
    eligible = [number for number in others if trial.is_right[number][place]]
    fooled = [number for number in eligible if trial.votes[number][place] != 0]
    return Fraction(len(fooled), len(eligible)) if eligible else None


@given(trials())
def test_verdicts_are_those_of_the_definition_whatever_the_order(trial: Trial) -> None:
    """Fooled ÷ eligible, the source fooled too; nobody is asked twice."""
    asked: list[tuple[int, int]] = []
    for place, verdict in enumerate(run(trial, asked)):
        transfer = transfer_of(trial, place)
        if trial.votes[trial.source][place] == 0:
            assert verdict.reason == "source-not-fooled"
        elif transfer is None:
            assert verdict.reason == "no-eligible-surrogate"
        elif transfer < Fraction(repr(trial.min_fooled)):
            assert verdict.reason == "not-transferable"
        else:
            assert verdict.reason is None
            assert verdict.transfer == pytest.approx(float(transfer), abs=1e-6)
            assert verdict.votes == tuple(votes[place] for votes in trial.votes)
    assert len(asked) == len(set(asked))


def test_the_next_surrogate_is_asked_only_about_survivors() -> None:
    """Four cases: one does not fool the source, two not the cheap juror, one all three."""
    trial = Trial(
        is_right=[[True] * 4] * 3,
        votes=[[0, 1, 1, 1], [1, 0, 0, 1], [1, 1, 1, 1]],
        source=0,
        order=[0, 1, 2],
        min_fooled=1.0,
    )
    asked: list[tuple[int, int]] = []
    verdicts = run(trial, asked)
    assert [verdict.reason is None for verdict in verdicts] == [False, False, False, True]
    assert [pair for pair in asked if pair[0]] == [(1, 1), (1, 2), (1, 3), (2, 3)]
