"""The shelf: finished units of work as files, believed only while they are what was written."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from builder.panel.screening import CASE_COLUMNS, hear_cases, screen_cases
from builder.run.perturbing import perturb
from builder.searches.search import Tally
from builder.surrogates.surrogates import surrogate_of, vote
from builder.units.units import CaseUnit, JuryUnit, ScreenUnit, Unit, VoteUnit
from contract.machine.hashes import hash_of_file
from contract.machine.json_text import pretty_json
from contract.machine.memory import lean_file, lean_table
from contract.machine.whole_files import whole_file, write_text
from contract.schema.records import COLUMNS, table_of
from contract.schema.timings import Timing

SCHEMA = "hardfrost/unit/1"

# A spoilt unit has its files, but they are not what was written.
State = Literal["done", "missing", "spoilt"]

# Where a case stands in its unit's file, and the votes on it in theirs.
PLACE = pa.field("place", pa.int64())


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """Where finished units are kept: a Parquet file each, and a sidecar with its checksum."""

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
        """Return whether the unit is finished; what has no sidecar was never finished.

        Votes stand in the order of the cases, so those on a case file that was written anew are not finished.
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
            if is_whole and sidecar.get("judged", []) != self._judged(unit):
                return "missing"
        except (OSError, ValueError, KeyError, TypeError):
            return "spoilt"
        return "done" if is_whole else "spoilt"

    def do(self, unit: Unit) -> Timing:
        """Do a unit's work and keep it; the sidecar comes last, so half a unit never looks whole."""
        start = time.perf_counter()
        counts = [surrogate_of(self.cache_path, each.sha256).counts for each in unit.asked]
        before = [replace(each) for each in counts]
        if isinstance(unit, CaseUnit):
            table, notes = self._cases(unit)
        elif isinstance(unit, VoteUnit):
            table, notes = self._votes(unit), {}
        elif isinstance(unit, ScreenUnit):
            table, notes = self._screening(unit)
        else:
            table, notes = self._hearing(unit), {}
        path = self.path(unit)
        with (
            whole_file(path) as temporary,
            pq.ParquetWriter(temporary, table.schema, compression="zstd") as file,
        ):
            for group in _row_groups(table):
                file.write_table(group)
        first = unit if isinstance(unit, CaseUnit) else unit.first
        pairs = list(zip(counts, before, strict=True))
        timing = Timing(
            stage="perturb" if isinstance(unit, CaseUnit) else "vote",
            title=unit.title,
            seconds=round(time.perf_counter() - start, 3),
            task=first.task,
            dimension=first.dimension,
            setting=first.setting,
            n_rows=table.num_rows,
            n_bytes=path.stat().st_size,
            n_questions=sum(now.n_distinct - then.n_distinct for now, then in pairs),
            n_known=sum(now.n_cached - then.n_cached for now, then in pairs),
            model_seconds=round(sum(now.seconds - then.seconds for now, then in pairs), 3),
        )
        sidecar = {
            **notes,
            "schema": SCHEMA,
            "sha256": hash_of_file(path),
            "judged": self._judged(unit),
            "timing": asdict(timing),
        }
        write_text(path.with_suffix(".json"), pretty_json(sidecar))
        return timing

    def timing(self, unit: Unit) -> Timing:
        """Return how long the unit took when it was done."""
        return Timing(**self._sidecar(unit)["timing"])

    def tallies(self, unit: CaseUnit) -> dict[float, Tally]:
        """Return what became of each degree's samples and candidates."""
        raw = self._sidecar(unit)["tallies"]
        return {float(degree): Tally(**tally) for degree, tally in raw.items()}

    def n_queries(self, unit: CaseUnit) -> int:
        """Return how many questions the source was asked."""
        return int(self._sidecar(unit)["n_queries"])

    def n_screener_queries(self, unit: CaseUnit) -> int:
        """Return how many questions the cheaper surrogate before the source was asked."""
        return int(self._sidecar(unit)["n_screener_queries"])

    def n_screening_queries(self, unit: ScreenUnit) -> dict[str, int]:
        """Return about how many texts each surrogate was asked by the unit, those of each group by itself."""
        found: dict[str, int] = self._sidecar(unit)["n_queries"]
        return found

    def cases(self, unit: CaseUnit, degree: float, columns: Sequence[str] = COLUMNS) -> pa.Table:
        """Return the unit's cases of one degree, with their `place` in the unit; others are not read."""
        return _rows_of_degree(self.path(unit), degree, columns)

    def votes(self, unit: VoteUnit) -> NDArray[np.int32]:
        """Return the surrogate's label for each case, in the unit's order."""
        votes: NDArray[np.int32] = lean_table(self.path(unit))["vote"].to_numpy()
        return votes

    def verdicts(self, unit: ScreenUnit | JuryUnit, degree: float) -> pa.Table:
        """Return what is known of the cases of one degree; `row` counts through the cases of all units."""
        columns = ("row", "sample_id", "reason", "votes", "transfer")
        return _rows_of_degree(self.path(unit), degree, columns)

    def outcomes(self, unit: ScreenUnit | JuryUnit, *columns: str) -> pa.Table:
        """Return sample, degree and whatever else is asked for of each case that the unit looked at."""
        return lean_table(self.path(unit), ["sample_id", "degree", *columns])

    def n_rows(self, unit: Unit) -> int:
        """Return how many rows the unit's file has."""
        n: int = pq.ParquetFile(self.path(unit)).metadata.num_rows
        return n

    def _cases(self, unit: CaseUnit) -> tuple[pa.Table, dict[str, Any]]:
        done = perturb(unit, self.cache_path)
        tallies = {repr(degree): asdict(tally) for degree, tally in done.tallies.items()}
        return table_of(done.records), {
            "tallies": tallies,
            "n_queries": done.n_queries,
            "n_screener_queries": done.n_screener_queries,
        }

    def _votes(self, unit: VoteUnit) -> pa.Table:
        table = lean_table(self.path(unit.cases), ["text", "text_pair"])
        texts = list(zip(table["text"].to_pylist(), table["text_pair"].to_pylist(), strict=True))
        votes = vote(self.cache_path, unit.surrogate.sha256, texts)
        return pa.table({"vote": pa.array(votes, type=pa.int32())})

    def _screening(self, unit: ScreenUnit) -> tuple[pa.Table, dict[str, Any]]:
        done = screen_cases(unit, self._brought(unit), self.cache_path)
        return done.table, {"n_queries": done.n_queries, "order": done.order}

    def _hearing(self, unit: JuryUnit) -> pa.Table:
        screened = lean_table(self.path(unit.screened))
        order = self._sidecar(unit.screened)["order"]
        return hear_cases(unit, self._brought(unit.screened), screened, order, self.cache_path)

    def _brought(self, unit: ScreenUnit) -> pa.Table:
        """Return the cases of the units, one after the other, as far as a jury must know them."""
        return pa.concat_tables(lean_table(self.path(cases), CASE_COLUMNS) for cases in unit.cases)

    def _judged(self, unit: Unit) -> list[str]:
        """Return the checksums of the files that a unit's votes are on."""
        judged: tuple[Unit, ...] = ()
        if isinstance(unit, VoteUnit):
            judged = (unit.cases,)
        elif isinstance(unit, ScreenUnit):
            judged = unit.cases
        elif isinstance(unit, JuryUnit):
            judged = (*unit.screened.cases, unit.screened)
        return [self._sidecar(each)["sha256"] for each in judged]

    def _sidecar(self, unit: Unit) -> dict[str, Any]:
        sidecar: dict[str, Any] = json.loads(self.path(unit).with_suffix(".json").read_text(encoding="utf-8"))
        return sidecar


def _row_groups(table: pa.Table) -> Iterator[pa.Table]:
    """Yield the rows of each degree, since a split reads one degree of many units."""
    if "degree" not in table.column_names:
        yield table
        return
    for degree in table["degree"].unique():
        yield table.filter(pc.equal(table["degree"], degree))


def _rows_of_degree(path: Path, degree: float, columns: Sequence[str]) -> pa.Table:
    """Return the rows of one degree, with their `place` in the file; others are not read."""
    with lean_file(path) as file:
        chosen = list(dict.fromkeys([*columns, "degree"]))
        found = [
            file.schema_arrow.empty_table().select(chosen).append_column(PLACE, pa.array([], PLACE.type))
        ]
        first = 0
        for number in range(file.num_row_groups):
            group = file.metadata.row_group(number)
            known = _statistics(group, "degree")
            if known.min <= degree <= known.max:
                rows = file.read_row_group(number, chosen, use_threads=False)
                places = pc.indices_nonzero(pc.equal(rows["degree"], degree)).cast(PLACE.type)
                found.append(rows.take(places).append_column(PLACE, pc.add(places, first)))
            first += group.num_rows
    return pa.concat_tables(found).select([*columns, PLACE.name])


def _statistics(group: pq.RowGroupMetaData, column: str) -> pq.Statistics:
    """Return the least and the greatest value of a column in a row group.

    Its place is asked of the group: a file's `schema` is a cycle and stays until garbage is collected.
    """
    columns = map(group.column, range(group.num_columns))
    return next(found.statistics for found in columns if found.path_in_schema == column)
