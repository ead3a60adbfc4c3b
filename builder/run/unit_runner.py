"""Runs units through an engine, stores their results and reports progress."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from builder.engines.engine import Pool
from builder.run.effort import Effort
from builder.run.execute_unit import execute_unit
from builder.run.workspace import check_room_for
from builder.units.store import UnitStore
from builder.units.units import CaseUnit, PanelUnit, Unit, VoteUnit
from contract.machine.progress import KNOWN, QUESTIONS, Progress
from contract.schema.timings import Timing

UnitT = TypeVar("UnitT", bound=Unit)


@dataclass(frozen=True, kw_only=True)
class UnitRunner:
    """Runs units through an engine, stores their results and reports progress."""

    store: UnitStore
    # Where the release will be.
    out: Path
    pool: Pool
    progress: Progress
    # Whether finished units are done again.
    is_fresh: bool = False
    timings: list[Timing] = field(default_factory=list)
    # The keys of the units that this build has done.
    done: set[str] = field(default_factory=set)

    def todo(self, units: Sequence[UnitT]) -> list[UnitT]:
        """Return the units that are not done, and report those whose files are spoilt."""
        states = {unit.key: self._state(unit) for unit in units}
        todo = [unit for unit in units if states[unit.key] != "done"]
        for unit in todo:
            if states[unit.key] == "spoilt":
                self.progress.say(
                    f"{unit.title}: its file in the cache is not what was written; it is made again"
                )
        return todo

    def make_cases(self, units: Sequence[CaseUnit], effort: Effort) -> None:
        """Perturb, measure and filter."""
        # Units without a source go first: attacks then find what these have proposed and embedded.
        in_order = sorted(units, key=lambda unit: unit.attack is not None)
        self._run("perturb", units, in_order, effort)

    def ask_surrogates(self, units: Sequence[VoteUnit | PanelUnit], effort: Effort) -> None:
        """Ask surrogates for their votes on the cases."""
        self._run("vote", units, units, effort)

    def _run(self, stage: str, units: Sequence[UnitT], in_order: Sequence[UnitT], effort: Effort) -> None:
        """Do the units that are not in the store; every unit's timing is noted in the order of the plan."""
        todo = self.todo(in_order)
        self.progress.stage(stage, len(units), len(units) - len(todo), effort.of(*todo))
        check_room_for(todo, self.store, self.out)
        counted = "cases" if stage == "perturb" else "votes"
        # A worker that has made the proposals of a batch makes all its attacks: proposals stay in memory.
        for unit, timing in self.pool.run(partial(execute_unit, store=self.store), todo, batch_of):
            self.done.add(unit.key)
            self.progress.count(
                {counted: timing.n_rows, QUESTIONS: timing.n_questions, KNOWN: timing.n_known}
            )
            self.progress.step(effort=effort.of(unit))
        self.timings.extend(map(self.store.timing, units))

    def _state(self, unit: Unit) -> str:
        if unit.key in self.done:
            return "done"
        return "missing" if self.is_fresh else self.store.state(unit)


def batch_of(unit: Unit) -> tuple[str, str, str]:
    """Return what units share that begin with the same proposals or rewrites, in whichever setting."""
    return unit.first.task, unit.first.dimension, unit.first.samples[0].id
