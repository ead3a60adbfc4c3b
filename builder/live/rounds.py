"""Rounds of an audit: a few samples in every dimension and setting, then more samples, until the time ends.

A round is a small audit of its own: some samples, as many of each label as there are, in all dimensions and
settings. So whenever the time ends, every figure is about the same samples: those of finished rounds. Only if
the first round does not end are the dimensions and settings that it has not reached left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.live.attacking import Attacker, AttackPlan
from builder.live.clock import Clock
from builder.live.model import OutOfTimeError
from builder.units.store import UnitStore
from builder.units.units import CaseUnit
from builder.values.samples import Sample
from contract.machine.errors import UserError
from contract.machine.progress import Progress
from contract.schema.manifest import Setting

# Sizes of rounds; the last one repeats. A small first one, so that a slow model has a whole round early.
SIZES = (16, 32, 64)

Cell = tuple[str, Setting]


@dataclass(frozen=True, kw_only=True)
class MadeRounds:
    """What the time sufficed for: the samples of finished rounds and the units of each cell."""

    samples: list[Sample]
    units: dict[Cell, list[CaseUnit]]
    not_reached: list[Cell]


def rounds_of(samples: Sequence[Sample]) -> Iterator[Sequence[Sample]]:
    """Yield the samples of each round."""
    start = number = 0
    while start < len(samples):
        size = SIZES[min(number, len(SIZES) - 1)]
        yield samples[start : start + size]
        start, number = start + size, number + 1


def make_rounds(
    plan: AttackPlan,
    samples: Sequence[Sample],
    attacker: Attacker,
    *,
    store: UnitStore,
    clock: Clock,
    progress: Progress,
) -> MadeRounds:
    """Make rounds until all are made or the time is over; units of earlier audits are used again."""
    rounds = list(rounds_of(samples))
    progress.stage("attack", len(rounds) * len(plan.cells))
    made: list[dict[Cell, CaseUnit]] = []
    try:
        for of_round in rounds:
            made.append({})
            for dimension, setting in plan.cells:
                unit = attacker.unit(of_round, dimension, setting)
                if not store.is_done(unit):
                    clock.check_for(dimension, setting, len(of_round))
                    timing = attacker.execute(unit)
                    clock.note(dimension, setting, n_samples=len(of_round), seconds=timing.seconds)
                    progress.count({"cases": timing.n_rows})
                clock.n_rows += store.n_rows(unit)
                made[-1][dimension, setting] = unit
                progress.step()
    except OutOfTimeError:
        pass
    return _finished(plan, rounds, made, clock)


def _finished(
    plan: AttackPlan, rounds: Sequence[Sequence[Sample]], made: Sequence[dict[Cell, CaseUnit]], clock: Clock
) -> MadeRounds:
    """Return the finished rounds; if there is none, what the first one has reached."""
    n_whole = sum(len(units) == len(plan.cells) for units in made)
    used = max(n_whole, 1)
    reached = list(made[0]) if made else []
    if not reached:
        raise UserError(
            f"the time budget of {clock.budget_seconds or 0:g} seconds did not suffice for one dimension on"
            f" {len(rounds[0])} samples; give more with --time-budget, or ask for fewer --dimensions"
        )
    return MadeRounds(
        samples=[sample for of_round in rounds[:used] for sample in of_round],
        units={cell: [units[cell] for units in made[:used]] for cell in reached},
        not_reached=[cell for cell in plan.cells if cell not in reached],
    )
