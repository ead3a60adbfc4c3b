"""Makes the cases of a unit: perturb, measure, filter."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from builder.filters.filter import FilterContext
from builder.methods import METHODS
from builder.models.resources import Resources
from builder.operations.dimension import AnyDimension
from builder.searches import SEARCHES
from builder.searches.search import NO_DEGREE, DegreeCounts, SearchRequest, SearchResult, Source
from builder.searches.textattacks.attacks import dimensions_of
from builder.surrogates.loading import surrogate_of
from builder.units.units import Attack, CaseUnit
from builder.values import associations
from builder.values.randomness import seed_of
from classifiers.machinery.inference import Inference
from contract.schema.drop_reasons import OTHER_TOKENS, Reason
from contract.schema.names import case_id
from contract.schema.records import Record
from contract.task_kinds.tagging import tokens_of


@dataclass(frozen=True, kw_only=True)
class DroppedCase:
    """Candidates of a sample and degree that were dropped for one reason; a filter's have a text."""

    sample_id: str
    degree: float
    reason: str
    n: int = 1
    case: int | None = None
    text: str | None = None
    text_pair: str | None = None


@dataclass(frozen=True, kw_only=True)
class MadeCases:
    """The cases of a unit, those that filters dropped, the counts, and how often models were asked."""

    records: list[Record]
    dropped: list[DroppedCase]
    counts: Mapping[float, DegreeCounts]
    n_queries: int
    n_screener_queries: int


def make_cases(unit: CaseUnit, cache_path: Path) -> MadeCases:
    """Make the cases of a unit with the words and surrogates of the cache."""
    resources = replace(unit.resources, associations=associations.load(cache_path, unit.associations))
    return make_cases_with(unit, resources, None if unit.attack is None else _source(unit.attack, cache_path))


def make_cases_with(
    unit: CaseUnit, resources: Resources, source: Source | None, dimension: AnyDimension | None = None
) -> MadeCases:
    """Search for cases of measured degree, then apply each filter to those that the earlier ones kept.

    `dimension` stands for the unit's own, for a caller that remembers what it proposes.
    """
    asked = [] if source is None else [source.inference, source.screener]
    n_before = [_n_asked(inference) for inference in asked]
    found = _perturb(unit, resources, source, dimension or DIMENSIONS[unit.dimension])
    records, filtered = _filter(unit, resources, found)
    n_queries = [_n_asked(inference) - n for inference, n in zip(asked, n_before, strict=True)] or [0, 0]
    return MadeCases(
        records=records,
        dropped=[*_search_drops(found), *filtered],
        counts=found.counts,
        n_queries=n_queries[0],
        n_screener_queries=n_queries[1],
    )


def _perturb(
    unit: CaseUnit, resources: Resources, source: Source | None, dimension: AnyDimension
) -> SearchResult:
    """Return candidates whose measured degree is that of the budget or bin they were made for."""
    tool = None if unit.attack is None else unit.attack.tool
    request = SearchRequest(
        task=unit.task,
        perturbed=unit.perturbed,
        samples=unit.samples,
        dimension=dimension,
        degrees=unit.degrees,
        n_cases=unit.n_cases,
        n_spare=unit.n_spare,
        seed=unit.seed if unit.method is None else seed_of(unit.seed, unit.method),
        resources=resources,
        source=source,
        first_case=0 if unit.attack is None else unit.attack.first_case,
        tool=tool,
        tool_dimensions={name: DIMENSIONS[name] for name in dimensions_of(tool)},
        attacks_all=unit.attack is not None and unit.attack.attacks_all,
        keeps_tokens=unit.keeps_tokens,
        strong_words=unit.strong_words,
    )
    if unit.method is None:
        return SEARCHES[unit.setting].run(request)
    found = METHODS[unit.method].function(request, unit.setting)
    return replace(found, records=[_by_method(unit, unit.method, record) for record in found.records])


def _by_method(unit: CaseUnit, method: str, record: Record) -> Record:
    """Return a record that names its method, with a number that no other method's case has."""
    case = record.case + unit.first_case
    name = case_id(record.sample_id, record.dimension, unit.setting, record.degree, case)
    return replace(record, id=name, case=case, method=method)


def _search_drops(found: SearchResult) -> Iterator[DroppedCase]:
    """Yield what the search itself dropped: numbers of candidates, since it keeps no text of them."""
    for degree, counts in found.counts.items():
        for (sample_id, reason), n in counts.dropped.items():
            yield DroppedCase(sample_id=sample_id, degree=degree, reason=reason, n=n)


def _filter(
    unit: CaseUnit, resources: Resources, found: SearchResult
) -> tuple[list[Record], list[DroppedCase]]:
    """Return the candidates that all filters keep and those that one dropped; the counts have these."""
    dimension = DIMENSIONS[unit.dimension]
    records, dropped = _with_tokens_kept(unit, found)
    for name, thresholds in unit.filters:
        if dimension.level not in FILTERS[name].levels:
            continue
        context = FilterContext(
            dimension=dimension, degrees=unit.degrees, thresholds=dict(thresholds), resources=resources
        )
        reasons = FILTERS[name].check(context, records)
        for record, reason in zip(records, reasons, strict=True):
            if reason is not None:
                dropped.append(_dropped(record, record.degree or NO_DEGREE, reason, found))
        records = [record for record, reason in zip(records, reasons, strict=True) if reason is None]
        note = FILTERS[name].note
        if note is not None:
            records = note(context, records)
    return records, dropped


def _with_tokens_kept(unit: CaseUnit, found: SearchResult) -> tuple[list[Record], list[DroppedCase]]:
    """Return the candidates with as many tokens as their originals, where each token has a label."""
    if not unit.keeps_tokens:
        return found.records, []
    kept, dropped = [], []
    for record in found.records:
        n_tokens = [len(tokens_of(text)) for text in (record.text, record.original_text or "")]
        if n_tokens[0] == n_tokens[1] or record.degree is None:
            kept.append(record)
        else:
            dropped.append(_dropped(record, record.degree, OTHER_TOKENS, found))
    return kept, dropped


def _dropped(record: Record, degree: float, reason: Reason, found: SearchResult) -> DroppedCase:
    """Count a case that is dropped for a reason and return what is kept of it."""
    found.counts[degree].count_dropped(reason)
    return DroppedCase(
        sample_id=record.sample_id,
        degree=degree,
        reason=reason.name,
        case=record.case,
        text=record.text,
        text_pair=record.text_pair,
    )


def _n_asked(inference: Inference | None) -> int:
    return 0 if inference is None else inference.counts.n_distinct


def _source(attack: Attack, cache_path: Path) -> Source:
    screener = attack.screener
    return Source(
        name=attack.source.name,
        inference=surrogate_of(cache_path, attack.source.sha256),
        screener=None if screener is None else surrogate_of(cache_path, screener.sha256),
        max_queries=attack.max_queries,
    )
