"""The lines that must hold for ranks to be trusted, each with its figure."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.ranks.findings import Findings

LEAST_LIVE = 0.80
LEAST_INDEPENDENT = 0.70
MOST_ZEROS = 0.05
LEAST_WITHOUT_SURROGATE = 0.85
LEAST_DEFENDED = 0.9


class Check(NamedTuple):
    """A line that should hold."""

    name: str
    holds: bool
    figure: str


def checks_of(findings: Sequence[Findings]) -> list[Check]:
    """Return all lines, task by task, then those about all tasks."""
    found = [check for own in findings for check in _of_task(own)]
    pairs = [pair for own in findings for pair in own.pairs]
    n_above = sum(pair.frozen > 0 for pair in pairs)
    found.append(
        Check(
            "defended models above their twins, nine of ten",
            n_above >= LEAST_DEFENDED * len(pairs),
            f"{n_above} of {len(pairs)}",
        )
    )
    return found


def _of_task(own: Findings) -> Iterator[Check]:
    headline = own.candidates[str(own.headline)]
    live, independent, near, ratio = headline
    yield Check(f"{own.task}: τ with live robustness", live.value >= LEAST_LIVE, f"{live.value:.3f}")
    for name, other in own.others.items():
        yield Check(
            f"{own.task}: τ with live robustness above that of {name}",
            live.value > other.live.value,
            f"{live.value:.3f} against {other.live.value:.3f}",
        )
    yield Check(
        f"{own.task}: τ with the independent attack",
        independent.value >= LEAST_INDEPENDENT,
        f"{independent.value:.3f}",
    )
    yield Check(
        f"{own.task}: τ among models of like clean accuracy, interval above 0",
        near.low > 0,
        f"{near.value:.3f} ({near.low:.3f} to {near.high:.3f})",
    )
    if ratio is not None:
        yield Check(
            f"{own.task}: τ of headline ÷ clean with live ÷ clean, interval above 0",
            ratio.low > 0,
            f"{ratio.value:.3f} ({ratio.low:.3f} to {ratio.high:.3f})",
        )
    zeros = own.zeros[own.headline.mean]
    yield Check(f"{own.task}: cells of trained models at exactly 0", zeros < MOST_ZEROS, f"{zeros:.3f}")
    for title, without in (("surrogate", own.without_surrogate), ("family", own.without_family)):
        lowest = min(without, key=lambda name: without[name], default=None)
        yield Check(
            f"{own.task}: τ of ranks with any {title} left out",
            lowest is not None and without[lowest] >= LEAST_WITHOUT_SURROGATE,
            "no attempts" if lowest is None else f"{without[lowest]:.3f} without {lowest}",
        )
