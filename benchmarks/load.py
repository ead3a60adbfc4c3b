"""What commands do under load: many submissions, requests at once, a huge file, builds on one cache.

Run: python -m benchmarks.load [--submissions 2000] [--requests 200] [--gigabytes 5] [--builds 10] [--only X]
Fails where memory grows with the number of submissions, an answer is lost or paid for twice, a huge file
takes more than 1 GB of memory, or builds that share a cache differ.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.failing_endpoint import FailingEndpoint
from benchmarks.scored_release import write_predictions, write_release
from contract.predictions.reading import ReleaseRows
from contract.release.release import Release
from contract.schema.manifest import Manifest
from contract.schema.results import ModelInfo
from evaluator.scoring.score import ScoreOptions, score
from leaderboard.submissions.submissions import write_submission

ROOT = Path(__file__).parents[1]
N_ROWS_SCORED = 10_000
RESAMPLES = 50
# Memory of many submissions over that of one: allocators keep a little.
MOST_GROWTH = 1.25
MOST_BYTES = 1 << 30
SECONDS_A_REQUEST = 0.015
LABELS = ("negative", "positive")


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a command ended, what it took, and what it printed."""

    exit_code: int
    seconds: float
    peak_bytes: int
    printed: str


@dataclass(frozen=True, kw_only=True)
class Options:
    """How much load."""

    submissions: int
    requests: int
    gigabytes: float
    builds: int


def run(folder: Path, *arguments: str | Path) -> Ended:
    """Run a command of the project and wait for it."""
    return wait_for(start(folder, *arguments))


def start(folder: Path, *arguments: str | Path) -> tuple[subprocess.Popen[bytes], Path, float]:
    """Start a command of the project; its output goes into a file."""
    output = Path(tempfile.mkstemp(dir=folder, suffix=".txt")[1])
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HARDFROST_CACHE": str(folder / "cache")}
    with output.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "hardfrost", *map(str, arguments)],
            cwd=folder,
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    return process, output, time.perf_counter()


def wait_for(started: tuple[subprocess.Popen[bytes], Path, float]) -> Ended:
    """Wait for a command; its memory is the most that it or a child of it ever had."""
    process, output, began = started
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ended(
        exit_code=process.returncode,
        seconds=time.perf_counter() - began,
        peak_bytes=used.ru_maxrss * 1024,
        printed=output.read_text(encoding="utf-8", errors="replace"),
    )


def submissions(folder: Path, options: Options) -> Iterator[str]:
    """Recheck one submission, then very many of the same size; yield what went wrong."""
    release, predictions = folder / "release", folder / "predictions.parquet"
    write_release(release, N_ROWS_SCORED)
    write_predictions(release, predictions, is_shuffled=False)
    result = score(release, predictions, ModelInfo(name="m"), options=ScoreOptions(resamples=RESAMPLES))
    for number in range(options.submissions):
        model = ModelInfo(name=f"model-{number:05d}", organisation="load")
        for results in ["one"] * (number == 0) + ["many"]:
            named = result.model_copy(update={"model": model})
            write_submission(named, predictions, folder / results, may_replace=False)
    one, many = (run(folder, "recheck", name, "--release", release) for name in ("one", "many"))
    n_same = many.printed.count("as scored anew")
    print(
        f"submissions   {options.submissions:,} rechecked, {n_same:,} as scored anew:"
        f" {_megabytes(many)} and {many.seconds:.0f} s; one alone: {_megabytes(one)}"
    )
    if (one.exit_code, many.exit_code, n_same) != (0, 0, options.submissions):
        yield f"recheck ended with {many.exit_code}: {many.printed[-300:]}"
    if many.peak_bytes > MOST_GROWTH * one.peak_bytes:
        yield "recheck: memory grows with the number of submissions"


def requests(folder: Path, options: Options) -> Iterator[str]:
    """Ask a slow and failing endpoint many things at once; yield what was lost or paid for twice."""
    built = run(folder, "build", "tiny", "-o", "tiny")
    if built.exit_code:
        yield f"build ended with {built.exit_code}: {built.printed[-300:]}"
        return
    prompt = folder / "prompt.txt"
    prompt.write_text("{text}\n{labels}", encoding="utf-8")
    # So slow that as many requests wait as are allowed.
    with FailingEndpoint(LABELS, slowest_seconds=options.requests * SECONDS_A_REQUEST) as endpoint:
        asked = run(
            folder,
            *("predict", "tiny", "--model", "api:load", "--base-url", endpoint.url, "-o", "answers.jsonl"),
            *("--prompt", prompt, "--concurrency", str(options.requests), "--timeout", "20"),
        )
    n_twice = sum(n > 1 for n in endpoint.answered.values())
    print(
        f"requests      {endpoint.n_requests:,}, at most {endpoint.most_at_once} at once,"
        f" {endpoint.failures.total():,} failed; {len(endpoint.answered):,} texts answered,"
        f" {n_twice} of them twice: {_megabytes(asked)} and {asked.seconds:.0f} s"
    )
    if asked.exit_code:
        yield f"predict ended with {asked.exit_code}: {asked.printed[-300:]}"
        return
    yield from _wrong_answers(folder, endpoint)
    if n_twice:
        yield f"predict: {n_twice} texts were answered and paid for twice"


def _wrong_answers(folder: Path, endpoint: FailingEndpoint) -> Iterator[str]:
    """Yield what is wrong with the predictions: each row once, with the label that its text was given."""
    rows = ReleaseRows.read(Release.open(folder / "tiny"), ("id", "text"))
    texts = dict(zip(rows.table["id"].to_pylist(), rows.table["text"].to_pylist(), strict=True))
    given = [json.loads(line) for line in (folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()]
    counts = Counter(row["id"] for row in given)
    if set(counts) != set(texts) or max(counts.values()) > 1:
        yield "predict: rows are missing or stand twice"
    by_text = {prompt.rpartition("\n")[0]: endpoint.label_of(prompt) for prompt in endpoint.answered}
    n_wrong = sum(row["prediction"] != by_text.get(texts.get(row["id"], "")) for row in given)
    if n_wrong:
        yield f"predict: {n_wrong} rows have another answer than their text was given"


def predictions(folder: Path, options: Options) -> Iterator[str]:
    """Score huge files: rows without end, and few rows that are very long; yield what took too much."""
    release = folder / "release"
    write_release(release, N_ROWS_SCORED)
    write_predictions(release, folder / "small.jsonl", is_shuffled=False)
    lines = (folder / "small.jsonl").read_bytes().splitlines()
    n_bytes = int(options.gigabytes * 1e9)
    for what, write in {"rows": _many_rows, "long rows": _long_rows}.items():
        path = folder / "huge.jsonl"
        write(path, lines, n_bytes)
        size = path.stat().st_size
        scored = run(
            folder, "score", release, path, "--model-name", "m", "-o", "result.json", "--resamples", "0"
        )
        path.unlink()
        state = "scored" if scored.exit_code == 0 else "refused"
        print(
            f"predictions   {size / 1e9:.1f} GB of {what}: {state}, {_megabytes(scored)} and"
            f" {scored.seconds:.0f} s"
        )
        if scored.exit_code not in {0, 3}:
            yield f"score ended with {scored.exit_code}: {scored.printed[-300:]}"
        if scored.peak_bytes > MOST_BYTES:
            yield f"score: {_megabytes(scored)} for {what}"


def _many_rows(path: Path, lines: Sequence[bytes], n_bytes: int) -> None:
    """Write the answers again and again."""
    block = b"\n".join(lines) + b"\n"
    with path.open("wb") as file:
        for _ in range(n_bytes // len(block) + 1):
            file.write(block)


def _long_rows(path: Path, lines: Sequence[bytes], n_bytes: int) -> None:
    """Write the answers once, each beside a very long text."""
    text = b"x" * (n_bytes // len(lines))
    with path.open("wb") as file:
        for line in lines:
            file.write(line[:-1] + b', "text": "' + text + b'"}\n')


def builds(folder: Path, options: Options) -> Iterator[str]:
    """Build the same recipe in many processes at once on one cache that is empty; yield what differs."""
    began = time.perf_counter()
    started = [start(folder, "build", "tiny", "-o", f"built-{number}") for number in range(options.builds)]
    ended = [wait_for(each) for each in started]
    failed = [each for each in ended if each.exit_code]
    hashes = {
        tuple(
            split.rows_sha256 for split in Manifest.read(folder / f"built-{number}" / "manifest.json").splits
        )
        for number, each in enumerate(ended)
        if not each.exit_code
    }
    print(
        f"builds        {options.builds} at once on one cache: {len(failed)} failed, {len(hashes)} different"
        f" releases, {time.perf_counter() - began:.0f} s"
    )
    yield from (f"build ended with {each.exit_code}: {each.printed[-300:]}" for each in failed)
    if len(hashes) > 1:
        yield "builds that share a cache differ"


def _megabytes(ended: Ended) -> str:
    return f"{ended.peak_bytes / 1e6:.0f} MB"


LOADS: dict[str, Callable[[Path, Options], Iterator[str]]] = {
    "submissions": submissions,
    "requests": requests,
    "predictions": predictions,
    "builds": builds,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Put every load on and print a line of figures each; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--submissions", type=int, default=2_000)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--gigabytes", type=float, default=5.0)
    parser.add_argument("--builds", type=int, default=10)
    parser.add_argument("--only", choices=list(LOADS), action="append")
    given = parser.parse_args(arguments)
    options = Options(
        submissions=given.submissions, requests=given.requests, gigabytes=given.gigabytes, builds=given.builds
    )
    problems = []
    for name in given.only or LOADS:
        with tempfile.TemporaryDirectory(prefix="load-") as folder:
            problems += list(LOADS[name](Path(folder), options))
    for problem in problems:
        print(f"FAILED  {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
