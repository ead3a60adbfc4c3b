"""Findings as tables of at most 100 columns, and as JSON."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from benchmarks.ranks import independent, live
from benchmarks.ranks.checks import Check
from benchmarks.ranks.findings import Findings, Taus
from benchmarks.ranks.kin import RELATIONS, Bound, Relation
from benchmarks.ranks.statistics import Estimate

WIDTH = 100


def lines_of(findings: Sequence[Findings], bound: Bound | None, checks: Sequence[Check]) -> Iterator[str]:
    """Yield the whole report, line by line."""
    for own in findings:
        for line in _task(own):
            yield from textwrap.wrap(line, WIDTH, subsequent_indent="    ") or [""]
    yield from _kin([relation for own in findings for relation in own.kin], bound)
    yield ""
    yield "What must hold"
    for check in checks:
        yield f"  {'yes' if check.holds else 'NO ':3s} {check.name}: {check.figure}"


def _task(own: Findings) -> Iterator[str]:
    yield ""
    yield (
        f"{own.task}: {len(own.models)} models, {own.n_samples} samples, {own.n_cases:,} frozen cases;"
        f" headline {own.headline}"
    )
    budgets = "; ".join(
        f"{name} {' '.join(f'{degree:g}' for degree in degrees)}" for name, degrees in live.DEGREES.items()
    )
    yield (
        f"live: our score search, one attempt a sample and degree ({budgets}; all bins), no filters,"
        f" {live.MAX_QUERIES} questions a case; the share of all samples that are right when clean and at"
        " every degree ≤ d"
    )
    shares = ", ".join(f"{share:g}" for share in independent.SHARES)
    yield (
        f"independent: TextAttack's {' and '.join(independent.ATTACKS)}, {independent.MAX_QUERIES} questions;"
        f" the share still right when at most {shares} of the words may change"
    )
    yield ""
    columns = ("clean", "live", "independent", "rule", "attempts", "both", "average")
    yield f"  {'model':22s} {'family':11s}" + "".join(f" {name[:8]:>8s}" for name in columns)
    for row in own.models:
        yield f"  {row['model']:22s} {row['family']:11s}" + "".join(f" {row[name]:8.3f}" for name in columns)
    yield ""
    yield "  Kendall τ, with 95 % intervals over samples"
    yield f"  {'':31s} {'live':>21s} {'independ.':>9s} {'clean ± 3 points':>19s} {'÷ clean':>9s}"
    for name, taus in {**own.others, **own.candidates}.items():
        yield f"  {name + (' ←' if name == str(own.headline) else ''):31s} {_taus(taus)}"
    taus = own.candidates[str(own.headline)]
    yield (
        f"  the headline's intervals over models: live {_interval(taus.live)},"
        f" independent {_interval(taus.independent)}"
    )
    yield (
        f"  live robustness has a τ of {own.live_with_independent:.3f} with the independent attack, so no"
        f" figure with {taus.live.value:.3f} for the one can have more than"
        f" {most_with_other(own.live_with_independent, taus.live.value):.3f} for the other; and one of"
        f" {own.halves_of_live:.3f} with itself on the other half of the samples"
    )
    best = max(own.candidates, key=lambda name: own.candidates[name].live.value)
    yield f"  the best candidate by τ with live robustness: {best}"
    yield ""
    yield "  of trained models' average cells exactly 0: " + _listed(own.zeros)
    yield "  τ of ranks without a surrogate: " + _listed(own.without_surrogate)
    yield "  τ of ranks without a family: " + _listed(own.without_family)
    yield "  τ with live robustness, attempts of one family alone: " + _listed(own.one_family)
    yield ""
    yield f"  {'defended':22s} {'twin':12s} {'frozen':>8s} {'live':>8s}  in"
    for pair in own.pairs:
        names = ", ".join(pair.dimensions)
        yield f"  {pair.model:22s} {pair.twin:12s} {pair.frozen:+8.3f} {pair.live:+8.3f}  {names}"


def _taus(taus: Taus) -> str:
    live_text = f"{taus.live.value:.3f} ({taus.live.low:.3f} to {taus.live.high:.3f})"
    near = f"{taus.near.value:.2f} ({taus.near.low:.2f} to {taus.near.high:.2f})"
    ratio = "" if taus.ratio is None else f"{taus.ratio.value:.3f}"
    return f"{live_text:>22s} {taus.independent.value:8.3f} {near:>21s} {ratio:>7s}"


def most_with_other(between: float, own: float) -> float:
    """Return the largest τ that a third order can have with the second: pairs in disorder are a distance."""
    return 1 - abs(own - between)


def _interval(estimate: Estimate) -> str:
    return f"{estimate.low_models:.3f} to {estimate.high_models:.3f}"


def _listed(figures: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in figures.items())


def _kin(relations: Sequence[Relation], bound: Bound | None) -> Iterator[str]:
    yield ""
    yield "Kin: κ of errors on random cases, beyond accuracies, of a model and a surrogate"
    columns = ("lowest", "quarter", "median", "3 quart.", "highest")
    yield f"  {'':26s} {'n':>4s}" + "".join(f" {name:>8s}" for name in columns)
    for name in RELATIONS:
        values = [own.consistency for own in relations if own.relation == name]
        if values:
            quantiles = np.quantile(values, [0, 0.25, 0.5, 0.75, 1])
            yield f"  {name:26s} {len(values):4d}" + "".join(f" {value:8.3f}" for value in quantiles)
    if bound is not None:
        yield (
            f"  bound {bound.value:.3f}: misses {bound.missed:.0%} of retrained surrogates,"
            f" accuses {bound.accused:.0%} of models of other families"
        )


def to_json(findings: Sequence[Findings], bound: Bound | None, checks: Sequence[Check]) -> dict[str, Any]:
    """Return everything as a JSON value."""
    return {
        "tasks": {own.task: _plain({f.name: getattr(own, f.name) for f in fields(own)}) for own in findings},
        "kin_bound": _plain(bound),
        "checks": _plain(list(checks)),
    }


def _plain(value: Any) -> Any:
    """Return a value of dicts, lists, numbers and texts; what is no number becomes null."""
    if hasattr(value, "_asdict"):
        return _plain(value._asdict())
    if isinstance(value, dict):
        return {str(key): _plain(own) for key, own in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(own) for own in value]
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, float):
        return round(value, 6) if np.isfinite(value) else None
    return value
