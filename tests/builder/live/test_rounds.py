"""Rounds of an audit: whenever the time ends, all figures are about the same samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from builder.live.attacking import Attacker, AttackPlan
from builder.live.clock import Clock
from builder.live.model import (
    FEWEST_BETWEEN_LOOKS,
    AuditedModel,
    OutOfTimeError,
    WatchedClassifier,
)
from builder.live.rounds import make_rounds, rounds_of
from builder.surrogates.surrogate_ref import SurrogateRef
from builder.tasks.task import Task
from builder.units.store import UnitStore
from builder.values.samples import Sample
from classifiers import KINDS
from classifiers.machinery.classifier import Probabilities, TextPair
from classifiers.machinery.inference import Inference
from contract.machine.errors import UserError
from contract.machine.progress import Silence
from contract.schema.manifest import OverlapInfo, TaskInfo

PLAN = AttackPlan(dimensions={"typo-general": (0.2,), "glyph-general": (0.2,)}, max_queries=20)
SAMPLES = [
    Sample(
        id=f"t-{number:05d}",
        text=f"the {'good' if number % 2 else 'bad'} story number {number} has ten words and nothing more",
        text_pair=None,
        label=number % 2,
    )
    for number in range(60)
]


class GoodOrBad:
    """Looks for one word."""

    cost = 1

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return near certainty where the word stands."""
        good = np.array([0.9 if "good" in text else 0.2 for text, _ in texts]).reshape(len(texts), 1)
        return np.hstack([1 - good, good])


@dataclass(kw_only=True)
class CountedClock(Clock):
    """A clock on which every unit takes one second."""

    n_units: int = 0

    def left(self) -> float:
        """Return the seconds left."""
        return float("inf") if self.budget_seconds is None else self.budget_seconds - self.n_units

    def note(self, dimension: str, setting: str, *, n_samples: int, seconds: float) -> None:
        """Count the unit."""
        self.n_units += 1


@pytest.fixture
def attacker(tmp_path: Path) -> Attacker:
    """Return an attacker of a small model, with a store of its own."""
    info = TaskInfo(
        name="t",
        labels=("bad", "good"),
        fields=("text",),
        source="file:t.csv",
        licence="none",
        n_samples=60,
        n_train=0,
    )
    overlap = OverlapInfo(task="t", training_source="file:t.csv", n_removed=0)
    task = Task(info=info, samples=SAMPLES, train=[], overlap=overlap)
    loaded = GoodOrBad()
    watched = WatchedClassifier(loaded, lambda: None)
    model = AuditedModel(
        kind=KINDS["guess"],
        loaded=loaded,
        watched=watched,
        inference=Inference(watched, "a" * 64, None),
        ref=SurrogateRef(name="model", kind="guess", sha256="a" * 64),
        clean_votes={},
    )
    return Attacker(PLAN, task, model, UnitStore(cache_path=tmp_path))


def test_rounds_are_small_first_and_cover_every_sample_once() -> None:
    """And any first few samples have all labels."""
    rounds = list(rounds_of(SAMPLES))
    assert [len(of_round) for of_round in rounds] == [16, 32, 12]
    assert [sample for of_round in rounds for sample in of_round] == SAMPLES


@pytest.mark.parametrize(
    ("budget", "n_samples", "not_reached"),
    [
        (None, 60, []),
        # One round of two dimensions and two settings, and part of the second.
        (6, 16, []),
        (8, 48, []),
        # Not even the first round.
        (3, 16, [("glyph-general", "live")]),
    ],
)
def test_only_finished_rounds_count(
    attacker: Attacker, tmp_path: Path, budget: float | None, n_samples: int, not_reached: list[object]
) -> None:
    """Of the first round, what was reached."""
    store = UnitStore(cache_path=tmp_path)
    clock = CountedClock(budget_seconds=budget)
    made = make_rounds(PLAN, SAMPLES, attacker, store=store, clock=clock, progress=Silence())
    assert made.samples == SAMPLES[:n_samples]
    assert made.not_reached == not_reached
    for units in made.units.values():
        assert [sample for unit in units for sample in unit.samples] == SAMPLES[:n_samples]


def test_a_second_audit_goes_on_where_the_first_one_ended(attacker: Attacker, tmp_path: Path) -> None:
    """What is finished takes no time again."""
    store = UnitStore(cache_path=tmp_path)
    first = CountedClock(budget_seconds=6)
    make_rounds(PLAN, SAMPLES, attacker, store=store, clock=first, progress=Silence())
    second = CountedClock(budget_seconds=6)
    made = make_rounds(PLAN, SAMPLES, attacker, store=store, clock=second, progress=Silence())
    assert (first.n_units, second.n_units) == (6, 6)
    assert len(made.samples) == 60


def test_no_time_at_all_is_refused_with_what_to_do(attacker: Attacker, tmp_path: Path) -> None:
    """There would be no figure."""
    store = UnitStore(cache_path=tmp_path)
    with pytest.raises(UserError, match="--time-budget"):
        make_rounds(
            PLAN, SAMPLES, attacker, store=store, clock=CountedClock(budget_seconds=0), progress=Silence()
        )


def test_a_model_is_asked_no_further_text_when_the_time_is_over() -> None:
    """An expensive one is asked a few first, with a look at the clock between."""

    class Slow(GoodOrBad):
        """Costs as much as an encoder."""

        cost = 10_000

    def check() -> None:
        if watched.n_asked:
            raise OutOfTimeError

    watched = WatchedClassifier(Slow(), check)
    with pytest.raises(OutOfTimeError):
        watched.probabilities([(f"text {number}", None) for number in range(100)])
    assert watched.n_asked == FEWEST_BETWEEN_LOOKS


def test_answers_stand_in_the_order_of_the_questions() -> None:
    """Though texts of equal length are asked together."""
    loaded = GoodOrBad()
    watched = WatchedClassifier(loaded, lambda: None)
    texts: list[TextPair] = [("good", None), ("a very long and bad text", None), ("so good", None)]
    assert watched.probabilities(texts).argmax(axis=1).tolist() == [1, 0, 1]


def test_where_coins_choose_words_there_is_no_live_attack() -> None:
    """Such a dimension is audited by random cases; others in both settings."""
    plan = AttackPlan(dimensions={"typo-general": (0.1,), "inner-shuffle": (0.2,)})
    assert plan.cells == [("typo-general", "rule"), ("inner-shuffle", "rule"), ("typo-general", "live")]
