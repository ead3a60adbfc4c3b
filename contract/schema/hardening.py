"""What adversarial training gave: the accuracy of every hardened model under every attack."""

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import ClassVar, Final, Literal, NamedTuple

from contract.schema.checked_text import Line, Name
from contract.schema.documents import Count, Document, Fraction, Integer, Sha256, Value

Scheme = Literal["none", "1-1", "leave-one-out", "random", "mixed"]
SCHEMES: Final[tuple[Scheme, ...]] = ("1-1", "leave-one-out", "random", "mixed")
# How a ranking calls the cells of 1-1 in which the model meets another attack than it was trained on.
OTHER_ATTACKS = "1-1, other attacks"
SAME_ATTACK = "1-1, same attack"


class HardenedModel(Value):
    """A model, the attacks that it was trained on, and how it does without attack and under each."""

    name: Line
    scheme: Scheme
    trained_on: tuple[Name, ...]
    # Clean and attacked rows that it was trained on.
    n_clean: Count
    n_attacked: Count
    clean: Fraction
    # By attack, then by degree in the order of the document.
    accuracies: dict[Name, tuple[Fraction | None, ...]]

    def is_tested_on(self, attack: str) -> bool:
        """Whether its scheme says anything about an attack: leave-one-out is about the one left out."""
        return self.scheme != "leave-one-out" or attack not in self.trained_on


class Hardening(Document):
    """All models of a run; the first is the one without defence."""

    SCHEMA: ClassVar[str] = "hardfrost-hardening/1"

    benchmark: Line
    version: Line
    manifest_sha256: Sha256
    task: Name
    # The kind that was trained, as the command line calls it.
    kind: Line
    seed: Integer
    # The accuracy of always giving the most frequent label.
    guessing: Fraction
    attacks: tuple[Name, ...]
    degrees: tuple[Fraction, ...]
    models: tuple[HardenedModel, ...]

    @property
    def plain(self) -> HardenedModel:
        """The model without defence."""
        return self.models[0]

    def gain(self, model: HardenedModel, attack: str, place: int) -> float | None:
        """Return Δτ(p): how much of the clean accuracy without defence a defence wins back at a degree."""
        before, after = self.plain.accuracies[attack][place], model.accuracies[attack][place]
        if before is None or after is None or not self.plain.clean:
            return None
        return (after - before) / self.plain.clean

    def mean_gain(
        self, models: Iterable[HardenedModel], attacks: Sequence[str] | None = None
    ) -> float | None:
        """Return the mean gain of some models over attacks that they are tested on, and all degrees."""
        gains = [
            gain
            for model in models
            for attack in attacks or self.attacks
            if model.is_tested_on(attack)
            for place in range(len(self.degrees))
            for gain in [self.gain(model, attack, place)]
            if gain is not None
        ]
        return fmean(gains) if gains else None


class RankedDefence(NamedTuple):
    """A way of defending, its mean gain over all attacks and degrees, and the mean change when clean."""

    name: str
    gain: float
    clean_change: float


def ranking_of(hardening: Hardening) -> list[RankedDefence]:
    """Return the schemes, the most helpful first (Zéroe's Table 3)."""
    own = [model for model in hardening.models if model.scheme == "1-1"]
    pairs = [(model, attack) for model in own for attack in hardening.attacks]
    by_name: dict[str, list[tuple[HardenedModel, Sequence[str]]]] = {
        SAME_ATTACK: [(model, [attack]) for model, attack in pairs if attack in model.trained_on],
        OTHER_ATTACKS: [(model, [attack]) for model, attack in pairs if attack not in model.trained_on],
    }
    for model in hardening.models:
        if model.scheme not in {"none", "1-1"}:
            by_name.setdefault(model.scheme, []).append((model, hardening.attacks))
    ranked = []
    for name, cells in by_name.items():
        found = [hardening.mean_gain([model], attacks) for model, attacks in cells]
        gains = [gain for gain in found if gain is not None]
        if gains:
            change = fmean(model.clean - hardening.plain.clean for model, _ in cells)
            ranked.append(RankedDefence(name, fmean(gains), change))
    return sorted(ranked, key=lambda each: -each.gain)
