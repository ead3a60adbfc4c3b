"""Perturb, measure, filter: what is done in a unit of cases."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from builder.filters.filter import FilterContext
from builder.searches import SEARCHES
from builder.searches.search import DegreeCounts, SearchRequest, Source
from builder.searches.textattacks.attacks import dimensions_of
from builder.surrogates.surrogates import surrogate_of
from builder.units.units import Attack, CaseUnit
from builder.values import associations
from classifiers.machinery.inference import Inference
from contract.schema.records import Record


@dataclass(frozen=True, kw_only=True)
class Perturbed:
    """The cases of a unit, what became of the others, and what source and screener were asked."""

    records: list[Record]
    tallies: Mapping[float, DegreeCounts]
    n_queries: int
    n_screener_queries: int


def perturb(unit: CaseUnit, cache_path: Path) -> Perturbed:
    """Search for cases, then ask each filter about those that the earlier ones kept."""
    dimension = DIMENSIONS[unit.dimension]
    resources = replace(unit.resources, associations=associations.load(cache_path, unit.associations))
    victim = None if unit.attack is None else _victim(unit.attack, cache_path)
    asked = [] if victim is None else [victim.inference, victim.screener]
    before = [_n_asked(each) for each in asked]
    tool = None if unit.attack is None else unit.attack.tool
    findings = SEARCHES[unit.setting].run(
        SearchRequest(
            task=unit.task,
            perturbed=unit.perturbed,
            samples=unit.samples,
            dimension=dimension,
            degrees=unit.degrees,
            n_cases=unit.n_cases,
            seed=unit.seed,
            resources=resources,
            source=victim,
            first_case=0 if unit.attack is None else unit.attack.first_case,
            tool=tool,
            tool_dimensions={name: DIMENSIONS[name] for name in dimensions_of(tool)},
        )
    )
    records = findings.records
    for name, thresholds in unit.filters:
        if dimension.level not in FILTERS[name].levels:
            continue
        context = FilterContext(
            dimension=dimension, degrees=unit.degrees, thresholds=dict(thresholds), resources=resources
        )
        reasons = FILTERS[name].check(context, records)
        for record, reason in zip(records, reasons, strict=True):
            if reason is not None and record.degree is not None:
                findings.counts[record.degree].drop(reason)
        records = [record for record, reason in zip(records, reasons, strict=True) if reason is None]
        note = FILTERS[name].note
        if note is not None:
            records = note(context, records)
    n_queries = [_n_asked(each) - n for each, n in zip(asked, before, strict=True)] or [0, 0]
    return Perturbed(
        records=records,
        tallies=findings.counts,
        n_queries=n_queries[0],
        n_screener_queries=n_queries[1],
    )


def _n_asked(inference: Inference | None) -> int:
    return 0 if inference is None else inference.counts.n_distinct


def _victim(attack: Attack, cache_path: Path) -> Source:
    screener = attack.screener
    return Source(
        name=attack.source.name,
        inference=surrogate_of(cache_path, attack.source.sha256),
        screener=None if screener is None else surrogate_of(cache_path, screener.sha256),
        max_queries=attack.max_queries,
    )
