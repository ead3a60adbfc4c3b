"""Select: the rows of a split from finished units, with the surrogates' votes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from builder.panel.label_balance import LEANING
from builder.panel.scheduling import Hearing, Verdict
from builder.searches.search import DegreeCounts
from builder.units.store import PLACE, Shelf
from builder.units.units import CaseUnit, JuryUnit, ScreenUnit, VoteUnit, Weights
from contract.schema.manifest import AttackInfo, QueriesInfo, TaskInfo
from contract.schema.records import COLUMNS, SCHEMA


class Selection:
    """The finished units of one task, dimension and setting, and who judged their cases.

    Workers that write splits are sent it, so it holds no rows: they stay in files until they are read.
    """

    def __init__(
        self,
        task: TaskInfo,
        units: Sequence[CaseUnit],
        surrogates: Sequence[Weights],
        shelf: Shelf,
        *,
        late: Sequence[str],
        min_fooled: float,
        max_lean: float,
    ) -> None:
        self.task = task
        self.dimension = units[0].dimension
        self.setting = units[0].setting
        self.degrees = units[0].degrees
        self._surrogates = tuple(surrogates)
        self._shelf = shelf
        # Units of the same samples, one for each source.
        parts: dict[str, list[CaseUnit]] = {}
        for unit in units:
            parts.setdefault(unit.samples[0].id, []).append(unit)
        self._parts = list(parts.values())
        self._screened = [
            ScreenUnit(
                cases=tuple(part), surrogates=self._surrogates, late=tuple(late), min_fooled=min_fooled
            )
            for part in self._parts
            if part[0].attack is not None
        ]
        # None for random cases: votes on them are noted, and drop none.
        self.hearing = Hearing(self._screened, shelf, max_lean=max_lean) if self._screened else None

    def judging(self) -> Iterator[VoteUnit | ScreenUnit]:
        """Yield the units that ask surrogates about all cases; whom attacks must also fool is heard later."""
        yield from self._screened
        if self.hearing is None:
            for part in self._parts:
                yield from (VoteUnit(cases=part[0], surrogate=each) for each in self._surrogates)

    def jury(self) -> list[JuryUnit]:
        """Return the units that would hear all that is left; most builds hear less."""
        return [] if self.hearing is None else self.hearing.whole()

    def tally(self, degree: float) -> DegreeCounts:
        """Return what became of a degree's samples and candidates; each sample is counted once."""
        total = DegreeCounts()
        for part in self._parts:
            for number, unit in enumerate(part):
                tally = self._shelf.tallies(unit)[degree]
                total.add(replace(tally, n_samples=0, n_carrying=0) if number else tally)
        return total

    def attacks(self, degree: float) -> dict[str, AttackInfo]:
        """Return how often each source was fooled at a degree, before any filter."""
        found: dict[str, AttackInfo] = {}
        for unit in self._units():
            if unit.attack is None:
                continue
            tally = self._shelf.tallies(unit)[degree]
            before = found.get(unit.attack.source.name, AttackInfo(n_attacked=0, n_fooled=0))
            found[unit.attack.source.name] = AttackInfo(
                n_attacked=before.n_attacked + tally.n_attacked, n_fooled=before.n_fooled + tally.n_fooled
            )
        return found

    def queries(self) -> Iterator[QueriesInfo]:
        """Yield what each surrogate was asked for these cases; votes on random cases are not counted."""
        if self.hearing is None:
            return
        search: Counter[str] = Counter()
        for unit in self._units():
            if unit.attack is not None:
                search[unit.attack.source.name] += self._shelf.n_queries(unit)
                if unit.attack.screener is not None:
                    search[unit.attack.screener.name] += self._shelf.n_screener_queries(unit)
        screening = self.hearing.n_asked()
        for each in self._surrogates:
            yield QueriesInfo(
                task=self.task.name,
                dimension=self.dimension,
                setting=self.setting,
                surrogate=each.name,
                n_search=search[each.name],
                n_screening=screening[each.name],
            )

    def tables(self, degree: float, dropped: Counter[str]) -> Iterator[pa.Table]:
        """Yield the rows of a degree, and count what is left out only now."""
        if self.hearing is None:
            for part in self._parts:
                yield self._voted(part[0], degree)
            return
        kept = pa.array(sorted(self.hearing.kept(degree)), pa.string())
        for number, part in enumerate(self._parts):
            passed = self._transferable(part, self.hearing.verdicts(number, degree), degree, dropped)
            balanced_rows = passed.filter(pc.is_in(passed["sample_id"], kept))
            dropped[LEANING] += passed.num_rows - balanced_rows.num_rows
            yield balanced_rows

    def _voted(self, unit: CaseUnit, degree: float) -> pa.Table:
        """Return all cases, each with the surrogates' votes on it."""
        cases = self._shelf.cases(unit, degree)
        places = cases[PLACE.name].to_numpy()
        votes = np.empty((len(places), len(self._surrogates)), np.int32)
        for number, surrogate in enumerate(self._surrogates):
            votes[:, number] = self._shelf.votes(VoteUnit(cases=unit, surrogate=surrogate))[places]
        return _with(cases.select(COLUMNS), surrogate_predictions=votes.tolist())

    def _transferable(
        self, part: Sequence[CaseUnit], verdicts: Mapping[int, Verdict], degree: float, dropped: Counter[str]
    ) -> pa.Table:
        """Return the cases that passed, sample by sample."""
        order = {sample.id: place for place, sample in enumerate(part[0].samples)}
        passed = []
        first = 0
        for unit in part:
            cases = self._shelf.cases(unit, degree)
            own = [verdicts[first + place] for place in cases[PLACE.name].to_pylist()]
            dropped.update(verdict.reason for verdict in own if verdict.reason is not None)
            stays = [verdict for verdict in own if verdict.reason is None]
            passed.append(
                _with(
                    cases.select(COLUMNS).filter(
                        pa.array([verdict.reason is None for verdict in own], pa.bool_())
                    ),
                    surrogate_predictions=[verdict.votes for verdict in stays],
                    transfer=[verdict.transfer for verdict in stays],
                )
            )
            first += self._shelf.n_rows(unit)
        found = pa.concat_tables(passed)
        samples, cases = found["sample_id"].to_pylist(), found["case"].to_pylist()
        rows = sorted(range(len(found)), key=lambda row: (order[samples[row]], cases[row]))
        return found.take(pa.array(rows, pa.int64()))

    def _units(self) -> Iterator[CaseUnit]:
        return (unit for part in self._parts for unit in part)


def _with(rows: pa.Table, **columns: Sequence[object]) -> pa.Table:
    """Return the rows with other values in some columns."""
    for name, values in columns.items():
        place = rows.schema.get_field_index(name)
        rows = rows.set_column(place, SCHEMA.field(name), pa.array(values, SCHEMA.field(name).type))
    return rows
