"""What every stage of curation took away, by task and attack, as AdvGLUE's Table 12 gives it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from contract.schema.drop_reasons import HUMAN_CONSENSUS, UTILITY, stage_of
from contract.schema.manifest import FunnelInfo, Manifest, Setting

# Settings in which a source is attacked, so that cases can transfer to others.
ATTACKED: tuple[Setting, ...] = ("score", "gradient")


@dataclass(frozen=True, kw_only=True)
class FilterRates:
    """Counts of one task, dimension and setting at all degrees; the stages add up to what went in."""

    task: str
    dimension: str
    setting: Setting
    # Different cases that a search made: candidates without those that no case was made of, or that nobody
    # was asked about since others sufficed.
    n_in: int
    n_not_transferable: int
    n_fidelity: int
    n_consensus: int
    n_utility: int
    n_kept: int
    # Samples that carry a degree, summed over degrees, and those of which a case is kept.
    n_carrying: int
    n_samples_kept: int

    def share(self, n: int) -> float | None:
        """Return a count as a share of what went in."""
        return n / self.n_in if self.n_in else None

    @property
    def n_filtered(self) -> int:
        """How many cases all stages took away."""
        return self.n_in - self.n_kept

    @property
    def success_rate(self) -> float | None:
        """Of the samples that carry a degree, the share with a case that is kept: curated attack success."""
        return self.n_samples_kept / self.n_carrying if self.n_carrying else None


def filter_rates(manifest: Manifest) -> list[FilterRates]:
    """Return the rates of every task, dimension and setting that has a funnel.

    In attacked settings what is kept is the transferable tier, as in AdvGLUE; elsewhere every frozen case.
    """
    cells: dict[tuple[str, str, Setting], list[FunnelInfo]] = {}
    for row in manifest.funnel:
        cells.setdefault((row.task, row.dimension, row.setting), []).append(row)
    return [_rates(rows) for rows in cells.values()]


def _rates(rows: Sequence[FunnelInfo]) -> FilterRates:
    first = rows[0]
    is_attacked = first.setting in ATTACKED
    n_frozen = sum(row.n_frozen for row in rows)
    n_kept = sum(row.n_transferable for row in rows) if is_attacked else n_frozen
    people = {reason.name: sum(row.n_dropped.get(reason.name, 0) for row in rows) for reason in _PEOPLE}
    n_fidelity = sum(n for row in rows for n in _of_fidelity(row))
    return FilterRates(
        task=first.task,
        dimension=first.dimension,
        setting=first.setting,
        n_in=n_frozen + n_fidelity + sum(people.values()),
        n_not_transferable=n_frozen - n_kept,
        n_fidelity=n_fidelity,
        n_consensus=people[HUMAN_CONSENSUS.name],
        n_utility=people[UTILITY.name],
        n_kept=n_kept,
        n_carrying=sum(row.n_carrying for row in rows),
        n_samples_kept=sum(
            row.n_samples_transferable if is_attacked else row.n_samples_frozen for row in rows
        ),
    )


_PEOPLE = (HUMAN_CONSENSUS, UTILITY)


def _of_fidelity(row: FunnelInfo) -> Iterator[int]:
    return (n for reason, n in row.n_dropped.items() if stage_of(reason) == "fidelity")
