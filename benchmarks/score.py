"""Time and memory to score many predictions, beside plain reading and a pandas groupby of the same numbers.

Run: python -m benchmarks.score [--rows 100000 --rows 1000000] [--resamples 1000] [--format jsonl] [--shuffle]
Ten million rows take pandas more than 10 GB: --rows 10000000 --no-pandas
What reading strangers' files in a process that they may end adds: --child [--repeats 9]
Fails where pandas and Hardfrost do not come to the same numbers. The data are the columns of the predictions,
uncompressed, and the rows of the release that scoring reads.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from benchmarks.scored_release import LABELS, write_predictions, write_release
from contract.machine import forked_process
from contract.predictions.reading import ReleaseRows
from contract.release.release import Release
from contract.schema.names import CLEAN
from contract.schema.results import ModelInfo
from evaluator.scoring.score import ScoreOptions, score

if TYPE_CHECKING:
    from collections.abc import Callable

REPEATS = 3
WORK = ("read", "score", "bootstrap", "pandas")
# Scoring with and without a process that files may end: as usual, without, and where there can be no fork.
CHILDREN = ("unguarded", "score", "guarded")
FIGURES = ("average", "worst")
# Of sums over all degrees, each of which a result rounds to nine digits.
AGREEMENT = 1e-6


def uncompressed_bytes(path: Path) -> int:
    """Return what a file's columns hold: a Parquet file is smaller than its data, others are their data."""
    if path.suffix != ".parquet":
        return path.stat().st_size
    metadata = pq.read_metadata(path)
    groups = (metadata.row_group(place) for place in range(metadata.num_row_groups))
    return sum(group.total_byte_size for group in groups)


def read_plainly(release_path: Path, path: Path) -> tuple[pa.Table, pa.Table]:
    """Read predictions and release with Arrow and do nothing with them."""
    readers = {".parquet": pq.read_table, ".csv": pa.csv.read_csv, ".jsonl": pa.json.read_json}
    rows = ReleaseRows.read(Release.open(release_path), ("id", "sample_id", "label"))
    return rows.table, readers[path.suffix](path)


def score_with_pandas(release_path: Path, path: Path) -> dict[str, float]:
    """Compute average and worst of every split, in which all samples have cases, as one would by hand."""
    import pandas as pd

    columns = ("id", "sample_id", "label", "dimension", "setting", "degree")
    release = Release.open(release_path)
    parts = []
    for split in release.manifest.splits:
        part = release.table(split, columns[:3]).to_pandas()
        part["dimension"], part["setting"], part["degree"] = (
            split.dimension,
            split.setting or "",
            split.degree,
        )
        parts.append(part)
    if path.suffix == ".parquet":
        given = pd.read_parquet(path)
    else:
        given = pd.read_csv(path) if path.suffix == ".csv" else pd.read_json(path, lines=True)
    frame = pd.concat(parts).merge(given, on="id", how="left", validate="one_to_one")
    frame["right"] = frame["prediction"] == frame["label"].map(dict(enumerate(LABELS)))
    by_sample = frame.groupby(["dimension", "setting", "degree", "sample_id"]).right.agg(["mean", "min"])
    by_sample["worst"] = by_sample["min"].astype(int).groupby(["dimension", "setting", "sample_id"]).cummin()
    clean = frame[frame.dimension == CLEAN].set_index("sample_id")
    samples = by_sample.index.get_level_values("sample_id")
    kept = by_sample[["mean", "worst"]].mul(clean.right.reindex(samples).to_numpy(dtype=float), axis=0)
    kept["label"] = clean.label.reindex(samples).to_numpy()
    recalls = kept.groupby(["dimension", "setting", "degree", "label"]).mean()
    scores = recalls.groupby(["dimension", "setting", "degree"]).prod() ** (1 / len(LABELS))
    return {"average": float(scores["mean"].sum()), "worst": float(scores["worst"].sum())}


def score_with_hardfrost(release_path: Path, path: Path, resamples: int) -> dict[str, float]:
    """Score as `hardfrost score` does."""
    result = score(release_path, path, ModelInfo(name="m"), options=ScoreOptions(resamples=resamples))
    settings = [setting for named in result.tasks["task"].dimensions.values() for setting in named.values()]
    degrees = [degree for setting in settings for degree in setting.degrees.values()]
    clean = result.tasks["task"].clean
    if clean is None:
        raise RuntimeError("the clean samples were not scored")
    return {
        "average": sum(degree.average or 0 for degree in degrees) + clean.score,
        "worst": sum(degree.worst or 0 for degree in degrees) + clean.score,
    }


def measure(name: str, folder: Path, file: Path, resamples: int) -> None:
    """Do one piece of work in this process and print what it took, beyond what it takes with few rows."""
    _choose_readers(name)
    with tempfile.TemporaryDirectory() as small:
        small_release, small_file = Path(small) / "release", Path(small) / file.name
        write_release(small_release, 1_000)
        write_predictions(small_release, small_file, is_shuffled=True)
        # Libraries are loaded when first used; what they weigh is not the data's.
        _work(small_release, small_file, resamples)[name]()
    before, cpu_before = _peak_megabytes(), _cpu_seconds()
    start = time.perf_counter()
    found = _work(folder, file, resamples)[name]()
    seconds = time.perf_counter() - start
    peak = _peak_megabytes()
    figures = found if isinstance(found, dict) else {}
    took = {"seconds": seconds, "cpu": _cpu_seconds() - cpu_before}
    print(json.dumps({**took, "megabytes": peak - before, "peak": peak, **figures}))


def _work(folder: Path, file: Path, resamples: int) -> dict[str, Callable[[], object]]:
    return {
        "read": lambda: read_plainly(folder, file),
        "score": lambda: score_with_hardfrost(folder, file, 0),
        "bootstrap": lambda: score_with_hardfrost(folder, file, resamples),
        "pandas": lambda: score_with_pandas(folder, file),
        # As `score`, with no process between it and the files, and with processes that try each file before.
        "unguarded": lambda: score_with_hardfrost(folder, file, 0),
        "guarded": lambda: score_with_hardfrost(folder, file, 0),
    }


def _choose_readers(name: str) -> None:
    """Let a fork read strangers' files as usual, or this process: with guards, or as if it might end."""
    if name != "score":
        forked_process.can_fork = lambda: False
    if name == "unguarded":
        forked_process.be_expendable()


def _peak_megabytes() -> float:
    """Return the most memory this process or a fork of it has held."""
    # Unlike rusage of the process itself, its status does not begin with what the parent had.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    own = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024


def _cpu_seconds() -> float:
    """Return the processor time of this process and of those that it has started."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in used)


def main() -> None:
    """Measure every size asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, action="append", help="also 10000000; may be given again")
    parser.add_argument("--resamples", type=int, default=1_000)
    parser.add_argument("--format", choices=["jsonl", "csv", "parquet"], action="append")
    parser.add_argument(
        "--shuffle", action="store_true", help="predictions in another order than the release"
    )
    parser.add_argument("--pandas", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument(
        "--child", action="store_true", help="compare scoring with and without processes that files may end"
    )
    parser.add_argument("--repeats", type=int, default=9, help="of --child; the best counts")
    parser.add_argument("--measure", nargs=3, metavar=("WHAT", "RELEASE", "FILE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        what, folder, file = arguments.measure
        measure(what, Path(folder), Path(file), arguments.resamples)
        return
    for n_rows in arguments.rows or [100_000, 1_000_000]:
        with tempfile.TemporaryDirectory() as folder:
            release_path = Path(folder) / "release"
            write_release(release_path, n_rows)
            for suffix in arguments.format or ["jsonl"]:
                path = Path(folder) / f"predictions.{suffix}"
                write_predictions(release_path, path, is_shuffled=arguments.shuffle)
                print(f"{n_rows:,} predictions, {suffix}: ", end="")
                if arguments.child:
                    _compare_children(release_path, path, arguments.repeats)
                    continue
                _compare(release_path, path, arguments.resamples, has_pandas=arguments.pandas)


def _compare(release_path: Path, path: Path, resamples: int, *, has_pandas: bool) -> None:
    """Measure all work on one file and check that those who score it agree."""
    table = ReleaseRows.read(Release.open(release_path), ("id", "sample_id", "label")).table
    sizes = {
        "file": path.stat().st_size,
        "its columns uncompressed": uncompressed_bytes(path),
        "release rows": table.nbytes,
    }
    print(", ".join(f"{name} {size / 2**20:.0f} MB" for name, size in sizes.items()))
    n_data = sizes["its columns uncompressed"] + sizes["release rows"]
    work = WORK if has_pandas else WORK[:-1]
    found = {what: _measured(what, release_path, path, resamples, n_data) for what in work}
    _print_ratios(found, n_data)
    if has_pandas:
        _check_agreement(found["score"], found["pandas"])


def _compare_children(release_path: Path, path: Path, repeats: int) -> None:
    """Score in turns with and without a process that files may end; print the best of each, and ratios."""
    print(f"best of {repeats}, in turns")
    runs: dict[str, list[dict[str, float]]] = {what: [] for what in CHILDREN}
    for _ in range(repeats):
        for what, of_kind in runs.items():
            of_kind.append(_run(what, release_path, path, 0))
    best = {
        what: {name: min(run[name] for run in of_kind) for name in ("seconds", "cpu", "megabytes")}
        for what, of_kind in runs.items()
    }
    without = best[CHILDREN[0]]
    for what, took in best.items():
        print(
            f"  {what:<10} {took['seconds']:6.2f} s {took['seconds'] / without['seconds']:5.2f}"
            f"   processor {took['cpu']:6.2f} s {took['cpu'] / without['cpu']:5.2f}"
            f"   {took['megabytes']:6.0f} MB {took['megabytes'] / without['megabytes']:5.2f}",
            flush=True,
        )
    if len({tuple(run[name] for name in FIGURES) for of_kind in runs.values() for run in of_kind}) > 1:
        sys.exit("the scores differ")


def _run(what: str, release_path: Path, path: Path, resamples: int) -> dict[str, float]:
    """Do a piece of work in a process of its own; return what it took."""
    command = [sys.executable, "-m", "benchmarks.score", "--resamples", str(resamples)]
    done = subprocess.run(
        [*command, "--measure", what, str(release_path), str(path)],
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _measured(what: str, release_path: Path, path: Path, resamples: int, n_data: int) -> dict[str, float]:
    """Do a piece of work, each time in a process of its own; print and return what the fastest took."""
    runs = [_run(what, release_path, path, resamples) for _ in range(REPEATS)]
    found = min(runs, key=itemgetter("seconds"))
    figures = " ".join(f"{name} {found[name]:.6f}" for name in FIGURES if name in found)
    print(
        f"  {what:<10} {found['seconds']:8.2f} s"
        f"  {found['megabytes']:8.0f} MB beyond 1,000 rows ({found['peak']:.0f} MB in all),"
        f" {found['megabytes'] / (n_data / 2**20):.2f} of the data"
        f"  {figures}",
        flush=True,
    )
    return found


def _print_ratios(found: dict[str, dict[str, float]], n_data: int) -> None:
    """Print the two figures that hold on other machines as well."""
    score_seconds, read_seconds = found["score"]["seconds"], found["read"]["seconds"]
    memory = found["score"]["megabytes"] / (n_data / 2**20)
    print(f"  score / read {score_seconds / read_seconds:.2f}, memory / data {memory:.2f}")
    if "pandas" in found:
        print(f"  pandas / score {found['pandas']['seconds'] / score_seconds:.2f}")


def _check_agreement(ours: dict[str, float], theirs: dict[str, float]) -> None:
    """Stop where a figure differs: then one of the two is wrong and neither time means anything."""
    for name in FIGURES:
        if not math.isclose(ours[name], theirs[name], rel_tol=0, abs_tol=AGREEMENT):
            sys.exit(f"{name}: Hardfrost has {ours[name]!r}, pandas {theirs[name]!r}")
    print(f"  pandas agrees to {AGREEMENT:g}")


if __name__ == "__main__":
    main()
