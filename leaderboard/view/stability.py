"""The section on the stability of ranks, from a document of `hardfrost stability`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from contract.schema.stability import CaseAgreement, LeftOut, Power, Stability, StabilityRank, WithoutPart
from leaderboard.text.formatting import NO_FIGURE
from leaderboard.text.untrusted_text import visible

MOST_ROWS = 200
_WHAT: dict[LeftOut, str] = {"family": "family of surrogates"}


@dataclass(frozen=True, kw_only=True)
class StabilityTable:
    """Some figures of the document under one heading, a row's name first."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class StabilitySection:
    """Which release the figures are about, and the figures."""

    manifest_sha256: str
    tables: tuple[StabilityTable, ...]


def read_stability(path: Path) -> StabilitySection:
    """Return the section of a document; a file of another kind is an error."""
    found = Stability.read(path)
    tables = [*_left_out(found.without), *_power(found.power), *_agreement(found.agreement)]
    return StabilitySection(manifest_sha256=found.benchmark.manifest_sha256, tables=tuple(tables))


def _left_out(without: Sequence[WithoutPart]) -> Iterator[StabilityTable]:
    """Yield a table for each kind of thing left out: τ, and which model is then the first."""
    for what in dict.fromkeys(part.what for part in without):
        parts = [part for part in without if part.what == what]
        yield StabilityTable(
            heading=f"Kendall τ with one {_WHAT.get(what, what)} left out",
            columns=("Left out", "τ", "First model then"),
            rows=tuple(
                (visible(part.name, 80), _number(part.tau, 2), _first(part.ranks))
                for part in parts[:MOST_ROWS]
            ),
        )


def _first(ranks: Sequence[StabilityRank]) -> str:
    return visible(", ".join(item.model for item in ranks if item.rank == 1), 80) or NO_FIGURE


def _power(power: Power | None) -> Iterator[StabilityTable]:
    """Yield how many samples a difference needs to be seen."""
    if power is None:
        return
    smallest = power.smallest_difference
    yield StabilityTable(
        heading="Power",
        columns=("What", "Figure"),
        rows=(
            ("Samples in this release", _number(power.n_samples)),
            (
                f"Samples that a difference of {100 * power.difference:g} points needs",
                _number(power.n_samples_needed),
            ),
            (
                "Smallest difference that these samples show in four of five tries, points",
                _number(None if smallest is None else 100 * smallest, 1),
            ),
            ("Pairs of models told apart", f"{power.n_pairs_apart:,} of {power.n_pairs:,}"),
        ),
    )


def _agreement(cells: Sequence[CaseAgreement]) -> Iterator[StabilityTable]:
    """Yield which cases tell models apart at all."""
    if not cells:
        return
    yield StabilityTable(
        heading="Cases that everybody or nobody gets right",
        columns=("Task, dimension, setting", "Cases", "Everybody", "Nobody"),
        rows=tuple(
            (
                visible(f"{cell.task}, {cell.dimension}, {cell.setting}", 120),
                _number(cell.n_cases),
                _share(cell.n_everybody, cell.n_cases),
                _share(cell.n_nobody, cell.n_cases),
            )
            for cell in cells[:MOST_ROWS]
        ),
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else NO_FIGURE


def _number(value: float | None, digits: int = 0) -> str:
    return NO_FIGURE if value is None else f"{value:,.{digits}f}"
