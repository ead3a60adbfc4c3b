"""Decides which cases of a split are frozen; every other case gets its reason here.

Random cases: all are kept, with the panel's votes. Attacked cases: the panel's decisions, then the balance
of labels. Last, in both, a text stands in a split only once.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from builder.panel.label_balance import balanced
from builder.units.cells import Batch, Cell
from builder.units.store import CASE_ROW, ROW, UnitStore
from builder.values.distinct import Distinct
from contract.schema.drop_reasons import DUPLICATE, LABEL_LEANING, Reason
from contract.schema.late_drops import LateDrop
from contract.schema.records import COLUMNS, SCHEMA


@dataclass(kw_only=True)
class DecidedCases:
    """Cases of a batch with the votes on them; a case with a reason is dropped."""

    table: pa.Table
    reasons: list[str | None]
    # The drops that no unit has recorded, since they depend on the whole split.
    late: list[LateDrop] = field(default_factory=list)

    @property
    def kept(self) -> pa.Table:
        """The cases that are frozen."""
        return self.table.filter(pa.array([reason is None for reason in self.reasons], pa.bool_()))

    @property
    def n_dropped(self) -> Counter[str]:
        """How many cases are dropped for each reason."""
        return Counter(reason for reason in self.reasons if reason is not None)

    def drop_late(self, row: int, reason: Reason) -> None:
        """Drop a case that was kept so far."""
        self.reasons[row] = reason.name
        self.late.append(LateDrop(id=self.table["id"][row].as_py(), reason=reason.name))


def decided_cases(cell: Cell, store: UnitStore, degree: float) -> Iterator[DecidedCases]:
    """Yield the cases of a split with the decision on each, batch after batch, in the samples' order."""
    if cell.is_attacked:
        batches = _attacked_cases(cell, store, degree)
    else:
        batches = (_random_cases(batch, store, degree) for batch in cell.batches)
    return _without_duplicates(batches)


def _random_cases(batch: Batch, store: UnitStore, degree: float) -> DecidedCases:
    """Return all random cases of a batch, each with the surrogates' votes on it."""
    cases = store.cases(batch.cases[0], degree)
    rows = cases[ROW.name].to_numpy()
    votes = np.empty((len(rows), len(batch.votes)), np.int32)
    for number, unit in enumerate(batch.votes):
        votes[:, number] = store.votes(unit)[rows]
    table = _with_values(cases.select(COLUMNS), surrogate_predictions=votes.tolist())
    return DecidedCases(table=table, reasons=[None] * len(rows))


def _attacked_cases(cell: Cell, store: UnitStore, degree: float) -> Iterator[DecidedCases]:
    """Yield the attacked cases of each batch with the panel's decisions, and balance the labels."""
    passed = {
        sample: cell.labels[sample]
        for batch in cell.batches
        for sample in _samples_that_pass(batch, store, degree)
    }
    stays = balanced(passed, list(cell.labels.values()), cell.max_lean)
    for batch in cell.batches:
        decided = _with_decisions(batch, store, degree)
        for row, sample in enumerate(decided.table["sample_id"].to_pylist()):
            if decided.reasons[row] is None and sample not in stays:
                decided.drop_late(row, LABEL_LEANING)
        yield decided


def _samples_that_pass(batch: Batch, store: UnitStore, degree: float) -> list[str]:
    """Return the samples of a batch with a case that the panel keeps, in the order of the samples."""
    decisions = store.decisions(batch.panel_unit, degree)
    pairs = zip(decisions["sample_id"].to_pylist(), decisions["reason"].to_pylist(), strict=True)
    passed = {sample for sample, reason in pairs if reason is None}
    return [sample for sample in batch.sample_ids if sample in passed]


def _with_decisions(batch: Batch, store: UnitStore, degree: float) -> DecidedCases:
    """Return the cases of a batch, sample by sample, with the panel's votes and decisions."""
    by_row = {row[CASE_ROW]: row for row in store.decisions(batch.panel_unit, degree).to_pylist()}
    tables, reasons = [], []
    n_before = 0
    for unit in batch.cases:
        cases = store.cases(unit, degree)
        decisions = [by_row[n_before + row] for row in cases[ROW.name].to_pylist()]
        tables.append(
            _with_values(
                cases.select(COLUMNS),
                surrogate_predictions=[decision["votes"] for decision in decisions],
                transfer=[decision["transfer"] for decision in decisions],
            )
        )
        reasons += [decision["reason"] for decision in decisions]
        n_before += store.n_rows(unit)
    table = pa.concat_tables(tables)
    order = {sample: number for number, sample in enumerate(batch.sample_ids)}
    samples, numbers = table["sample_id"].to_pylist(), table["case"].to_pylist()
    rows = sorted(range(len(table)), key=lambda row: (order[samples[row]], numbers[row]))
    return DecidedCases(table=table.take(pa.array(rows, pa.int64())), reasons=[reasons[row] for row in rows])


def _without_duplicates(batches: Iterable[DecidedCases]) -> Iterator[DecidedCases]:
    """Yield the batches; a case whose text an earlier kept case of the split has is dropped."""
    distinct = Distinct()
    for decided in batches:
        texts = zip(decided.table["text"].to_pylist(), decided.table["text_pair"].to_pylist(), strict=True)
        for row, text in enumerate(texts):
            if decided.reasons[row] is None:
                key = hashlib.blake2b(repr(text).encode(), digest_size=16).digest()
                if not distinct.is_new(key):
                    decided.drop_late(row, DUPLICATE)
        yield decided


def _with_values(table: pa.Table, **columns: Sequence[object]) -> pa.Table:
    """Return the rows with other values in some columns."""
    for name, values in columns.items():
        number = table.schema.get_field_index(name)
        table = table.set_column(number, SCHEMA.field(name), pa.array(values, SCHEMA.field(name).type))
    return table
