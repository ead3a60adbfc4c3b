"""Decides which cases of a split are frozen and in which file; every other case gets its reason here.

Random cases: all are kept, with the surrogates' votes. Attacked cases: those that the panel keeps; the tier
has a file of its own. Last, in both, a text stands in a split only once.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from builder.units.cells import Batch, Cell
from builder.units.store import CASE_ROW, ROW, UnitStore
from builder.values.distinct import Distinct
from contract.schema.drop_reasons import DUPLICATE, Reason
from contract.schema.late_drops import LateDrop
from contract.schema.manifest import Tier
from contract.schema.names import TRANSFERABLE
from contract.schema.records import COLUMNS, SCHEMA


@dataclass(kw_only=True)
class DecidedCases:
    """Cases of a batch with the votes on them; a case with a reason is dropped."""

    table: pa.Table
    reasons: list[str | None]
    # Which cases are in the transferable tier.
    is_transferable: Sequence[bool]
    # The drops that no unit has recorded, since they depend on the whole split.
    late: list[LateDrop] = field(default_factory=list)

    def kept(self, tier: Tier | None) -> pa.Table:
        """Return the cases that are frozen in the file of a tier, or in that of all others."""
        is_wanted = [
            reason is None and is_in_tier == (tier == TRANSFERABLE)
            for reason, is_in_tier in zip(self.reasons, self.is_transferable, strict=True)
        ]
        return self.table.filter(pa.array(is_wanted, pa.bool_()))

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
    decide = _attacked_cases if cell.is_attacked else _random_cases
    return _without_duplicates(decide(batch, store, degree) for batch in cell.batches)


def _random_cases(batch: Batch, store: UnitStore, degree: float) -> DecidedCases:
    """Return all random cases of a batch, sample by sample, each with the surrogates' votes on it."""
    tables = []
    for case_unit in batch.cases:
        cases = store.cases(case_unit, degree)
        rows = cases[ROW.name].to_numpy()
        vote_units = batch.votes_on(case_unit)
        votes = np.empty((len(rows), len(vote_units)), np.int32)
        for number, unit in enumerate(vote_units):
            votes[:, number] = store.votes(unit)[rows]
        tables.append(_with_values(cases.select(COLUMNS), surrogate_predictions=votes.tolist()))
    table = pa.concat_tables(tables)
    table = table.take(pa.array(_by_sample(batch, table), pa.int64()))
    return DecidedCases(table=table, reasons=[None] * len(table), is_transferable=[False] * len(table))


def _attacked_cases(batch: Batch, store: UnitStore, degree: float) -> DecidedCases:
    """Return the cases of a batch, sample by sample, with the panel's votes and decisions."""
    by_row = {row[CASE_ROW]: row for row in store.decisions(batch.panel_unit, degree).to_pylist()}
    tables, decisions = [], []
    n_before = 0
    for unit in batch.cases:
        cases = store.cases(unit, degree)
        of_unit = [by_row[n_before + row] for row in cases[ROW.name].to_pylist()]
        tables.append(
            _with_values(
                cases.select(COLUMNS),
                surrogate_predictions=[decision["votes"] for decision in of_unit],
                source_fooled=[decision["source_fooled"] for decision in of_unit],
                transfer=[decision["transfer"] for decision in of_unit],
            )
        )
        decisions += of_unit
        n_before += store.n_rows(unit)
    table = pa.concat_tables(tables)
    rows = _by_sample(batch, table)
    return DecidedCases(
        table=table.take(pa.array(rows, pa.int64())),
        reasons=[decisions[row]["reason"] for row in rows],
        is_transferable=[decisions[row]["is_transferable"] for row in rows],
    )


def _by_sample(batch: Batch, table: pa.Table) -> list[int]:
    """Return the places of rows in the order of samples and cases."""
    order = {sample: number for number, sample in enumerate(batch.sample_ids)}
    samples, numbers = table["sample_id"].to_pylist(), table["case"].to_pylist()
    return sorted(range(len(table)), key=lambda row: (order[samples[row]], numbers[row]))


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
