"""Results in pairs: which differences of overall scores are more than chance, in figures and in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from contract.schema.results import Result
from leaderboard.board.ranking import Estimate, PairedDifference, Verdict, overall_of, paired_difference
from leaderboard.text.formatting import NO_FIGURE
from leaderboard.view.findings import Finding

ESTIMATES: tuple[Estimate, ...] = ("average", "worst")


@dataclass(frozen=True, kw_only=True)
class PairCell:
    """How far the model of a row is above the model of a column."""

    text: str
    interval: str
    verdict: Verdict


@dataclass(frozen=True, kw_only=True)
class PairTable:
    """Every model against every other; nothing against itself or against a partial entry."""

    estimate: Estimate
    rows: tuple[tuple[PairCell | None, ...], ...]


@dataclass(frozen=True, kw_only=True)
class NamedResult:
    """A result and what its model is called in the report."""

    name: str
    result: Result


def pair_table(results: Sequence[Result], estimate: Estimate) -> PairTable:
    """Return the differences of all pairs on the draws that they share."""
    return PairTable(
        estimate=estimate,
        rows=tuple(
            tuple(
                None
                if one is other or one.overall is None or other.overall is None
                else _pair_cell(paired_difference(one, other, estimate))
                for other in results
            )
            for one in results
        ),
    )


def judgements(named: Sequence[NamedResult]) -> Iterator[Finding]:
    """Yield the leader against each other model in words, then who cannot take part in that and why."""
    rivals = [
        item
        for item in named
        if item.result.overall is not None and not item.result.model.is_surrogate_family
    ]
    # Two models are compared by both estimates; with more, the table of pairs says it shorter.
    for estimate in ESTIMATES if len(rivals) == 2 else ESTIMATES[:1]:
        ordered = sorted(rivals, key=lambda item: -getattr(overall_of(item.result), estimate).ewma)
        yield from (_judgement(ordered[0], other, estimate) for other in ordered[1:])
    for item in named:
        if item.result.overall is None:
            yield Finding(
                tone="note",
                head=f"{item.name} is partial",
                text="Parts of the benchmark were left out, so it has no overall score. It is shown where it"
                " was scored.",
            )
        elif item.result.model.is_surrogate_family:
            yield Finding(
                tone="note",
                head=f"{item.name} is a surrogate",
                text="Or of the family of one: the cases were chosen with it in mind, so its scores do not"
                " compare with those of others.",
            )


def _judgement(leader: NamedResult, other: NamedResult, estimate: Estimate) -> Finding:
    found = paired_difference(leader.result, other.result, estimate)
    gap = f"{abs(100 * found.difference):.1f} points"
    interval = f"{100 * leader.result.settings.confidence:g} % interval {_interval_text(found)}"
    what = "on average" if estimate == "average" else "in the worst case"
    if found.interval is None:
        return Finding(
            tone="note",
            head=f"{leader.name} scores higher than {other.name} {what}",
            text=f"By {gap}. Without bootstrap draws in both results nobody can tell whether it is chance.",
        )
    if found.verdict == "ahead":
        return Finding(
            tone="steady",
            head=f"{leader.name} is ahead of {other.name} {what}",
            text=f"By {gap}, {interval}: more than chance.",
        )
    return Finding(
        tone="bends",
        head=f"{leader.name} and {other.name} cannot be told apart {what}",
        text=f"They differ by {gap}, {interval}: chance could explain it.",
    )


def _pair_cell(found: PairedDifference) -> PairCell:
    return PairCell(text=signed(found.difference), interval=_interval_text(found), verdict=found.verdict)


def _interval_text(found: PairedDifference) -> str:
    if found.interval is None:
        return NO_FIGURE
    low, high = found.interval
    return f"{signed(low)} to {signed(high)}"


def signed(difference: float) -> str:
    """Return a difference in points of per cent, with its sign."""
    points = f"{abs(100 * difference):.1f}"
    return points if points == "0.0" else f"{'−' if difference < 0 else '+'}{points}"
