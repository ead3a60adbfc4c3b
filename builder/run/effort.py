"""Effort: about how many seconds units take on one core, so that people hear how long is left."""

from collections.abc import Mapping, Sequence

from builder.dimensions import DIMENSIONS
from builder.panel.selecting import Selection
from builder.surrogates.surrogates import Prepared
from builder.units.units import CaseUnit, JuryUnit, ScreenUnit, Unit, VoteUnit
from contract.schema.manifest import Level

# By level, for a sample at seven degrees, about as the reference releases took (`hardfrost info --timings`):
# seconds for random cases, seconds for a search, and texts about which it asks its source.
_RANDOM: Mapping[Level, float] = {"char": 0.02, "word": 0.14, "sentence": 0.6}
_SEARCH: Mapping[Level, float] = {"char": 0.07, "word": 0.1, "sentence": 0.2}
_TEXTS_A_SEARCH: Mapping[Level, int] = {"char": 50, "word": 5, "sentence": 5}
_TEXTS_A_HEARING = 5
_SCREEN = 0.003
_FREEZE = 0.001


class Effort:
    """Knows what a text costs each surrogate."""

    def __init__(self, surrogates: Sequence[Prepared]) -> None:
        # By the hash of the weights, in seconds.
        self._costs = {each.info.weights_sha256: each.cost / 1e6 for each in surrogates}

    def of(self, *units: Unit) -> float:
        """Return about how many seconds the units take together."""
        return sum(map(self._of, units))

    def by_stage(
        self, cases: Sequence[CaseUnit], selections: Sequence[Selection], *, is_part: bool
    ) -> Mapping[str, float]:
        """Return about how many seconds each stage after the plan takes; a part of a build is not frozen."""
        judging = [unit for selection in selections for unit in selection.judging()]
        jury = [unit for selection in selections for unit in selection.jury()]
        found = {"perturb": self.of(*cases), "vote": self.of(*judging, *jury)}
        return found if is_part else {**found, "freeze": sum(_FREEZE * len(unit.samples) for unit in cases)}

    def _of(self, unit: Unit) -> float:
        match unit:
            case CaseUnit():
                return len(unit.samples) * self._of_case(unit)
            case VoteUnit(cases=cases, surrogate=surrogate):
                n_texts = len(cases.samples) * cases.n_cases * len(cases.degrees)
                return n_texts * self._costs[surrogate.sha256]
            case ScreenUnit():
                return len(unit.first.samples) * _SCREEN
            case JuryUnit():
                # What was made against one of them is known to it.
                source = unit.first.attack and unit.first.attack.source
                cost = sum(self._costs[each.sha256] for each in unit.asked if each != source)
                return len(unit.first.samples) * _TEXTS_A_HEARING * cost

    def _of_case(self, unit: CaseUnit) -> float:
        """Return about how many seconds a sample takes."""
        level = DIMENSIONS[unit.dimension].level
        if unit.attack is None:
            return _RANDOM[level]
        return _SEARCH[level] + _TEXTS_A_SEARCH[level] * self._costs[unit.attack.source.sha256]
