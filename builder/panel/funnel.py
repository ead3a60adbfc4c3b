"""Counts of a cell, read from its finished units: samples, candidates, attacks and questions."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from builder.methods import METHODS
from builder.searches.search import DegreeCounts
from builder.searches.textattacks import PREFIX
from builder.units.cells import Cell
from builder.units.store import UnitStore
from builder.units.units import attack_title
from contract.schema.drop_reasons import stage_of
from contract.schema.manifest import AttackInfo, FunnelInfo, MethodInfo, QueriesInfo


def funnel_of(cell: Cell, store: UnitStore, degree: float) -> FunnelInfo:
    """Return the funnel of a split up to its decisions, which add their own reasons and what is frozen."""
    total = DegreeCounts()
    for batch in cell.batches:
        for number, unit in enumerate(batch.cases):
            counts = store.counts(unit)[degree]
            # Every source attacks the same samples with the same operations: they are counted once. Only
            # where words are those of a source are operations its own.
            again = replace(counts, n_samples=0, n_carrying=0)
            if not unit.strong_words:
                again = replace(again, n_proposed=0, n_refused={})
            total.add(again if number else counts)
    methods = _methods(cell, store, degree)
    # Methods reach different samples: of all, at least those that the widest of them reaches.
    n_carrying = max([total.n_carrying, *(info.n_carrying for info in methods.values())])
    return FunnelInfo(
        task=cell.task.name,
        dimension=cell.dimension,
        setting=cell.setting,
        degree=degree or None,
        n_samples=total.n_samples,
        n_carrying=n_carrying,
        n_candidates=total.n_candidates,
        n_dropped=dict(total.n_dropped),
        n_proposed=total.n_proposed,
        n_refused=dict(sorted(total.n_refused.items())),
        n_frozen=0,
        n_samples_frozen=0,
        attacks=_attacks(cell, store, degree),
        methods=methods,
    )


def queries_of(cell: Cell, store: UnitStore) -> Iterator[QueriesInfo]:
    """Yield how many texts each surrogate was asked for attacked cases; random cases do not count."""
    if not cell.is_attacked:
        return
    n_search: Counter[str] = Counter()
    n_panel: Counter[str] = Counter()
    n_not_asked: Counter[str] = Counter()
    for unit in cell.case_units:
        if unit.attack is not None:
            n_search[unit.attack.source.name] += store.n_queries(unit)
            if unit.attack.screener is not None:
                n_search[unit.attack.screener.name] += store.n_screener_queries(unit)
    for batch in cell.batches:
        n_panel.update(store.n_panel_queries(batch.panel_unit))
        n_not_asked.update(store.n_not_asked(batch.panel_unit))
    for surrogate in cell.surrogates:
        yield QueriesInfo(
            task=cell.task.name,
            dimension=cell.dimension,
            setting=cell.setting,
            surrogate=surrogate.name,
            n_search=n_search[surrogate.name],
            n_screening=n_panel[surrogate.name],
            n_not_asked=n_not_asked[surrogate.name],
        )


def attack_titles(cases: pa.Table) -> Iterator[str]:
    """Yield for each case what counts call the attack that made it; nothing for random cases."""
    for source, method in zip(cases["source"].to_pylist(), cases["method"].to_pylist(), strict=True):
        if source is not None:
            yield attack_title(source, method if method.startswith(PREFIX) or method in METHODS else None)


def _methods(cell: Cell, store: UnitStore, degree: float) -> dict[str, MethodInfo]:
    """Return for each method how many samples carry the degree, and what filters of fidelity dropped."""
    n_carrying: Counter[str] = Counter()
    n_dropped: dict[str, Counter[str]] = {}
    for batch in cell.batches:
        counted: set[str] = set()
        for unit in batch.cases:
            if unit.method is None:
                continue
            counts = store.counts(unit)[degree]
            # Whichever source a method attacks, the same samples carry the degree.
            n_carrying[unit.method] += 0 if unit.method in counted else counts.n_carrying
            counted.add(unit.method)
            of_method = n_dropped.setdefault(unit.method, Counter())
            of_method.update(
                {name: n for name, n in counts.n_dropped.items() if stage_of(name) == "fidelity"}
            )
    return {
        method: MethodInfo(n_carrying=n_carrying[method], n_dropped=dict(sorted(of_method.items())))
        for method, of_method in n_dropped.items()
    }


def _attacks(cell: Cell, store: UnitStore, degree: float) -> dict[str, AttackInfo]:
    """Return what the attacks on each source gave at a degree, before any filter."""
    attacks: dict[str, AttackInfo] = {}
    for unit in cell.case_units:
        title = unit.attack_title
        if title is None:
            continue
        counts = store.counts(unit)[degree]
        before = attacks.get(title, AttackInfo(n_attackable=0, n_attacked=0, n_fooled=0))
        attacks[title] = AttackInfo(
            n_attackable=before.n_attackable + counts.n_attackable,
            n_attacked=before.n_attacked + counts.n_attacked,
            n_fooled=before.n_fooled + counts.n_fooled,
            n_weaker=before.n_weaker + counts.n_weaker,
        )
    return attacks
