"""Select: the rows of a split from finished units, with the surrogates' votes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from builder.filters.label_balance import LEANING, balanced
from builder.searches.search import Tally
from builder.shelf import Shelf
from builder.tasks import Task
from builder.units import CaseUnit, ScreenUnit, VoteUnit, Weights
from contract.manifest import AttackInfo, QueriesInfo
from contract.records import Record


class Selection:
    """The finished units of one task, dimension and setting, and who judged their cases."""

    def __init__(
        self,
        task: Task,
        units: Sequence[CaseUnit],
        surrogates: Sequence[Weights],
        shelf: Shelf,
        *,
        min_fooled: float,
        max_lean: float,
    ) -> None:
        self.task = task
        self.dimension = units[0].dimension
        self.setting = units[0].setting
        self.degrees = units[0].degrees
        self._surrogates = tuple(surrogates)
        self._min_fooled = min_fooled
        self._max_lean = max_lean
        self._shelf = shelf
        # Units of the same samples, one for each source.
        self._parts: dict[str, list[CaseUnit]] = {}
        for unit in units:
            self._parts.setdefault(unit.samples[0].id, []).append(unit)

    def judging(self) -> Iterator[VoteUnit | ScreenUnit]:
        """Yield the units that ask surrogates about the cases."""
        for part in self._parts.values():
            if part[0].attack is not None:
                yield self._screening(part)
            else:
                yield from (VoteUnit(cases=part[0], surrogate=each) for each in self._surrogates)

    def tally(self, degree: float) -> Tally:
        """Return what became of a degree's samples and candidates; each sample is counted once."""
        total = Tally()
        for part in self._parts.values():
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
        search: Counter[str] = Counter()
        screening: Counter[str] = Counter()
        units = [unit for unit in self._units() if unit.attack is not None]
        for unit in units:
            if unit.attack is not None:
                search[unit.attack.source.name] += self._shelf.n_queries(unit)
        for part in self._parts.values() if units else ():
            screening.update(self._shelf.n_screening_queries(self._screening(part)))
        for each in self._surrogates if units else ():
            yield QueriesInfo(
                task=units[0].task,
                dimension=units[0].dimension,
                setting=units[0].setting,
                surrogate=each.name,
                n_search=search[each.name],
                n_screening=screening[each.name],
            )

    def records(self, degree: float, dropped: Counter[str]) -> Iterator[Record]:
        """Yield the rows of a degree, and count what is left out only now."""
        if self.setting == "rule":
            for part in self._parts.values():
                yield from self._voted(part[0], degree)
            return
        kept = self._balanced(degree)
        for part in self._parts.values():
            for record in self._transferable(part, degree, dropped):
                if record.sample_id in kept:
                    yield record
                else:
                    dropped[LEANING] += 1

    def _balanced(self, degree: float) -> set[str]:
        """Return the samples of a degree that may stay, so that no label has too many."""
        labels: dict[str, int] = {}
        for part in self._parts.values():
            verdicts = self._shelf.verdicts(self._screening(part))
            first = 0
            for unit in part:
                labels |= {
                    sample: label
                    for place, sample, label in self._shelf.samples(unit, degree)
                    if verdicts[first + place].reason is None
                }
                first += self._shelf.n_rows(unit)
        samples = self.task.samples
        in_order = {sample.id: labels[sample.id] for sample in samples if sample.id in labels}
        return balanced(in_order, [sample.label for sample in samples], self._max_lean)

    def _voted(self, unit: CaseUnit, degree: float) -> Iterator[Record]:
        votes = [self._shelf.votes(VoteUnit(cases=unit, surrogate=each)) for each in self._surrogates]
        for place, record in self._shelf.records(unit, degree):
            yield replace(record, surrogate_predictions=tuple(of_one[place] for of_one in votes))

    def _transferable(
        self, part: Sequence[CaseUnit], degree: float, dropped: Counter[str]
    ) -> Iterator[Record]:
        """Yield the cases that passed, sample by sample."""
        verdicts = self._shelf.verdicts(self._screening(part))
        passed = []
        first = 0
        for unit in part:
            reasons = {
                place: verdicts[first + place].reason for place, *_ in self._shelf.samples(unit, degree)
            }
            dropped.update(reason for reason in reasons.values() if reason is not None)
            wanted = [place for place, reason in reasons.items() if reason is None]
            for place, record in self._shelf.records(unit, degree, wanted):
                verdict = verdicts[first + place]
                passed.append(replace(record, surrogate_predictions=verdict.votes, transfer=verdict.transfer))
            first += self._shelf.n_rows(unit)
        order = {sample.id: place for place, sample in enumerate(part[0].samples)}
        yield from sorted(passed, key=lambda record: (order[record.sample_id], record.case))

    def _units(self) -> Iterator[CaseUnit]:
        return (unit for part in self._parts.values() for unit in part)

    def _screening(self, part: Sequence[CaseUnit]) -> ScreenUnit:
        return ScreenUnit(cases=tuple(part), surrogates=self._surrogates, min_fooled=self._min_fooled)
