"""Time and memory to score many predictions, beside plain reading and a pandas groupby of the same numbers.

Run: python benchmarks/score.py [--rows 100000 --rows 1000000] [--resamples 1000] [--format jsonl] [--shuffle]
Ten million rows take pandas more than 10 GB: --rows 10000000 --no-pandas
Fails where pandas and Hardfrost do not come to the same numbers. The data are the columns of the predictions,
uncompressed, and the rows of the release that scoring reads.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from contract.predictions.reading import ReleaseRows
from contract.release.release import Release
from contract.schema.manifest import DimensionInfo, Manifest, SplitInfo, SurrogateInfo, TaskInfo
from contract.schema.names import CLEAN, degree_digits, split_path
from contract.schema.records import COLUMNS
from contract.schema.results import ModelInfo
from evaluator.scoring.score import ScoreOptions, score

if TYPE_CHECKING:
    from collections.abc import Callable

DIMENSIONS = tuple(f"dimension-{place}" for place in range(11))
SETTINGS = ("rule", "score", "gradient")
DEGREES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
N_CASES = 5
LABELS = ("negative", "positive")
SURROGATES = ("words", "characters", "sequence", "subwords", "encoder")
SHARE_RIGHT = 0.8
REPEATS = 3
WORK = ("read", "score", "bootstrap", "pandas")
FIGURES = ("average", "worst")
# Of sums over all degrees, each of which a result rounds to nine digits.
AGREEMENT = 1e-6


def write_release(path: Path, n_rows: int) -> None:
    """Write a release of about so many rows, with the columns that scoring reads."""
    n_samples = max(n_rows // (len(DIMENSIONS) * len(SETTINGS) * len(DEGREES) * N_CASES + 1), 1)
    samples = np.array([f"task-{place:06d}" for place in range(n_samples)])
    labels = np.random.default_rng(0).integers(0, 2, n_samples)
    splits = [_write_split(path, CLEAN, None, 0, samples=samples, labels=labels, n_cases=1)]
    splits += [
        _write_split(path, dimension, setting, degree, samples=samples, labels=labels, n_cases=N_CASES)
        for dimension in DIMENSIONS
        for setting in SETTINGS
        for degree in DEGREES
    ]
    task = TaskInfo(
        name="task", labels=LABELS, fields=("text",), source="", licence="", n_samples=n_samples, n_train=0
    )
    Manifest(
        name="benchmark",
        version="1",
        seed=0,
        min_samples=1,
        recipe={},
        recipe_sha256="0" * 64,
        columns=COLUMNS,
        tasks=(task,),
        dimensions=tuple(
            DimensionInfo(name=name, degree_kind="budget", degrees=DEGREES, order=order)
            for order, name in enumerate(DIMENSIONS)
        ),
        surrogates=tuple(
            SurrogateInfo(name=name, kind=name, family=name, task="task", weights_sha256="0" * 64)
            for name in SURROGATES
        ),
        funnel=(),
        overlap=(),
        libraries={},
        canary="canary",
        splits=tuple(splits),
    ).write(path / "manifest.json")


def _write_split(
    path: Path,
    dimension: str,
    setting: str | None,
    degree: float,
    *,
    samples: np.ndarray[tuple[int], np.dtype[np.str_]],
    labels: np.ndarray[tuple[int], np.dtype[np.int64]],
    n_cases: int,
) -> SplitInfo:
    suffixes = [
        f".{dimension}.{setting}.{degree_digits(degree)}.{case}" if setting else f".{dimension}"
        for case in range(n_cases)
    ]
    ids = np.char.add(np.repeat(samples, n_cases), np.tile(suffixes, len(samples)))
    table = pa.table(
        {
            "id": pa.array(ids.tolist()),
            "sample_id": pa.array(np.repeat(samples, n_cases).tolist()),
            "label": np.repeat(labels, n_cases),
            **_votes(np.repeat(labels, n_cases), is_attacked=setting in SETTINGS[1:]),
        }
    )
    location = split_path("task", dimension, setting, degree)
    (path / location).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path / location, compression="zstd")
    return SplitInfo(
        task="task",
        dimension=dimension,
        setting=setting,
        degree=degree,
        path=location,
        rows=table.num_rows,
        samples=len(samples),
    )


def _votes(labels: np.ndarray[tuple[int], np.dtype[np.int64]], *, is_attacked: bool) -> dict[str, pa.Array]:
    """Return what the surrogates say about rows, and whom attempts were made against."""
    chance = np.random.default_rng(3)
    is_right = chance.random((len(labels), len(SURROGATES))) < SHARE_RIGHT
    votes = np.where(is_right, labels[:, None], 1 - labels[:, None]).astype(np.int32)
    offsets = np.arange(0, votes.size + 1, len(SURROGATES), dtype=np.int32)
    sources = np.array(SURROGATES)[np.arange(len(labels)) % len(SURROGATES)].tolist()
    nothing = [None] * len(labels)
    return {
        "surrogate_predictions": pa.ListArray.from_arrays(offsets, votes.reshape(-1)),
        "source": pa.array(sources if is_attacked else nothing, pa.string()),
        "source_fooled": pa.array((~is_right[:, 0]).tolist() if is_attacked else nothing, pa.bool_()),
    }


def write_predictions(release_path: Path, path: Path, *, is_shuffled: bool) -> None:
    """Write answers of which most are right, in the order of the release or in none."""
    rows = ReleaseRows.read(Release.open(release_path), ("id", "label"))
    labels = rows.table["label"].to_numpy()
    is_right = np.random.default_rng(1).random(len(rows)) < SHARE_RIGHT
    answers = np.array(LABELS)[np.where(is_right, labels, 1 - labels)]
    table = pa.table({"id": rows.table["id"], "prediction": pa.array(answers.tolist())})
    if is_shuffled:
        table = table.take(np.random.default_rng(2).permutation(len(rows)))
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    elif path.suffix == ".csv":
        pa.csv.write_csv(table, path)
    else:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            for batch in table.to_batches(max_chunksize=100_000):
                file.writelines(json.dumps(row) + "\n" for row in batch.to_pylist())


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
    with tempfile.TemporaryDirectory() as small:
        small_release, small_file = Path(small) / "release", Path(small) / file.name
        write_release(small_release, 1_000)
        write_predictions(small_release, small_file, is_shuffled=True)
        # Libraries are loaded when first used; what they weigh is not the data's.
        _work(small_release, small_file, resamples)[name]()
    before = _peak_megabytes()
    start = time.perf_counter()
    found = _work(folder, file, resamples)[name]()
    seconds = time.perf_counter() - start
    peak = _peak_megabytes()
    figures = found if isinstance(found, dict) else {}
    print(json.dumps({"seconds": seconds, "megabytes": peak - before, "peak": peak, **figures}))


def _work(folder: Path, file: Path, resamples: int) -> dict[str, Callable[[], object]]:
    return {
        "read": lambda: read_plainly(folder, file),
        "score": lambda: score_with_hardfrost(folder, file, 0),
        "bootstrap": lambda: score_with_hardfrost(folder, file, resamples),
        "pandas": lambda: score_with_pandas(folder, file),
    }


def _peak_megabytes() -> float:
    """Return the most memory this process has held; unlike rusage it does not begin with the parent's."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


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


def _measured(what: str, release_path: Path, path: Path, resamples: int, n_data: int) -> dict[str, float]:
    """Do a piece of work, each time in a process of its own; print and return what the fastest took."""
    command = [sys.executable, __file__, "--resamples", str(resamples)]
    runs: list[dict[str, float]] = [
        json.loads(
            subprocess.run(
                [*command, "--measure", what, str(release_path), str(path)],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        )
        for _ in range(REPEATS)
    ]
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
