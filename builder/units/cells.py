"""Cells: the units of one task, dimension and setting, as values that hold no rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from builder.surrogates.surrogate_ref import SurrogateRef
from builder.units.units import CaseUnit, PanelUnit, VoteUnit
from contract.schema.manifest import Setting, TaskInfo


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The units of the same samples of a cell: one for each method, or one for each attack on a source."""

    cases: tuple[CaseUnit, ...]
    # For each unit of random cases one for each surrogate; for attacked cases one for the whole panel.
    votes: tuple[VoteUnit, ...] = ()
    panel: PanelUnit | None = None

    @property
    def panel_unit(self) -> PanelUnit:
        """The unit that decides on attacked cases."""
        if self.panel is None:
            raise ValueError("random cases have votes, and no panel decides on them")
        return self.panel

    def votes_on(self, unit: CaseUnit) -> list[VoteUnit]:
        """Return the units that vote on the random cases of a unit, in the order of the surrogates."""
        return [vote for vote in self.votes if vote.cases is unit]

    @property
    def sample_ids(self) -> list[str]:
        """The samples in the task's order."""
        return [sample.id for sample in self.cases[0].samples]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One task, dimension and setting: its batches of units."""

    task: TaskInfo
    batches: tuple[Batch, ...]
    # The panel in the manifest's order.
    surrogates: tuple[SurrogateRef, ...]

    @property
    def dimension(self) -> str:
        """The dimension's name."""
        return self.batches[0].cases[0].dimension

    @property
    def setting(self) -> Setting:
        """The setting."""
        return self.batches[0].cases[0].setting

    @property
    def degrees(self) -> tuple[float, ...]:
        """The degrees in rising order."""
        return self.batches[0].cases[0].degrees

    @property
    def is_attacked(self) -> bool:
        """Whether the cases are made against a source."""
        return self.batches[0].panel is not None

    @property
    def case_units(self) -> Iterator[CaseUnit]:
        """The units that make the cases."""
        return (unit for batch in self.batches for unit in batch.cases)

    @property
    def vote_units(self) -> Iterator[VoteUnit | PanelUnit]:
        """The units that ask surrogates about the cases."""
        for batch in self.batches:
            yield from batch.votes
            if batch.panel is not None:
                yield batch.panel


def cells_of(
    units: Sequence[CaseUnit],
    task: TaskInfo,
    surrogates: Sequence[SurrogateRef],
    *,
    families: Sequence[str],
    expensive: Sequence[str],
    min_fooled: float,
    n_wanted: Mapping[Setting, int],
) -> Iterator[Cell]:
    """Yield the cells of one task in the order of the release, with the units that vote on their cases."""
    panel = tuple(surrogates)
    for _, group in groupby(units, key=lambda unit: (unit.dimension, unit.setting)):
        same_samples: dict[str, list[CaseUnit]] = {}
        for unit in group:
            same_samples.setdefault(unit.samples[0].id, []).append(unit)
        batches = []
        for cases in same_samples.values():
            if cases[0].attack is None:
                votes = tuple(
                    VoteUnit(cases=unit, surrogate=surrogate) for unit in cases for surrogate in panel
                )
                batches.append(Batch(cases=tuple(cases), votes=votes))
            else:
                decider = PanelUnit(
                    cases=tuple(cases),
                    surrogates=panel,
                    families=tuple(families),
                    expensive=tuple(expensive),
                    min_fooled=min_fooled,
                    n_wanted=n_wanted[cases[0].setting],
                )
                batches.append(Batch(cases=tuple(cases), panel=decider))
        yield Cell(task=task, batches=tuple(batches), surrogates=panel)
