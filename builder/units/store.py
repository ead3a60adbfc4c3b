"""The store of finished units: a Parquet file each, trusted only while it is what was written."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from builder.searches.search import NO_DEGREE, DegreeCounts
from builder.units.units import CaseUnit, PanelUnit, Unit, VoteUnit
from contract.machine.hashes import hash_of_file
from contract.machine.json_text import pretty_json
from contract.machine.memory import lean_file, lean_table
from contract.machine.whole_files import whole_file, write_text
from contract.schema.records import COLUMNS
from contract.schema.timings import Timing

SCHEMA = "hardfrost/unit/3"

# A spoilt unit has its files, but they are not what was written.
State = Literal["done", "missing", "spoilt"]

# The row of a case in its unit's file; votes stand in the same order.
ROW = pa.field("row", pa.int64())
# In the panel's file: the row of a case, counted through the files of all its case units.
CASE_ROW = "case_row"


@dataclass(frozen=True, kw_only=True)
class UnitStore:
    """Where finished units are kept: a Parquet file each, and a sidecar with its checksum and notes."""

    # Where surrogates and answers are.
    cache_path: Path
    # Where units are looked for, the first being the one to which they are written; none: the cache.
    folders: tuple[Path, ...] = ()

    def path(self, unit: Unit) -> Path:
        """Return the unit's file."""
        folders = self.folders or (self.cache_path,)
        paths = [folder / "units" / unit.key[:2] / f"{unit.key}.parquet" for folder in folders]
        return next((path for path in paths if len(paths) == 1 or path.is_file()), paths[0])

    def is_done(self, unit: Unit) -> bool:
        """Whether the unit is finished and its file is what was written."""
        return self.state(unit) == "done"

    def state(self, unit: Unit) -> State:
        """Return whether the unit is finished; a unit without a sidecar was never finished.

        Votes stand in the order of the cases: votes on a case file that was written again are not finished.
        """
        path = self.path(unit)
        try:
            text = path.with_suffix(".json").read_text(encoding="utf-8")
        except FileNotFoundError:
            return "missing"
        except (OSError, UnicodeDecodeError):
            return "spoilt"
        try:
            sidecar = json.loads(text)
            is_whole = sidecar["schema"] == SCHEMA and sidecar["sha256"] == hash_of_file(path)
            if is_whole and sidecar["inputs"] != self._input_checksums(unit):
                return "missing"
        except (OSError, ValueError, KeyError, TypeError):
            return "spoilt"
        return "done" if is_whole else "spoilt"

    def write_rows(self, unit: Unit, table: pa.Table) -> Path:
        """Write a unit's rows and return their file; the unit is finished only with its sidecar."""
        path = self.path(unit)
        with (
            whole_file(path) as temporary,
            pq.ParquetWriter(temporary, table.schema, compression="zstd") as file,
        ):
            for group in _row_groups(table):
                file.write_table(group)
        return path

    def write_dropped(self, unit: CaseUnit, table: pa.Table) -> None:
        """Write the candidates that did not become cases, so that a sample can be traced."""
        with whole_file(dropped_path(self.path(unit))) as temporary:
            pq.write_table(table, temporary, compression="zstd")

    def write_sidecar(self, unit: Unit, timing: Timing, notes: Mapping[str, Any]) -> None:
        """Write a unit's sidecar, which comes last: half a unit never looks finished."""
        path = self.path(unit)
        sidecar = {
            **notes,
            "schema": SCHEMA,
            "sha256": hash_of_file(path),
            "inputs": self._input_checksums(unit),
            "timing": asdict(timing),
        }
        write_text(path.with_suffix(".json"), pretty_json(sidecar))

    def timing(self, unit: Unit) -> Timing:
        """Return how long the unit took when it was done."""
        return Timing(**self.sidecar(unit)["timing"])

    def counts(self, unit: CaseUnit) -> dict[float, DegreeCounts]:
        """Return the counts of samples, candidates and dropped cases at each degree."""
        raw = self.sidecar(unit)["counts"]
        return {float(degree): DegreeCounts(**counts) for degree, counts in raw.items()}

    def n_queries(self, unit: CaseUnit) -> int:
        """Return how many questions the source was asked."""
        return int(self.sidecar(unit)["n_queries"])

    def n_screener_queries(self, unit: CaseUnit) -> int:
        """Return how many questions the screener before the source was asked."""
        return int(self.sidecar(unit)["n_screener_queries"])

    def n_panel_queries(self, unit: PanelUnit) -> dict[str, int]:
        """Return how many texts each surrogate of the panel was asked by the unit."""
        n_queries: dict[str, int] = self.sidecar(unit)["n_queries"]
        return n_queries

    def n_not_asked(self, unit: PanelUnit) -> dict[str, int]:
        """Return about how many kept cases each surrogate of the panel was not asked."""
        n_not_asked: dict[str, int] = self.sidecar(unit)["n_not_asked"]
        return n_not_asked

    def cases(self, unit: CaseUnit, degree: float, columns: Sequence[str] = COLUMNS) -> pa.Table:
        """Return the unit's cases of one degree, with their `row` in the unit; others are not read."""
        return _rows_of_degree(self.path(unit), degree, columns)

    def all_cases(self, units: Sequence[CaseUnit], columns: Sequence[str]) -> pa.Table:
        """Return some columns of all cases of units, one unit after the other."""
        return pa.concat_tables(lean_table(self.path(unit), list(columns)) for unit in units)

    def votes(self, unit: VoteUnit) -> NDArray[np.int32]:
        """Return the surrogate's label for each case, in the unit's order."""
        votes: NDArray[np.int32] = lean_table(self.path(unit))["vote"].to_numpy()
        return votes

    def decisions(self, unit: PanelUnit, degree: float) -> pa.Table:
        """Return the panel's decisions on the cases of one degree."""
        columns = (CASE_ROW, "reason", "votes", "source_fooled", "transfer", "is_transferable")
        return _rows_of_degree(self.path(unit), degree, columns)

    def n_rows(self, unit: Unit) -> int:
        """Return how many rows the unit's file has."""
        n_rows: int = pq.ParquetFile(self.path(unit)).metadata.num_rows
        return n_rows

    def sidecar(self, unit: Unit) -> dict[str, Any]:
        """Return what was noted when the unit was finished."""
        return read_sidecar(self.path(unit))

    def _input_checksums(self, unit: Unit) -> list[str]:
        """Return the checksums of the files that a unit's votes are on."""
        return [self.sidecar(input_unit)["sha256"] for input_unit in unit.inputs]


def dropped_path(path: Path) -> Path:
    """Return the file of dropped candidates beside a unit's file."""
    return path.with_suffix(".dropped.parquet")


def read_sidecar(path: Path) -> dict[str, Any]:
    """Return what was noted beside a unit's file."""
    sidecar: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return sidecar


def _row_groups(table: pa.Table) -> Iterator[pa.Table]:
    """Yield the rows of each degree, since a split reads one degree of many units."""
    if "degree" not in table.column_names:
        yield table
        return
    if table["degree"].null_count:
        # Cases without degrees.
        yield table
        return
    for degree in table["degree"].unique():
        yield table.filter(pc.equal(table["degree"], degree))


def _rows_of_degree(path: Path, degree: float, columns: Sequence[str]) -> pa.Table:
    """Return the rows of one degree, with their `row` in the file; others are not read."""
    with lean_file(path) as file:
        chosen = list(dict.fromkeys([*columns, "degree"]))
        tables = [file.schema_arrow.empty_table().select(chosen).append_column(ROW, pa.array([], ROW.type))]
        n_before = 0
        for number in range(file.num_row_groups):
            group = file.metadata.row_group(number)
            if _has_degree(group, degree):
                table = file.read_row_group(number, chosen, use_threads=False)
                own = (
                    pc.is_null(table["degree"]) if degree == NO_DEGREE else pc.equal(table["degree"], degree)
                )
                rows = pc.indices_nonzero(own).cast(ROW.type)
                tables.append(table.take(rows).append_column(ROW, pc.add(rows, n_before)))
            n_before += group.num_rows
    return pa.concat_tables(tables).select([*columns, ROW.name])


def _has_degree(group: pq.RowGroupMetaData, degree: float) -> bool:
    """Whether a row group may hold cases of a degree."""
    degrees = _statistics(group, "degree")
    if degree == NO_DEGREE or not degrees.has_min_max:
        return bool(degree == NO_DEGREE)
    return bool(degrees.min <= degree <= degrees.max)


def _statistics(group: pq.RowGroupMetaData, column: str) -> pq.Statistics:
    """Return the least and the greatest value of a column in a row group.

    The group is asked for its columns: a file's `schema` is a reference cycle and would stay in memory.
    """
    chunks = map(group.column, range(group.num_columns))
    return next(chunk.statistics for chunk in chunks if chunk.path_in_schema == column)
