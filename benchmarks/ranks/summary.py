"""The few figures of a run that documentation and site show, as a JSON value."""

from collections.abc import Sequence
from typing import Any

from benchmarks.ranks.findings import Findings
from benchmarks.ranks.kin import Bound
from benchmarks.ranks.statistics import Estimate

CLEAN = "clean accuracy"
VERSION_1 = "version 1"
DIGITS = 3


def summary_of(findings: Sequence[Findings], bound: Bound | None) -> dict[str, Any]:
    """Return the headline's τ of each task beside what it must beat, defended pairs, and the bound of kin."""
    return {
        "command": "python -m benchmarks.ranks",
        "kin": None
        if bound is None
        else {name: round(value, DIGITS) for name, value in bound._asdict().items()},
        "tasks": [_of_task(own) for own in findings],
    }


def _of_task(own: Findings) -> dict[str, Any]:
    headline = own.candidates[str(own.headline)]
    average = own.candidates[str(own.headline._replace(estimate="average"))]
    before = [taus.live.value for name, taus in own.others.items() if name.startswith(VERSION_1)]
    return {
        "task": own.task,
        "headline": str(own.headline),
        "n_models": len(own.models),
        "n_samples": own.n_samples,
        "n_cases": own.n_cases,
        "live": _interval(headline.live),
        "live_of_average": _interval(average.live),
        "live_of_clean": round(own.others[CLEAN].live.value, DIGITS),
        "live_of_version_1": round(max(before), DIGITS),
        "independent": _interval(headline.independent),
        "live_with_independent": round(own.live_with_independent, DIGITS),
        "halves_of_live": round(own.halves_of_live, DIGITS),
        "near": _interval(headline.near),
        "ratio": None if headline.ratio is None else _interval(headline.ratio),
        "zeros": round(own.zeros[own.headline.mean], DIGITS),
        "lowest_without_surrogate": round(min(own.without_surrogate.values()), DIGITS),
        "n_pairs": len(own.pairs),
        "n_pairs_above": sum(pair.frozen > 0 for pair in own.pairs),
    }


def _interval(estimate: Estimate) -> list[float]:
    """Return the figure and its interval over samples."""
    return [round(value, DIGITS) for value in (estimate.value, estimate.low, estimate.high)]
