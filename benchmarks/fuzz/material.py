"""Good inputs of every kind, made by the commands themselves: what is spoilt afterwards."""

import csv
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[2]
RECIPE = """\
name: fuzzed
version: "1.0"
seed: 1
tasks:
  - {name: mr, source: mr, samples: 12, train_rows: 400}
dimensions:
  - {name: typo-general, degrees: [0.1, 0.3]}
  - {name: typo-malicious, degrees: [0.1]}
settings: [rule, score]
cases: {rule: 1, score: 1}
surrogates: [word-tfidf, char-tfidf, nbsvm]
allow_weak: true
min_samples: 2
"""
DATA_RECIPE = """\
name: fuzzed-data
version: "1.0"
tasks:
  - {name: own, source: "file:data.%s", samples: 4, labels: [bad, good]}
dimensions: [typo-general]
"""
ROWS = [("a fine day with much to praise", "good"), ("a dull hour, badly told", "bad")] * 20


@dataclass(frozen=True, kw_only=True)
class Material:
    """A folder with a release, predictions, a result, a leaderboard, archives and data files."""

    folder: Path

    @property
    def release(self) -> Path:
        """The release."""
        return self.folder / "release"

    def read(self, name: str) -> bytes:
        """Return a file of the folder."""
        return (self.folder / name).read_bytes()


def make_material(folder: Path) -> Material:
    """Make all inputs; an earlier folder of the same code is used again."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    if not (folder / "release").is_dir():
        _hardfrost(folder, "build", "recipe.yaml", "-o", "release")
    _hardfrost(folder, "predict", "release", "--model", "vader", "-o", "predictions.jsonl")
    _hardfrost(folder, "score", "release", "predictions.jsonl", "--model-name", "vader", "-o", "result.json")
    (folder / "results").mkdir(exist_ok=True)
    (folder / "results" / "vader.json").write_bytes((folder / "result.json").read_bytes())
    _hardfrost(folder, "leaderboard", "results", "-o", "leaderboard.json")
    _hardfrost(
        folder, "score", "release", "predictions.jsonl", "--model-name", "twin", "-o", "results/twin.json"
    )
    _hardfrost(folder, "stability", "release", "results", "-o", "stability.json")
    _hardfrost(folder, "pack", "release", "-o", "release.tar.gz")
    _write_labels(folder)
    _write_formats(folder)
    _write_data(folder)
    return Material(folder=folder)


def _hardfrost(folder: Path, *arguments: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HARDFROST_CACHE": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", "hardfrost", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"hardfrost {' '.join(arguments)}: {done.stdout}{done.stderr}")


def _write_labels(folder: Path) -> None:
    """Write the labels as a labels file has them."""
    lines = (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    labels = [json.dumps({"id": row["id"], "label": row["prediction"]}) + "\n" for row in rows]
    (folder / "labels.jsonl").write_text("".join(labels), encoding="utf-8")


def _write_formats(folder: Path) -> None:
    """Write the predictions as CSV and Parquet, too."""
    lines = (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    few = [{name: str(row[name]) for name in ("id", "prediction")} for row in rows]
    with (folder / "predictions.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["id", "prediction"])
        writer.writeheader()
        writer.writerows(few)
    pq.write_table(pa.Table.from_pylist(few), folder / "predictions.parquet")


def _write_data(folder: Path) -> None:
    """Write a labelled data set in each format that a recipe may name."""
    rows = [{"text": f"{text} {number}", "label": label} for number, (text, label) in enumerate(ROWS)]
    with (folder / "data.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["text", "label"])
        writer.writeheader()
        writer.writerows(rows)
    (folder / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    pq.write_table(pa.Table.from_pylist(rows), folder / "data.parquet")
