"""Estimates how many seconds units take on one core, so that progress can say how long is left."""

from collections.abc import Mapping, Sequence

from builder.dimensions import DIMENSIONS
from builder.surrogates.ready import ReadySurrogate
from builder.units.planning import Plan
from builder.units.units import CaseUnit, PanelUnit, Unit, VoteUnit
from contract.schema.manifest import Level

# By level, for a sample at seven degrees, about as the reference releases took (`hardfrost info --timings`):
# seconds for random cases, seconds for a search, and texts about which it asks its source.
_RANDOM: Mapping[Level, float] = {"char": 0.02, "word": 0.14, "sentence": 0.6}
_SEARCH: Mapping[Level, float] = {"char": 0.07, "word": 0.1, "sentence": 0.2}
_TEXTS_A_SEARCH: Mapping[Level, int] = {"char": 50, "word": 5, "sentence": 5}
# For the attacked cases of a sample: texts that each expensive surrogate is asked, and seconds for the rest.
_TEXTS_A_PANEL = 5
_CHEAP_PANEL = 0.003
_FREEZE = 0.001


class Effort:
    """Estimates seconds from what a text costs each surrogate."""

    def __init__(self, surrogates: Sequence[ReadySurrogate]) -> None:
        # By the hash of the weights, in seconds.
        self._costs = {surrogate.info.weights_sha256: surrogate.cost / 1e6 for surrogate in surrogates}

    def of(self, *units: Unit) -> float:
        """Return about how many seconds the units take together."""
        return sum(map(self._of, units))

    def by_stage(self, plan: Plan, *, is_frozen: bool) -> Mapping[str, float]:
        """Return about how many seconds each stage after the plan takes; a shard is not frozen."""
        seconds = {"perturb": self.of(*plan.case_units), "vote": self.of(*plan.vote_units)}
        if is_frozen:
            seconds["freeze"] = sum(_FREEZE * len(unit.samples) for unit in plan.case_units)
        return seconds

    def _of(self, unit: Unit) -> float:
        match unit:
            case CaseUnit():
                return len(unit.samples) * self._of_case(unit)
            case VoteUnit(cases=cases, surrogate=surrogate):
                n_texts = len(cases.samples) * cases.n_cases * len(cases.degrees)
                return n_texts * self._costs[surrogate.sha256]
            case PanelUnit():
                expensive = [surrogate for surrogate in unit.asked if surrogate.name in unit.expensive]
                cost = sum(self._costs[surrogate.sha256] for surrogate in expensive)
                return len(unit.first.samples) * (_CHEAP_PANEL + _TEXTS_A_PANEL * cost)

    def _of_case(self, unit: CaseUnit) -> float:
        """Return about how many seconds a sample takes."""
        level = DIMENSIONS[unit.dimension].level
        if unit.attack is None:
            return _RANDOM[level]
        return _SEARCH[level] + _TEXTS_A_SEARCH[level] * self._costs[unit.attack.source.sha256]
