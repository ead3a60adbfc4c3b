"""A made-up release of many rows, and predictions for it: what the benchmark of scoring measures."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from contract.predictions.reading import ReleaseRows
from contract.release.release import Release
from contract.schema.manifest import DimensionInfo, Manifest, SplitInfo, SurrogateInfo, TaskInfo
from contract.schema.names import CLEAN, degree_digits, split_path
from contract.schema.records import COLUMNS

DIMENSIONS = tuple(f"dimension-{place}" for place in range(11))
SETTINGS = ("rule", "score", "gradient")
DEGREES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
N_CASES = 5
LABELS = ("negative", "positive")
SURROGATES = ("words", "characters", "sequence", "subwords", "encoder")
SHARE_RIGHT = 0.8


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
