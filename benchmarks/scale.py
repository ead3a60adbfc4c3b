"""How builds scale: processes, resuming, memory, and what a hundred large tasks would take on a cluster.

Run on a quiet machine: python -m benchmarks.scale [speed resume growth cluster] [--release DIR] [--docs]
`cluster` extrapolates from the timings of a release that was built here; --docs writes the tables into
docs/scale.md.
"""

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.cluster import extrapolated
from contract.release.release import Release

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/scale.md"
MODEL_FREE = (
    "typo-malicious",
    "typo-general",
    "glyph-malicious",
    "glyph-general",
    "phonetic-malicious",
    "phonetic-general",
)
REPEATS = 2
MODEL_FREE_WORK = "model-free: six character-level dimensions, `rule`"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")


@dataclass(frozen=True, kw_only=True)
class Work:
    """A build to measure."""

    dimensions: Sequence[str]
    samples: int
    surrogates: Sequence[str] = ()
    settings: Sequence[str] = ("rule",)

    def recipe(self) -> str:
        """Return its recipe."""
        return (
            f'name: scale\nversion: "1"\ntasks: [{{name: mr, source: mr, samples: {self.samples},'
            f" train_rows: 500}}]\ndimensions: [{', '.join(self.dimensions)}]\n"
            f"settings: [{', '.join(self.settings)}]\nsurrogates: [{', '.join(self.surrogates)}]\n"
        )


@dataclass(frozen=True, kw_only=True)
class Run:
    """What a build took."""

    seconds: float
    peak_megabytes: float


class Bench:
    """A folder for builds, and their cache."""

    def __init__(self, folder: Path, work: Work) -> None:
        self._folder = folder
        self._recipe = folder / "recipe.yaml"
        self._recipe.write_text(work.recipe(), encoding="utf-8")

    def train(self) -> None:
        """Make the build once, so that no measurement trains surrogates or reads cold files."""
        self.run()
        self.forget()

    def forget(self) -> None:
        """Delete all that was made but the surrogates."""
        for name in ("cache/units", "cache/probabilities", "cache/embeddings", "release"):
            shutil.rmtree(self._folder / name, ignore_errors=True)

    def run(self, workers: int = 1) -> Run:
        """Build and return what it took."""
        start = time.perf_counter()
        process = self.start(workers)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"the build failed with exit code {process.returncode}")
        return Run(seconds=time.perf_counter() - start, peak_megabytes=usage.ru_maxrss / 1024)

    def start(self, workers: int) -> subprocess.Popen[bytes]:
        """Start a build, with all cores for engines that do not divide them."""
        environment = {name: value for name, value in os.environ.items() if name not in THREADS}
        options = ["--workers", str(workers), "-o", str(self._folder / "release")]
        return subprocess.Popen(
            [sys.executable, "-m", "hardfrost", "build", self._recipe, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**environment, "HARDFROST_CACHE": str(self._folder / "cache")},
            cwd=ROOT,
        )

    def n_cases(self) -> int:
        """Return how many cases were frozen."""
        splits = Release.open(self._folder / "release").manifest.splits
        return sum(split.rows for split in splits if split.is_adversarial)

    def n_units(self) -> int:
        """Return how many units are finished."""
        return len(list(self._folder.glob("cache/units/*/*.json")))


def speed(folder: Path, scale: float) -> Iterator[str]:
    """Yield the wall times of one process and of two, the best of several in turn."""
    yield "| work | one process | two processes | times as fast |"
    yield "| --- | --- | --- | --- |"
    works = {
        # As many samples as the reference release has.
        MODEL_FREE_WORK: Work(dimensions=MODEL_FREE, samples=int(500 * scale)),
        "model-bound: `contextual`, `rule`, votes of MiniLM": Work(
            dimensions=["contextual"], samples=int(128 * scale), surrogates=["minilm"]
        ),
    }
    # Nobody's first run reads cold files.
    Bench(_fresh(folder), replace(works[MODEL_FREE_WORK], samples=16)).run()
    for name, work in works.items():
        bench = Bench(_fresh(folder), work)
        if work.surrogates:
            bench.train()
        seconds = {1: math.inf, 2: math.inf}
        for workers in (1, 2) * REPEATS:
            seconds[workers] = min(seconds[workers], bench.run(workers).seconds)
            bench.forget()
        yield f"| {name} | {seconds[1]:.0f} s | {seconds[2]:.0f} s | {seconds[1] / seconds[2]:.2f} |"


def resume(folder: Path, scale: float) -> Iterator[str]:
    """Yield what being killed in the middle costs, and what a finished build costs again."""
    bench = Bench(_fresh(folder), Work(dimensions=MODEL_FREE, samples=int(256 * scale)))
    whole = bench.run().seconds
    again = bench.run().seconds
    n_units = bench.n_units()
    bench.forget()
    start = time.perf_counter()
    process = bench.start(1)
    while bench.n_units() < n_units // 2:
        time.sleep(0.01)
    process.kill()
    process.wait()
    bench.run()
    killed = time.perf_counter() - start
    yield "| build | seconds |"
    yield "| --- | --- |"
    yield f"| undisturbed | {whole:.1f} |"
    yield f"| killed half-way and run again, together | {killed:.1f} ({killed / whole - 1:+.0%}) |"
    yield f"| run again when all is done: load, check, freeze | {again:.1f} |"


def growth(folder: Path, scale: float) -> Iterator[str]:
    """Yield time and peak memory of builds and of the same with four times their samples."""
    works = {
        "typo-malicious, typo-general: `rule`": Work(
            dimensions=["typo-malicious", "typo-general"], samples=int(500 * scale)
        ),
        "typo-general: `rule` and `score`, votes and panel of two TF-IDF models": Work(
            dimensions=["typo-general"],
            samples=int(500 * scale),
            surrogates=["word-tfidf", "char-tfidf"],
            settings=["rule", "score"],
        ),
    }
    yield "| work | samples | frozen cases | seconds | peak memory | more |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, work in works.items():
        peak = None
        for samples in (work.samples, 4 * work.samples):
            bench = Bench(_fresh(folder), replace(work, samples=samples))
            run = bench.run()
            more = "" if peak is None else f"{run.peak_megabytes / peak - 1:+.0%}"
            peak = run.peak_megabytes
            yield (
                f"| {name} | {samples:,} | {bench.n_cases():,} | {run.seconds:.0f}"
                f" | {run.peak_megabytes:.0f} MB | {more} |"
            )


def _fresh(folder: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=folder))


PARTS: dict[str, Callable[[Path, float], Iterator[str]]] = {
    "speed": speed,
    "resume": resume,
    "growth": growth,
}


def write_into(page: str, part: str, lines: Sequence[str]) -> str:
    """Return the page with the lines between the marks of a part."""
    begin, end = f"<!-- {part}, by benchmarks/scale.py -->", f"<!-- end of {part} -->"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return "\n".join([f"{before}{begin}", *lines, f"{end}{after}"])


def main() -> None:
    """Measure the parts that are asked for, print them, and with --docs write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "parts", nargs="*", help="speed, resume, growth, cluster; all without cluster if none"
    )
    parser.add_argument("--release", type=Path, help="the release whose timings `cluster` extrapolates")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the samples, to try it out")
    parser.add_argument("--docs", action="store_true")
    options = parser.parse_args()
    for part in options.parts or PARTS:
        with tempfile.TemporaryDirectory(prefix="hardfrost-") as folder:
            if part == "cluster":
                if options.release is None:
                    parser.error("cluster needs --release, a folder that was built here")
                found = extrapolated(options.release)
            else:
                found = PARTS[part](Path(folder), options.scale)
            lines = []
            for line in found:
                print(line, flush=True)
                lines.append(line)
        if options.docs:
            PAGE.write_text(
                write_into(PAGE.read_text(encoding="utf-8"), part, lines), encoding="utf-8", newline="\n"
            )


if __name__ == "__main__":
    main()
