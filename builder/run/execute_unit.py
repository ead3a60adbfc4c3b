"""Executes a unit of work and stores its result."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import pyarrow as pa

from builder.models.time_in_models import seconds_so_far
from builder.panel.voting import CASE_COLUMNS, ask_panel
from builder.run.make_cases import DroppedCase, MadeCases, make_cases
from builder.searches.search import DegreeCounts
from builder.surrogates.loading import surrogate_of, vote
from builder.units.store import UnitStore
from builder.units.units import CaseUnit, PanelUnit, Unit, VoteUnit
from contract.schema.records import table_of
from contract.schema.timings import Timing

DROPPED_SCHEMA = pa.schema(
    [
        pa.field("sample_id", pa.string()),
        pa.field("degree", pa.float64()),
        pa.field("reason", pa.string()),
        # How many candidates; one where the text is known.
        pa.field("n", pa.int64()),
        pa.field("case", pa.int64()),
        pa.field("text", pa.string()),
        pa.field("text_pair", pa.string()),
    ]
)


@dataclass(frozen=True, kw_only=True)
class _Result:
    """The rows of a unit, and the notes beside them."""

    table: pa.Table
    notes: Mapping[str, Any] = field(default_factory=dict)
    # Candidates that did not become cases.
    dropped: pa.Table | None = None


def execute_unit(unit: Unit, store: UnitStore) -> Timing:
    """Do a unit's work, store it, and return how long it took and what was asked."""
    start, cpu_start = time.perf_counter(), time.process_time()
    counts = [surrogate_of(store.cache_path, surrogate.sha256).counts for surrogate in unit.asked]
    others_before = seconds_so_far()
    before = [replace(count) for count in counts]
    match unit:
        case CaseUnit():
            result = _case_result(unit, make_cases(unit, store.cache_path))
        case VoteUnit():
            result = _ask_surrogate(unit, store)
        case PanelUnit():
            result = _ask_panel(unit, store)
    path = store.write_rows(unit, result.table)
    if isinstance(unit, CaseUnit) and result.dropped is not None:
        store.write_dropped(unit, result.dropped)
    pairs = list(zip(counts, before, strict=True))
    by_model = {name: seconds - others_before.get(name, 0.0) for name, seconds in seconds_so_far().items()}
    for surrogate, (now, then) in zip(unit.asked, pairs, strict=True):
        by_model[surrogate.name] = now.seconds - then.seconds
    timing = Timing(
        stage="perturb" if isinstance(unit, CaseUnit) else "vote",
        title=unit.title,
        seconds=round(time.perf_counter() - start, 3),
        task=unit.first.task,
        dimension=unit.first.dimension,
        setting=unit.first.setting,
        path=str(path),
        n_rows=result.table.num_rows,
        n_bytes=path.stat().st_size,
        n_questions=sum(now.n_distinct - then.n_distinct for now, then in pairs),
        n_known=sum(now.n_cached - then.n_cached for now, then in pairs),
        model_seconds=round(sum(now.seconds - then.seconds for now, then in pairs), 3),
        cpu_seconds=round(time.process_time() - cpu_start, 3),
        seconds_by_model={name: round(seconds, 3) for name, seconds in by_model.items() if seconds > 0},
    )
    store.write_sidecar(unit, timing, result.notes)
    return timing


def _case_result(unit: CaseUnit, made: MadeCases) -> _Result:
    """Return the cases as rows; the notes hold the counts, and what became of every other candidate."""
    return _Result(
        table=table_of(made.records),
        dropped=_dropped_table(made.dropped),
        notes=case_notes(unit, made),
    )


def case_notes(unit: CaseUnit, made: MadeCases) -> dict[str, Any]:
    """Return what stands beside the cases of a unit: its samples, its counts and its questions."""
    return {
        "samples": [sample.id for sample in unit.samples],
        "counts": {repr(degree): _counts(counts) for degree, counts in made.counts.items()},
        "n_queries": made.n_queries,
        "n_screener_queries": made.n_screener_queries,
    }


def _counts(counts: DegreeCounts) -> dict[str, Any]:
    """Return the counts of a degree; dropped candidates have a file of their own."""
    return {name: value for name, value in asdict(counts).items() if name != "dropped"}


def _ask_surrogate(unit: VoteUnit, store: UnitStore) -> _Result:
    """Return a surrogate's vote on every random case."""
    cases = store.all_cases([unit.cases], ["text", "text_pair"])
    texts = list(zip(cases["text"].to_pylist(), cases["text_pair"].to_pylist(), strict=True))
    votes = vote(store.cache_path, unit.surrogate.sha256, texts)
    table = pa.table({"vote": pa.array(votes, type=pa.int32())})
    return _Result(table=table, notes=_vote_notes(unit))


def _ask_panel(unit: PanelUnit, store: UnitStore) -> _Result:
    """Return the panel's decision on every attacked case."""
    decided = ask_panel(unit, store.all_cases(unit.cases, CASE_COLUMNS), store.cache_path)
    asked = {"n_queries": decided.n_queries, "n_not_asked": decided.n_not_asked}
    return _Result(table=decided.table, notes={**_vote_notes(unit), **asked})


def _vote_notes(unit: VoteUnit | PanelUnit) -> dict[str, Any]:
    """Return which surrogates voted, and on the cases of which units, so that a sample can be traced."""
    return {
        "surrogates": [surrogate.name for surrogate in unit.asked],
        "case_units": [case_unit.key for case_unit in unit.inputs],
    }


def _dropped_table(dropped: Sequence[DroppedCase]) -> pa.Table:
    return pa.Table.from_pylist([asdict(case) for case in dropped], schema=DROPPED_SCHEMA)
