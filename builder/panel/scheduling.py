"""Hear: bring before the surrogates that cost much only the samples that decide what a split keeps."""

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from builder.panel.label_balance import (
    ENOUGH_SAMPLES,
    FAILED,
    NOTHING,
    PASSED,
    WAITING,
    balanced,
    next_to_hear,
)
from builder.units.store import Shelf
from builder.units.units import JuryUnit, ScreenUnit

# At each degree, what is known of each sample.
Known = dict[float, NDArray[np.int8]]


class Verdict(NamedTuple):
    """What became of a case: a reason to drop it, or all surrogates' votes and the share that is fooled."""

    reason: str | None
    votes: Sequence[int] = ()
    transfer: float | None = None


class Hearing:
    """What was screened of one task, dimension and setting, and what is known of its samples."""

    def __init__(self, screened: Sequence[ScreenUnit], shelf: Shelf, *, max_lean: float) -> None:
        self._screened = screened
        self._shelf = shelf
        self._max_lean = max_lean
        parts = [unit.first.samples for unit in screened]
        # Where the samples of each part begin among all.
        self._firsts = [0, *accumulate(map(len, parts[:-1]))]
        self._labels = np.array([sample.label for part in parts for sample in part], np.int32)
        self._known: Known = {}
        # What was heard of each part.
        self._heard: list[list[JuryUnit]] = []

    @property
    def n_waiting(self) -> int:
        """How many samples and degrees may still have to be heard."""
        return sum(int((known == WAITING).sum()) for known in self._known.values())

    def waves(self) -> Iterator[list[JuryUnit]]:
        """Yield what is to be heard next; it must be done before more is asked for."""
        self._begin()
        while asked := self._next():
            units = dict(self._units(asked))
            for number, unit in units.items():
                self._heard[number].append(unit)
            yield list(units.values())
            for number, unit in units.items():
                self._learn(self._known, number, unit)

    def whole(self) -> list[JuryUnit]:
        """Return units that hear everything, for who has not all samples of a split."""
        return [JuryUnit(screened=unit, groups=None) for unit in self._screened if unit.late]

    def take_whole(self) -> None:
        """Take from units that heard everything what the waves would have heard."""
        self._begin()
        known = {degree: states.copy() for degree, states in self._known.items()}
        for number, unit in enumerate(self.whole()):
            self._heard[number] = [unit]
            self._learn(known, number, unit)
        while asked := self._next():
            for degree, places in asked.items():
                self._known[degree][places] = known[degree][places]

    def kept(self, degree: float) -> set[str]:
        """Return the samples of a degree that may stay, so that no label has too many."""
        passed = {
            sample.id: sample.label
            for number, unit in enumerate(self._screened)
            for sample, state in zip(unit.first.samples, self._states(number, degree), strict=True)
            if state == PASSED
        }
        return balanced(passed, self._labels.tolist(), self._max_lean)

    def verdicts(self, number: int, degree: float) -> dict[int, Verdict]:
        """Return the verdict on each case of a part and degree, by its place among all cases of the part."""
        unit = self._screened[number]
        screened = self._shelf.verdicts(unit, degree).to_pylist()
        found = {each["row"]: _verdict(each) for each in screened}
        if not unit.late:
            return found
        heard = self._heard_of(number, degree)
        for each in screened:
            if each["reason"] is None and each["sample_id"] not in heard:
                found[each["row"]] = Verdict(reason=ENOUGH_SAMPLES)
        for hearing in self._heard[number]:
            for each in self._shelf.verdicts(hearing, degree).to_pylist():
                if each["sample_id"] in heard:
                    found[each["row"]] = _verdict(each)
        return found

    def n_asked(self) -> Counter[str]:
        """Return about how many texts each surrogate was asked, those of each sample and degree by itself."""
        found: Counter[str] = Counter()
        for number, unit in enumerate(self._screened):
            found.update(self._shelf.n_screening_queries(unit))
            heard = {degree: self._heard_of(number, degree) for degree in self._known}
            for hearing in self._heard[number]:
                rows = self._shelf.outcomes(hearing, "asked").to_pylist()
                counted = (row for row in rows if row["sample_id"] in heard[row["degree"]])
                found.update(unit.surrogates[juror].name for row in counted for juror in row["asked"])
        return found

    def _begin(self) -> None:
        """Take up what was screened: without late surrogates it is decided."""
        self._known = {
            degree: np.full(len(self._labels), NOTHING, np.int8) for degree in self._screened[0].first.degrees
        }
        self._heard = [[] for _ in self._screened]
        for number, unit in enumerate(self._screened):
            rows = self._shelf.outcomes(unit, "reason")
            alive = rows.filter(pc.is_null(rows["reason"]))
            self._mark(self._known, number, alive, WAITING if unit.late else PASSED)

    def _next(self) -> dict[float, list[int]]:
        """Return the places of the samples to hear next at each degree that is not decided."""
        found = {
            degree: next_to_hear(self._labels, states, self._max_lean)
            for degree, states in self._known.items()
        }
        return {degree: places for degree, places in found.items() if places}

    def _units(self, asked: Mapping[float, Sequence[int]]) -> Iterator[tuple[int, JuryUnit]]:
        """Yield for each part that is concerned its number and the unit that hears it."""
        groups: dict[int, list[tuple[str, float]]] = defaultdict(list)
        for degree, places in asked.items():
            for place in places:
                number = bisect(self._firsts, place) - 1
                sample = self._screened[number].first.samples[place - self._firsts[number]]
                groups[number].append((sample.id, degree))
        for number, own in sorted(groups.items()):
            yield number, JuryUnit(screened=self._screened[number], groups=tuple(own))

    def _learn(self, known: Known, number: int, unit: JuryUnit) -> None:
        """Note who passed of a part's samples that were heard."""
        rows = self._shelf.outcomes(unit, "reason")
        self._mark(known, number, rows, FAILED)
        self._mark(known, number, rows.filter(pc.is_null(rows["reason"])), PASSED)

    def _mark(self, known: Known, number: int, rows: pa.Table, state: int) -> None:
        """Note the state of those of a part's samples that have one of these cases."""
        ids = pa.array([sample.id for sample in self._screened[number].first.samples], pa.string())
        for degree, states in known.items():
            own = rows.filter(pc.equal(rows["degree"], degree))["sample_id"]
            states[self._firsts[number] + np.flatnonzero(pc.is_in(ids, own.combine_chunks()))] = state

    def _heard_of(self, number: int, degree: float) -> set[str]:
        """Return those of a part's samples that were heard."""
        samples = self._screened[number].first.samples
        states = self._states(number, degree)
        return {sample.id for sample, state in zip(samples, states, strict=True) if state in {FAILED, PASSED}}

    def _states(self, number: int, degree: float) -> list[int]:
        first = self._firsts[number]
        states = self._known[degree][first : first + len(self._screened[number].first.samples)]
        return list(map(int, states))


def _verdict(row: Mapping[str, Any]) -> Verdict:
    return Verdict(reason=row["reason"], votes=row["votes"], transfer=row["transfer"])
