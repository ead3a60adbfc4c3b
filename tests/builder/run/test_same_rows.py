"""Rows do not depend on threads, workers or interruptions where neural models choose them."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
RECIPE = """\
name: same
version: "1.0"
tasks: [{name: mr, source: mr, samples: 4, train_rows: 1000}]
dimensions:
  - {name: contextual, degrees: [0.1]}
  - {name: distraction, degrees: [0.4]}
  - {name: typo-general, degrees: [0.3]}
settings: [rule, score, gradient]
cases: {rule: 1, score: 1, gradient: 1}
sources: {score: [word-tfidf, minilm], gradient: [minilm]}
max_queries: 40
surrogates: [word-tfidf, {kind: minilm, train_rows: 128, epochs: 1}]
min_fooled: 0
allow_weak: true
min_samples: 1
"""
# Small units, so that a build has moments to be killed at and two workers both have work.
SMALL_OPTIONS = ["--samples-per-unit", "2"]


def start(home: Path, name: str, n_threads: int, *options: str) -> subprocess.Popen[str]:
    """Start a build with a cache of its own."""
    environment = {
        **os.environ,
        "HARDFROST_CACHE": str(home / name),
        "OMP_NUM_THREADS": str(n_threads),
        "PYTHONPATH": str(ROOT),
    }
    command = ["build", str(home / "recipe.yaml"), "-o", str(home / f"{name}-release"), *options]
    return subprocess.Popen(
        [sys.executable, "-m", "hardfrost", *command, *SMALL_OPTIONS],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=home,
        env=environment,
    )


def rows_of(home: Path, name: str) -> dict[str, str | None]:
    """Return the hash of the logical rows of every split."""
    manifest = json.loads((home / f"{name}-release/manifest.json").read_text(encoding="utf-8"))
    return {split["path"]: split["rows_sha256"] for split in manifest["splits"]}


def finish(process: subprocess.Popen[str]) -> None:
    """Wait for a build that must end well."""
    errors = process.communicate()[1]
    assert process.returncode == 0, errors


def test_threads_workers_and_a_kill_leave_the_rows_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache that has some answers already changes with whom a text is asked, and nothing else."""
    for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    finish(start(tmp_path, "serial", 2))
    shutil.copytree(tmp_path / "serial/surrogates", tmp_path / "killed/surrogates")
    killed = start(tmp_path, "killed", 1)
    while killed.poll() is None and len(list(tmp_path.glob("killed/units/*/*.json"))) < 7:
        time.sleep(0.01)
    killed.kill()
    killed.communicate()
    assert not (tmp_path / "killed-release").exists()
    finish(start(tmp_path, "killed", 1, "--workers", "2"))
    expected = rows_of(tmp_path, "serial")
    assert {path.split("/")[-2] for path, sha256 in expected.items() if sha256} >= {
        "rule",
        "score",
        "gradient",
    }
    assert rows_of(tmp_path, "killed") == expected
