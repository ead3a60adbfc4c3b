"""Units of work: named by the hash of everything that can change their result, done once, kept as files."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from builder import associations
from builder.associations import Associations
from builder.code import hash_of_code
from builder.dimensions import DIMENSIONS
from builder.dimensions.dimension import SentenceDimension
from builder.filters import FILTERS
from builder.filters.filter import FilterContext
from builder.resources import ResourceName, Resources
from builder.samples import Sample
from builder.searches import SEARCHES
from builder.searches.search import Findings, SearchRequest, Tally
from builder.surrogates import vote
from contract.files import hash_of, hash_of_file, pretty_json, whole_file, write_text
from contract.manifest import Setting, TextField
from contract.records import COLUMNS, Record, records_of, table_of


@dataclass(frozen=True, kw_only=True)
class CaseUnit:
    """Perturb, measure and filter: some samples of a task in one dimension and setting, at all degrees."""

    task: str
    perturbed: TextField
    samples: tuple[Sample, ...]
    dimension: str
    degrees: tuple[float, ...]
    setting: Setting
    n_cases: int
    seed: int
    filters: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]
    # The name of the list in the cache; the resources hold the rest.
    associations: str
    resources: Resources

    @cached_property
    def key(self) -> str:
        """The hash of everything that can change the cases, the code of the parts included."""
        code = _code_of(self.dimension, self.setting, self.filter_names)
        used = set(self.used)
        resources = self.resources.fingerprint(used - {"associations"})
        if "associations" in used:
            resources["associations"] = self.associations
        return hash_of({**asdict(self), "associations": None, "resources": resources, "code": code})

    @property
    def used(self) -> Iterator[ResourceName]:
        """The resources that can change the cases."""
        dimension = DIMENSIONS[self.dimension]
        yield from dimension.uses
        for name in self.filter_names:
            if dimension.level in FILTERS[name].levels:
                yield from FILTERS[name].uses

    @property
    def filter_names(self) -> tuple[str, ...]:
        """The filters in the order in which they are asked."""
        return tuple(name for name, _ in self.filters)

    @property
    def title(self) -> str:
        """What a person calls this unit."""
        return f"{self.task} {self.dimension} {self.setting} {self.samples[0].id}…{self.samples[-1].id}"


@dataclass(frozen=True, kw_only=True)
class VoteUnit:
    """Ask one surrogate about the cases of one unit."""

    cases: CaseUnit
    surrogate: str
    weights_sha256: str

    @cached_property
    def key(self) -> str:
        """The hash of the cases and of the weights."""
        return hash_of([self.cases.key, self.weights_sha256])

    @property
    def title(self) -> str:
        """What a person calls this unit."""
        return f"{self.cases.title} ← {self.surrogate}"


Unit = CaseUnit | VoteUnit


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """Where finished units are kept: a Parquet file and a sidecar with its checksum, in the cache."""

    cache_path: Path

    def path(self, unit: Unit) -> Path:
        """Return the unit's file."""
        return self.cache_path / "units" / unit.key[:2] / f"{unit.key}.parquet"

    def is_done(self, unit: Unit) -> bool:
        """Whether the unit is finished and its file is what was written."""
        path = self.path(unit)
        try:
            return bool(self._sidecar(unit)["sha256"] == hash_of_file(path))
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def do(self, unit: Unit) -> None:
        """Do a unit's work and keep it; the sidecar comes last, so half a unit never looks whole."""
        if isinstance(unit, CaseUnit):
            findings = make_cases(unit, associations.load(self.cache_path, unit.associations))
            table = table_of(findings.records)
            notes = {"tallies": {repr(degree): asdict(tally) for degree, tally in findings.tallies.items()}}
        else:
            table = pa.table({"vote": pa.array(self._votes(unit), type=pa.int32())})
            notes = {}
        path = self.path(unit)
        with whole_file(path) as temporary:
            pq.write_table(table, temporary, compression="zstd")
        write_text(path.with_suffix(".json"), pretty_json({**notes, "sha256": hash_of_file(path)}))

    def tallies(self, unit: CaseUnit) -> dict[float, Tally]:
        """Return what became of each degree's samples and candidates."""
        raw = self._sidecar(unit)["tallies"]
        return {float(degree): Tally(**tally) for degree, tally in raw.items()}

    def records(self, unit: CaseUnit, degree: float) -> Iterator[tuple[int, Record]]:
        """Yield the unit's cases of one degree with their place in the unit."""
        table = pq.read_table(self.path(unit)).append_column("place", pa.array(range(self.n_rows(unit))))
        rows = table.filter(pc.field("degree") == degree)
        yield from zip(rows["place"].to_pylist(), records_of(rows.select(COLUMNS)), strict=True)

    def votes(self, unit: VoteUnit) -> list[int]:
        """Return the surrogate's label for each case, in the unit's order."""
        votes: list[int] = pq.read_table(self.path(unit))["vote"].to_pylist()
        return votes

    def n_rows(self, unit: Unit) -> int:
        """Return how many rows the unit's file has."""
        n: int = pq.ParquetFile(self.path(unit)).metadata.num_rows
        return n

    def _votes(self, unit: VoteUnit) -> list[int]:
        table = pq.read_table(self.path(unit.cases), columns=["text", "text_pair"])
        texts = list(zip(table["text"].to_pylist(), table["text_pair"].to_pylist(), strict=True))
        return vote(self.cache_path, unit.weights_sha256, texts)

    def _sidecar(self, unit: Unit) -> dict[str, Any]:
        sidecar: dict[str, Any] = json.loads(self.path(unit).with_suffix(".json").read_text(encoding="utf-8"))
        return sidecar


def make_cases(unit: CaseUnit, word_associations: Associations) -> Findings:
    """Search for cases, then ask each filter about those that the earlier ones kept."""
    dimension = DIMENSIONS[unit.dimension]
    resources = replace(unit.resources, associations=word_associations)
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
        )
    )
    records = findings.records
    for name, thresholds in unit.filters:
        if dimension.level not in FILTERS[name].levels:
            continue
        context = FilterContext(
            dimension=dimension,
            degrees=unit.degrees,
            thresholds=dict(thresholds),
            resources=resources,
        )
        reasons = FILTERS[name].check(context, records)
        for record, reason in zip(records, reasons, strict=True):
            if reason is not None and record.degree is not None:
                findings.tallies[record.degree].drop(reason)
        records = [record for record, reason in zip(records, reasons, strict=True) if reason is None]
    return Findings(records=records, tallies=findings.tallies)


@lru_cache(maxsize=1024)
def _code_of(dimension: str, setting: str, filters: tuple[str, ...]) -> str:
    """Return the hash of the source code that makes a unit's cases, so that new code makes new units."""
    part = DIMENSIONS[dimension]
    functions = [
        part.write_ladders if isinstance(part, SentenceDimension) else part.propose,
        SEARCHES[setting].run,
        *(FILTERS[name].check for name in filters),
    ]
    return hash_of_code(function.__module__ for function in functions)
