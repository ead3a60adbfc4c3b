"""Traces a sample through a finished build: every candidate, vote and reason, from the build's records."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from builder.units.store import CASE_ROW, dropped_path, read_sidecar
from contract.machine.errors import UserError, bad_input
from contract.machine.parquet_files import FileColumns, fault_of, try_reading
from contract.machine.registry import did_you_mean
from contract.release.release import Release
from contract.schema.late_drops import DROPS, read_drops
from contract.schema.manifest import SplitInfo
from contract.schema.names import CLEAN
from contract.schema.timings import LOG, Timing, read_timings

CASE_COLUMNS = [
    "id",
    "sample_id",
    "degree",
    "case",
    "source",
    "method",
    "realised_degree",
    "text",
    "text_pair",
]
# What is noted beside the file of a unit and read here.
_NAMES = ("samples", "case_units", "surrogates")


@dataclass(kw_only=True)
class TracedCase:
    """A candidate and what became of it; without a reason it is frozen."""

    dimension: str
    setting: str
    degree: float
    reason: str | None = None
    # How many candidates this line stands for, where only their number is known.
    n: int = 1
    case: int | None = None
    source: str | None = None
    method: str | None = None
    realised_degree: float | None = None
    text: str | None = None
    text_pair: str | None = None
    # In attacked settings, of cases that are kept.
    source_fooled: bool | None = None
    transfer: float | None = None
    is_transferable: bool = False
    # By surrogate; a surrogate that was not asked is not here.
    votes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class SampleTrace:
    """A clean sample, and all its candidates in the order of dimension, setting, degree and case."""

    sample_id: str
    task: str
    label: str
    text: str
    text_pair: str | None
    cases: list[TracedCase]


def trace_sample(
    release_dir: Path, sample_id: str, *, dimension: str | None = None, setting: str | None = None
) -> SampleTrace:
    """Return what became of a sample in the build of a release on this machine."""
    release = Release.open(release_dir)
    clean, row = _clean_row(release, sample_id)
    labels = next(task.labels for task in release.manifest.tasks if task.name == clean.task)
    if not (release_dir / LOG).is_file():
        raise bad_input(
            f"{release_dir / LOG}: missing; a sample is traced where its release was built, since the records"
            " of a build are not published"
        )
    timings = [
        timing
        for timing in read_timings(release_dir / LOG)
        if timing.path
        and timing.task == clean.task
        and dimension in {None, timing.dimension}
        and setting in {None, timing.setting}
    ]
    late = read_drops(release_dir / DROPS)
    order = {info.name: info.order for info in release.manifest.dimensions}
    units = [unit for unit in _units_with(sample_id, timings) if unit.timing.dimension in order]
    try_reading(FileColumns(path) for unit in units for path in unit.paths)
    cases = [case for unit in units for case in _traced(unit, labels, late)]
    cases.sort(
        key=lambda case: (order[case.dimension], case.setting, case.degree, case.case is None, case.case or 0)
    )
    return SampleTrace(
        sample_id=sample_id,
        task=clean.task,
        label=labels[row["label"]] if row["label"] >= 0 else "withheld",
        text=row["text"],
        text_pair=row["text_pair"],
        cases=cases,
    )


@dataclass(frozen=True, kw_only=True)
class _UnitRecords:
    """The files of a unit of cases and of the votes on them, read for one sample."""

    sample_id: str
    timing: Timing
    vote_paths: Sequence[Path]

    @property
    def paths(self) -> list[Path]:
        """The files that are read."""
        path = Path(self.timing.path)
        return [path, dropped_path(path), *self.vote_paths]

    def trace(self, labels: Sequence[str], late: dict[str, str]) -> Iterator[TracedCase]:
        """Yield the unit's candidates of the sample."""
        path = Path(self.timing.path)
        table = _read(path, CASE_COLUMNS)
        rows = pc.indices_nonzero(pc.equal(table["sample_id"], self.sample_id)).to_pylist()
        for number, case in zip(rows, table.take(pa.array(rows, pa.int64())).to_pylist(), strict=True):
            decisions = [_decision(vote_path, path.stem, number) for vote_path in self.vote_paths]
            yield TracedCase(
                dimension=self.timing.dimension,
                setting=self.timing.setting,
                reason=next((d.reason for d in decisions if d.reason), late.get(case["id"])),
                votes={name: labels[vote] for d in decisions for name, vote in d.votes.items()},
                source_fooled=next((d.source_fooled for d in decisions), None),
                transfer=next((d.transfer for d in decisions), None),
                is_transferable=any(d.is_transferable for d in decisions),
                **{name: case[name] for name in CASE_COLUMNS if name not in {"id", "sample_id"}},
            )
        dropped = _read(dropped_path(path), None)
        for row in dropped.filter(pc.equal(dropped["sample_id"], self.sample_id)).to_pylist():
            row.pop("sample_id")
            yield TracedCase(dimension=self.timing.dimension, setting=self.timing.setting, **row)


def _traced(unit: _UnitRecords, labels: Sequence[str], late: dict[str, str]) -> list[TracedCase]:
    """Return a unit's candidates; records need not be what a build wrote, their log names any file."""
    try:
        return list(unit.trace(labels, late))
    except (AttributeError, LookupError, TypeError, ValueError, pa.ArrowException):
        raise _records_gone(Path(unit.timing.path)) from None


@dataclass(frozen=True, kw_only=True)
class _Decision:
    votes: dict[str, int]
    reason: str | None = None
    source_fooled: bool | None = None
    transfer: float | None = None
    is_transferable: bool = False


def _units_with(sample_id: str, timings: Iterable[Timing]) -> Iterator[_UnitRecords]:
    """Yield the units that worked on a sample, with the files of the votes on their cases."""
    case_timings: list[Timing] = []
    votes: dict[str, list[Path]] = {}
    for timing in timings:
        path = Path(timing.path)
        sidecar = _sidecar(path)
        if timing.stage == "perturb" and sample_id in sidecar.get("samples", ()):
            case_timings.append(timing)
        for key in sidecar.get("case_units", ()):
            votes.setdefault(key, []).append(path)
    for timing in case_timings:
        yield _UnitRecords(
            sample_id=sample_id, timing=timing, vote_paths=votes.get(Path(timing.path).stem, [])
        )


def _decision(vote_path: Path, case_key: str, row: int) -> _Decision:
    """Return the votes on a case, and the panel's reason to drop it; its rows go on from unit to unit."""
    sidecar = _sidecar(vote_path)
    names = sidecar["surrogates"]
    table = _read(vote_path, None)
    if CASE_ROW not in table.column_names:
        return _Decision(votes={names[0]: table["vote"][row].as_py()})
    before = sidecar["case_units"][: sidecar["case_units"].index(case_key)]
    others = [_beside(vote_path, key) for key in before]
    try_reading(FileColumns(path, ()) for path in others)
    n_before = sum(_opened(path, ()).metadata.num_rows for path in others)
    (decision,) = table.filter(pc.equal(table[CASE_ROW], n_before + row)).to_pylist()
    given = decision["votes"] or [None] * len(names)
    return _Decision(
        votes={name: vote for name, vote in zip(names, given, strict=True) if vote is not None},
        **{name: decision[name] for name in ("reason", "source_fooled", "transfer", "is_transferable")},
    )


def _clean_row(release: Release, sample_id: str) -> tuple[SplitInfo, dict[str, Any]]:
    known: list[str] = []
    for split in release.splits(dimension=CLEAN):
        table = release.table(split, ["sample_id", "label", "text", "text_pair"])
        rows = table.filter(pc.equal(table["sample_id"], sample_id)).to_pylist()
        if rows:
            return split, rows[0]
        known += table["sample_id"].to_pylist()
    raise UserError(
        f"{release.path}: no sample {sample_id!r};{did_you_mean(sample_id, known)}"
        f" its {len(known)} samples are named in the column sample_id of its clean split"
    )


def _beside(path: Path, key: str) -> Path:
    """Return the file of another unit of the same store."""
    return path.parents[1] / key[:2] / f"{key}.parquet"


def _sidecar(path: Path) -> dict[str, Any]:
    """Return what was noted beside a unit's file: lists of names."""
    # A pipe would be waited for.
    if not path.with_suffix(".json").is_file():
        raise _records_gone(path)
    try:
        noted = read_sidecar(path)
    except (OSError, ValueError, RecursionError):
        raise _records_gone(path) from None
    names = [noted.get(key, []) for key in _NAMES] if isinstance(noted, dict) else [None]
    if not all(isinstance(of, list) and all(isinstance(name, str) for name in of) for of in names):
        raise _records_gone(path)
    return noted


def _read(path: Path, columns: Sequence[str] | None) -> pa.Table:
    try:
        table = _opened(path, columns).read(columns=columns)
    except (OSError, pa.ArrowException):
        raise _records_gone(path) from None
    if columns is not None and table.column_names != columns:
        raise _records_gone(path)
    return table


def _opened(path: Path, columns: Sequence[str] | None) -> pq.ParquetFile:
    """Open a file that another process could read, so that it does not end this one."""
    if not path.is_file() or fault_of(FileColumns(path, columns)):
        raise _records_gone(path)
    return pq.ParquetFile(path)


def _records_gone(path: Path) -> UserError:
    return bad_input(
        f"{path}: this record of the build is gone or spoilt (`hardfrost clean` removes records);"
        " build the release again, then trace the sample"
    )
