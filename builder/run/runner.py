"""Work: do the units that are not yet on the shelf, and say how far it is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeVar

from builder.engines.engine import Pool
from builder.panel.scheduling import Hearing
from builder.panel.selecting import Selection
from builder.run.effort import Effort
from builder.run.workspace import check_room_for
from builder.units.store import Shelf
from builder.units.units import CaseUnit, JuryUnit, Unit
from contract.machine.progress import KNOWN, QUESTIONS, Progress

UnitT = TypeVar("UnitT", bound=Unit)


@dataclass(frozen=True, kw_only=True)
class Work:
    """Who does units, where they are kept, and who is told."""

    shelf: Shelf
    # Where the release will be.
    out: Path
    pool: Pool
    progress: Progress
    effort: Effort
    # Whether finished units are done again.
    is_fresh: bool = False

    def perturb(self, units: Sequence[CaseUnit]) -> None:
        """Make the cases."""
        todo = self._todo(units)
        self.progress.stage("perturb", len(units), len(units) - len(todo), self.effort.of(*todo))
        for unit in self._do(todo):
            self.progress.step(effort=self.effort.of(unit))

    def judge(self, selections: Sequence[Selection], *, is_part: bool) -> list[Unit]:
        """Ask surrogates about the cases and return the units that did; a part does not know the others."""
        units: list[Unit] = [unit for selection in selections for unit in selection.judging()]
        hearings = [selection.hearing for selection in selections if selection.hearing is not None]
        whole = [unit for selection in selections for unit in selection.jury()]
        todo = self._todo(units)
        # Not all will be heard, and in several waves: it counts as if it were all and once.
        to_hear = self.effort.of(*whole)
        self.progress.stage(
            "vote", len(units) + len(whole), len(units) - len(todo), self.effort.of(*todo) + to_hear
        )
        for unit in self._do(todo):
            self.progress.step(effort=self.effort.of(unit))
        n_steps = n_heard = n_all = 0
        for wave in [whole] if is_part else _waves(hearings):
            n_all = n_all or sum(hearing.n_waiting for hearing in hearings) or len(whole)
            for unit in self._done(wave):
                n_heard += 1 if unit.groups is None else len(unit.groups)
                n = len(whole) * n_heard // n_all - n_steps
                n_steps += n
                self.progress.step(n, to_hear * n / len(whole))
            units += wave
        n = len(whole) - n_steps
        self.progress.step(n, to_hear * n / max(1, len(whole)))
        return units

    def _done(self, units: Sequence[JuryUnit]) -> Iterator[JuryUnit]:
        """Yield units as soon as they are done."""
        todo = self._todo(units)
        keys = {unit.key for unit in todo}
        return chain((unit for unit in units if unit.key not in keys), self._do(todo))

    def _todo(self, units: Sequence[UnitT]) -> list[UnitT]:
        """Return what is not done, and say what was done and is spoilt."""
        states = {unit.key: "missing" if self.is_fresh else self.shelf.state(unit) for unit in units}
        todo = [unit for unit in units if states[unit.key] != "done"]
        for unit in todo:
            if states[unit.key] == "spoilt":
                self.progress.say(
                    f"{unit.title}: its file in the cache is not what was written; it is made again"
                )
        return todo

    def _do(self, todo: Sequence[UnitT]) -> Iterator[UnitT]:
        """Yield each unit when it is done and its figures are counted."""
        check_room_for(todo, self.shelf, self.out)
        # What asks no source goes first: attacks then find in the cache what it has embedded.
        in_order = sorted(todo, key=lambda unit: isinstance(unit, CaseUnit) and unit.attack is not None)
        for unit, timing in self.pool.run(self.shelf.do, in_order):
            what = "cases" if isinstance(unit, CaseUnit) else "votes"
            self.progress.count({what: timing.n_rows, QUESTIONS: timing.n_questions, KNOWN: timing.n_known})
            yield unit


def _waves(hearings: Sequence[Hearing]) -> Iterator[list[JuryUnit]]:
    """Yield what all have to hear next."""
    waves = [hearing.waves() for hearing in hearings]
    while units := [unit for wave in waves for unit in next(wave, ())]:
        yield units
