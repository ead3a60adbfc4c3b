"""What a release of RobTest's size takes: a hundred random cases of each sample at every degree.

Run: python -m benchmarks.robtest --data FOLDER [--samples 60 --samples 200] [-o FOLDER] [--docs]
FOLDER has sst2/dev.tsv and sst2/train.tsv; --samples 872 is all of SST-2. For each number of samples it
builds `recipes/robtest.yaml` without the dimensions that ask neural models, verifies and scores it, and then
carries time and size to all 872. Last, it shows how a linear model's worst of K cases falls with K.
--docs writes the tables into docs/scale.md.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from benchmarks.local_files import build_options
from benchmarks.scale import PAGE, THREADS
from benchmarks.worst_of_k import linear_lines, linear_predictions, worst_lines
from contract.release.release import Release

ROOT = Path(__file__).parents[1]
RECIPE = ROOT / "recipes/robtest.yaml"
DIMENSIONS = (
    "typo-malicious",
    "typo-general",
    "glyph-malicious",
    "glyph-general",
    "phonetic-malicious",
    "phonetic-general",
    "synonym",
    "inflection",
)
ALL_OF_SST2 = 872
READ = "from benchmarks.score import read_plainly; read_plainly(*map(__import__('pathlib').Path, {paths}))"
SCORE = (
    "from pathlib import Path; from contract.schema.results import ModelInfo;"
    " from evaluator.scoring.score import ScoreOptions, score;"
    " score(*map(Path, {paths}), ModelInfo(name='m'), options=ScoreOptions(resamples={resamples}))"
)
# What starting Python and importing the same modules takes.
NOTHING = "import benchmarks.score"


@dataclass(frozen=True, kw_only=True)
class Took:
    """What a command took; memory is the most that it or one of its processes had."""

    seconds: float
    cpu_seconds: float
    megabytes: float


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a release of some samples takes to build, verify, read and score."""

    n_samples: int
    n_cases: int
    n_bytes: int
    build: Took
    verify: Took
    read_seconds: float
    score: Took
    score_seconds: float
    bootstrap_seconds: float


def run(command: Sequence[object], cache: Path) -> Took:
    """Run Python with a cache of its own and wait for it."""
    environment = {name: value for name, value in os.environ.items() if name not in THREADS}
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *map(str, command)],
        stdout=subprocess.DEVNULL,
        env={**environment, "HARDFROST_CACHE": str(cache)},
        cwd=ROOT,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, command[:4]))} ended with exit code {process.returncode}")
    return Took(
        seconds=time.perf_counter() - start,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        megabytes=usage.ru_maxrss / 1024,
    )


def measured(folder: Path, data: Path, n_samples: int, workers: int) -> Measured:
    """Build, verify and score a release of so many samples."""
    recipe = yaml.safe_load(RECIPE.read_text(encoding="utf-8"))
    for task in recipe["tasks"]:
        task |= {"samples": n_samples, "least_samples": None}
    folder.mkdir(parents=True, exist_ok=True)
    path, release, cache = folder / "recipe.yaml", folder / "release", folder / "cache"
    path.write_text(yaml.safe_dump(recipe, sort_keys=False), encoding="utf-8")
    options = [*build_options(data, ["sst2"]), "--dimensions", ",".join(DIMENSIONS), "--workers", workers]
    build = run(["-m", "hardfrost", "build", path, "-o", release, *options], cache)
    verify = run(["-m", "hardfrost", "verify", release], cache)
    predictions = folder / "predictions.parquet"
    linear_predictions(release, predictions)
    paths = [str(release), str(predictions)]
    nothing = run(["-c", NOTHING], cache).seconds
    read = run(["-c", READ.format(paths=paths)], cache)
    score = run(["-c", SCORE.format(paths=paths, resamples=0)], cache)
    bootstrap = run(["-c", SCORE.format(paths=paths, resamples=1000)], cache)
    splits = Release.open(release).manifest.splits
    return Measured(
        n_samples=n_samples,
        n_cases=sum(split.rows for split in splits if split.is_adversarial),
        n_bytes=sum(split.bytes for split in splits),
        build=build,
        verify=verify,
        read_seconds=read.seconds - nothing,
        score=score,
        score_seconds=score.seconds - nothing,
        bootstrap_seconds=bootstrap.seconds - nothing,
    )


def lines_of(found: Sequence[Measured], workers: int) -> Iterator[str]:
    """Yield the table; where not all of SST-2 was built, the last row is carried on from the two largest."""
    yield (
        f"| samples | cases | build, {workers} processes | processor time | largest process | release"
        " | `verify` | `score` ÷ reading | with 1,000 resamples | `score`, memory |"
    )
    yield "| --- " * 10 + "|"
    for each in found:
        yield (
            f"| {each.n_samples:,} | {each.n_cases:,} | {each.build.seconds / 60:.1f} min"
            f" | {each.build.cpu_seconds / 60:.1f} min | {each.build.megabytes:.0f} MB"
            f" | {each.n_bytes / 1e6:,.0f} MB | {each.verify.seconds:.0f} s, {each.verify.megabytes:.0f} MB"
            f" | {each.score_seconds:.1f} s ÷ {each.read_seconds:.1f} s ="
            f" {each.score_seconds / each.read_seconds:.1f}"
            f" | {each.bootstrap_seconds:.1f} s | {each.score.megabytes:.0f} MB |"
        )
    if len(found) > 1 and found[-1].n_samples < ALL_OF_SST2:
        small, large = found[-2:]
        n_more = (ALL_OF_SST2 - large.n_samples) / (large.n_samples - small.n_samples)

        def carried(first: float, last: float) -> float:
            return last + n_more * (last - first)

        yield (
            f"| {ALL_OF_SST2}, carried on | {carried(small.n_cases, large.n_cases):,.0f}"
            f" | {carried(small.build.seconds, large.build.seconds) / 60:.0f} min"
            f" | {carried(small.build.cpu_seconds, large.build.cpu_seconds) / 60:.0f} min"
            f" | {carried(small.build.megabytes, large.build.megabytes):.0f} MB"
            f" | {carried(small.n_bytes, large.n_bytes) / 1e6:,.0f} MB"
            f" | {carried(small.verify.seconds, large.verify.seconds):.0f} s | | | |"
        )


def write_part(part: str, lines: Sequence[str]) -> None:
    """Write lines between the marks of a part in the page."""
    page = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- {part}, by benchmarks/robtest.py -->", f"<!-- end of {part} -->"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    text = "\n".join([f"{before}{begin}", *lines, f"{end}{after}"])
    PAGE.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Measure the sizes that are asked for, print them, and with --docs write them into the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--samples", type=int, action="append", help="60 and 200, if none is given")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("-o", "--output", type=Path, help="where releases and caches stay")
    parser.add_argument("--docs", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hardfrost-") as scratch:
        folder = options.output or Path(scratch)
        found = []
        for n_samples in options.samples or [60, 200]:
            place = folder / str(n_samples)
            found.append(measured(place, options.data.resolve(), n_samples, options.workers))
            print(*lines_of(found, options.workers), sep="\n", flush=True)
        release = place / "release"
        worst = [*worst_lines(release, place / "predictions.parquet"), "", *linear_lines(release)]
        print(*worst, sep="\n")
    if options.docs:
        write_part("robtest", list(lines_of(found, options.workers)))
        write_part("worst", worst)


if __name__ == "__main__":
    main()
