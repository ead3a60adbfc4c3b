"""Compares results in pairs: which differences of overall scores are more than chance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from contract.schema.estimates import ESTIMATES, RANKED_BY, Estimate, estimate_of
from contract.schema.results import Result
from leaderboard.board.entries import status_of
from leaderboard.board.ranking import PairedDifference, Relation, overall_of, paired_difference
from leaderboard.text.formatting import NO_FIGURE, overall_heading
from leaderboard.view.findings import Finding
from leaderboard.view.kinship import kin_of, kinship_text

# Why a model is compared with no other: what it is, and what follows.
_LEFT_OUT = {
    "partial": (
        "has no overall score",
        "Predictions are left out, or the release has none to score: it is shown where it was scored.",
    ),
    "surrogate": (
        "is a surrogate",
        "The cases were made with it: its scores are no results and do not compare with others.",
    ),
    "no-skill": (
        "has no skill",
        "On clean texts it is no better than guessing. Whatever it scores, it is not ahead of any model.",
    ),
}


@dataclass(frozen=True, kw_only=True)
class PairCell:
    """The score of the row's model minus that of the column's model."""

    text: str
    interval: str
    relation: Relation


@dataclass(frozen=True, kw_only=True)
class PairTable:
    """Every model against every other; empty for a model against itself and for models without a rank."""

    estimate: Estimate
    heading: str
    rows: tuple[tuple[PairCell | None, ...], ...]


@dataclass(frozen=True, kw_only=True)
class NamedResult:
    """A result and the name of its model in the report."""

    name: str
    result: Result


def pair_table(results: Sequence[Result], estimate: Estimate) -> PairTable:
    """Return the differences of all pairs of results."""
    return PairTable(
        estimate=estimate,
        heading=overall_heading(estimate),
        rows=tuple(
            tuple(
                None
                if one is other or not _is_comparable(one) or not _is_comparable(other)
                else _pair_cell(paired_difference(one, other, estimate))
                for other in results
            )
            for one in results
        ),
    )


def findings_of_pairs(named: Sequence[NamedResult]) -> Iterator[Finding]:
    """Yield the first model against each other one in words, then the models left out and the reason."""
    rivals = [item for item in named if _is_comparable(item.result)]
    # Two models are compared by both estimates; for more, the table of pairs is shorter to read.
    for estimate in ESTIMATES if len(rivals) == 2 else (RANKED_BY,):
        ordered = sorted(rivals, key=lambda item: -estimate_of(overall_of(item.result), estimate).ewma)
        yield from (_pair_finding(ordered[0], other, estimate) for other in ordered[1:])
    for item in named:
        status = status_of(item.result)
        if status in _LEFT_OUT:
            head, text = _LEFT_OUT[status]
            yield Finding(tone="note", head=f"{item.name} {head}", text=text)
        if kin_of(item.result):
            yield Finding(
                tone="note",
                head=f"{item.name} errs like a surrogate",
                text=kinship_text(item.result),
            )


def _is_comparable(result: Result) -> bool:
    """Return whether a result can be ahead of others: whole, with skill, and not of a surrogate."""
    return status_of(result) == "ranked"


def _pair_finding(leader: NamedResult, other: NamedResult, estimate: Estimate) -> Finding:
    paired = paired_difference(leader.result, other.result, estimate)
    gap = f"{abs(100 * paired.difference):.1f} points"
    interval = f"{100 * leader.result.settings.confidence:g} % interval {_interval_text(paired)}"
    what = "in robustness" if estimate == RANKED_BY else f"by the {estimate} over cases"
    if paired.interval is None:
        return Finding(
            tone="note",
            head=f"{leader.name} scores higher than {other.name} {what}",
            text=f"By {gap}. Both results need bootstrap draws to tell whether it is chance.",
        )
    if paired.relation == "ahead":
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


def _pair_cell(paired: PairedDifference) -> PairCell:
    return PairCell(text=signed(paired.difference), interval=_interval_text(paired), relation=paired.relation)


def _interval_text(paired: PairedDifference) -> str:
    if paired.interval is None:
        return NO_FIGURE
    low, high = paired.interval
    return f"{signed(low)} to {signed(high)}"


def signed(difference: float) -> str:
    """Return a difference in percentage points, with its sign."""
    points = f"{abs(100 * difference):.1f}"
    return points if points == "0.0" else f"{'−' if difference < 0 else '+'}{points}"
