"""What every stage of curation took away, by task and attack, as AdvGLUE's Table 12 gives it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from contract.schema.drop_reasons import HUMAN_CONSENSUS, UTILITY, stage_of
from contract.schema.manifest import FunnelInfo, Manifest, MethodInfo, Setting

# Settings in which a source is attacked, so that cases can transfer to others.
ATTACKED: tuple[Setting, ...] = ("score", "gradient")


@dataclass(frozen=True, kw_only=True)
class FilterRates:
    """Counts of one task and attack at all degrees; the stages add up to what went in.

    An attack is a dimension's own search in a setting, or a method there.
    """

    task: str
    dimension: str
    setting: Setting
    method: str | None = None
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
    def attack(self) -> str:
        """What a reader calls the attack: the method, or the dimension that was searched."""
        return self.method or self.dimension

    @property
    def n_filtered(self) -> int:
        """How many cases all stages took away."""
        return self.n_in - self.n_kept

    @property
    def success_rate(self) -> float | None:
        """Of the samples that carry a degree, the share with a case that is kept: curated attack success."""
        return self.n_samples_kept / self.n_carrying if self.n_carrying else None


def filter_rates(manifest: Manifest) -> list[FilterRates]:
    """Return the rates of every task, dimension and setting that has a funnel, by method where there are any.

    In attacked settings what is kept is the transferable tier, as in AdvGLUE; elsewhere every frozen case.
    """
    cells: dict[tuple[str, str, Setting], list[FunnelInfo]] = {}
    for row in manifest.funnel:
        cells.setdefault((row.task, row.dimension, row.setting), []).append(row)
    return [_rates(rows, method) for rows in cells.values() for method in _methods(rows)]


def _methods(rows: Sequence[FunnelInfo]) -> list[str | None]:
    """Return the methods of a cell; one that is none where there are none."""
    return list(dict.fromkeys(name for row in rows for name in row.methods)) or [None]


def _rates(rows: Sequence[FunnelInfo], method: str | None) -> FilterRates:
    first = rows[0]
    is_attacked = first.setting in ATTACKED
    # At a degree that a method does not reach it has no counts.
    counted: Sequence[FunnelInfo | MethodInfo] = (
        rows if method is None else [row.methods[method] for row in rows if method in row.methods]
    )
    n_frozen = sum(row.n_frozen for row in counted)
    n_kept = sum(row.n_transferable for row in counted) if is_attacked else n_frozen
    people = {reason.name: sum(row.n_dropped.get(reason.name, 0) for row in counted) for reason in _PEOPLE}
    n_fidelity = sum(n for row in counted for n in _of_fidelity(row))
    return FilterRates(
        task=first.task,
        dimension=first.dimension,
        setting=first.setting,
        method=method,
        n_in=n_frozen + n_fidelity + sum(people.values()),
        n_not_transferable=n_frozen - n_kept,
        n_fidelity=n_fidelity,
        n_consensus=people[HUMAN_CONSENSUS.name],
        n_utility=people[UTILITY.name],
        n_kept=n_kept,
        n_carrying=sum(row.n_carrying for row in counted),
        n_samples_kept=sum(
            row.n_samples_transferable if is_attacked else row.n_samples_frozen for row in counted
        ),
    )


_PEOPLE = (HUMAN_CONSENSUS, UTILITY)


def _of_fidelity(row: FunnelInfo | MethodInfo) -> Iterator[int]:
    return (n for reason, n in row.n_dropped.items() if stage_of(reason) == "fidelity")
