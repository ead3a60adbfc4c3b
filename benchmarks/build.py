"""What a build takes, with two trees of code one after the other, and whether the rows stay the same.

Run on a quiet machine:
    python -m benchmarks.build default --before ../other-checkout --workers 2 [--docs]
    python -m benchmarks.build sst2.yaml --before ../other-checkout -- --source sst2=file:dev.tsv
    python -m benchmarks.build --release DIR          only where the time of a finished build went
What stands after `--` goes to `hardfrost build`. Each build begins with an empty cache. With --docs the
tables go into docs/scale.md. Exit code 4: the rows of some split are not the same.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from contract.machine.errors import ExitCode
from contract.release.release import MANIFEST, Release
from contract.schema.manifest import Manifest
from contract.schema.timings import LOG, Timing, read_timings

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/scale.md"
BEGIN, END = "<!-- time, by benchmarks/build.py -->", "<!-- end of time -->"
# Groups that take less than this share of all are added up in one line.
LEAST_SHARE = 0.01


@dataclass(frozen=True, kw_only=True)
class Build:
    """A finished build: what it took by the clock and by the processor, and its own records."""

    seconds: float
    cpu_seconds: float
    peak_megabytes: float
    manifest: Manifest
    timings: Sequence[Timing]

    @property
    def work_seconds(self) -> float:
        """The seconds of all pieces of work, on however many workers."""
        return sum(timing.seconds for timing in self.timings)

    @property
    def share_in_models(self) -> float:
        """The share of the work that is spent inside models."""
        return sum(map(in_models, self.timings)) / max(self.work_seconds, 1e-9)

    @property
    def idle_share(self) -> float:
        """The share of the cores' time in which they did nothing for the build."""
        cores = len(os.sched_getaffinity(0))
        return max(0.0, 1 - self.cpu_seconds / (self.seconds * cores))


def in_models(timing: Timing) -> float:
    """Return the seconds inside models; a log of older code only knows training and questions."""
    if timing.seconds_by_model:
        return timing.seconds_in_models
    return timing.seconds if timing.stage == "surrogates" else timing.model_seconds


def run_build(tree: Path, recipe: str, folder: Path, workers: int, options: Sequence[str]) -> Build:
    """Build a recipe with the code of a tree, from an empty cache."""
    out, cache = folder / "release", folder / "cache"
    cache.mkdir(parents=True)
    command = [sys.executable, "-m", "hardfrost", "build", recipe, "-o", str(out), "--workers", str(workers)]
    start = time.perf_counter()
    # The folder in which Python starts comes first among those it imports from.
    process = subprocess.Popen(
        [*command, *options],
        cwd=tree,
        env={**os.environ, "HARDFROST_CACHE": str(cache), "PYTHONPATH": str(tree)},
        stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{tree}: the build failed with exit code {process.returncode}")
    return Build(
        seconds=time.perf_counter() - start,
        # That of its workers, too, since it waits for them.
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        peak_megabytes=usage.ru_maxrss / 1024,
        manifest=Release.open(out).manifest,
        timings=read_timings(out / LOG),
    )


def compared(before: Build, after: Build) -> Iterator[str]:
    """Yield what both builds took, and the ratios."""
    yield "| what | before | after | ratio |"
    yield "| --- | ---: | ---: | ---: |"
    figures: list[tuple[str, Callable[[Build], float]]] = [
        ("wall time, s", lambda build: build.seconds),
        ("processor time, s", lambda build: build.cpu_seconds),
        ("largest process, MB", lambda build: build.peak_megabytes),
    ]
    for name, figure in figures:
        old, new = figure(before), figure(after)
        yield f"| {name} | {old:,.0f} | {new:,.0f} | {new / old:.2f} |"
    yield f"| work inside models | {before.share_in_models:.0%} | {after.share_in_models:.0%} | |"
    yield f"| cores idle | {before.idle_share:.0%} | {after.idle_share:.0%} | |"


def where_time_goes(before: Sequence[Timing] | None, after: Sequence[Timing]) -> Iterator[str]:
    """Yield a table by stage, one by dimension and setting, and one by model."""
    groupings: list[tuple[str, Callable[[Sequence[Timing]], dict[str, float]]]] = [
        ("stage", lambda timings: _sums(timings, lambda timing: timing.stage)),
        ("stage, dimension, setting", lambda timings: _sums(timings, _split_of)),
        ("model, stage", _by_model),
    ]
    for number, (title, grouped) in enumerate(groupings):
        if number:
            yield ""
        yield from _table(title, None if before is None else grouped(before), grouped(after))


def differing(before: Manifest, after: Manifest) -> list[str]:
    """Return the files of splits whose rows are not the same in both."""
    rows = {split.path: (split.rows, split.rows_sha256) for split in before.splits}
    others = {split.path: (split.rows, split.rows_sha256) for split in after.splits}
    return [path for path in {**rows, **others} if rows.get(path) != others.get(path)]


def _split_of(timing: Timing) -> str:
    if not timing.dimension:
        return ""
    return f"{timing.stage} {timing.dimension} {timing.setting}"


def _sums(timings: Sequence[Timing], name_of: Callable[[Timing], str]) -> dict[str, float]:
    """Return the seconds of each group; pieces without a name belong to none."""
    sums: dict[str, float] = {}
    for timing in timings:
        name = name_of(timing)
        if name:
            sums[name] = sums.get(name, 0.0) + timing.seconds
    return sums


def _by_model(timings: Sequence[Timing]) -> dict[str, float]:
    """Return the seconds inside each model and stage; a log of older code does not tell models apart."""
    sums: dict[str, float] = {}
    for timing in timings:
        of_piece = timing.seconds_by_model or {
            timing.title.partition(" of ")[0] if timing.stage == "surrogates" else "any": in_models(timing)
        }
        for model, seconds in of_piece.items():
            name = f"{model}, {timing.stage}"
            sums[name] = sums.get(name, 0.0) + seconds
    return {name: seconds for name, seconds in sums.items() if seconds}


def _table(title: str, before: dict[str, float] | None, after: dict[str, float]) -> Iterator[str]:
    """Yield a table of seconds, the longest first; small groups are added up at the end."""
    older = before or {}
    names = sorted({*older, *after}, key=lambda name: (-max(older.get(name, 0), after.get(name, 0)), name))
    totals = sum(older.values()), sum(after.values())
    shown = [
        name
        for name in names
        if older.get(name, 0) > LEAST_SHARE * totals[0] or after.get(name, 0) > LEAST_SHARE * totals[1]
    ]
    rows = [(name, older.get(name, 0.0), after.get(name, 0.0)) for name in shown]
    if len(shown) < len(names):
        old_rest = totals[0] - sum(old for _, old, _ in rows)
        new_rest = totals[1] - sum(new for _, _, new in rows)
        rows.append((f"{len(names) - len(shown)} smaller ones", old_rest, new_rest))
    if before is None:
        yield f"| {title} | seconds | share |"
        yield "| --- | ---: | ---: |"
        for name, _, seconds in rows:
            yield f"| {name} | {seconds:,.1f} | {seconds / max(totals[1], 1e-9):.0%} |"
        return
    yield f"| {title} | before, s | after, s | ratio |"
    yield "| --- | ---: | ---: | ---: |"
    for name, old, new in rows:
        yield f"| {name} | {old:,.1f} | {new:,.1f} | {f'{new / old:.2f}' if old else ''} |"


def written_into(page: str, lines: Sequence[str]) -> str:
    """Return the page with the lines between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "\n".join([f"{before}{BEGIN}", *lines, f"{END}{after}"])


def _report(options: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Return the lines to print, and the splits that differ."""
    if options.release is not None:
        return list(where_time_goes(None, read_timings(options.release / LOG))), []
    recipe = str(Path(options.recipe).resolve()) if Path(options.recipe).is_file() else options.recipe
    with tempfile.TemporaryDirectory(prefix="hardfrost-") as folder:
        builds = [
            run_build(tree.resolve(), recipe, Path(folder) / name, options.workers, options.options)
            for name, tree in (("before", options.before), ("after", ROOT))
        ]
    before, after = builds
    different = differing(before.manifest, after.manifest)
    manifest = after.manifest
    n_samples = sum(task.n_samples for task in manifest.tasks)
    sizes = f"{n_samples:,} samples, {len(manifest.surrogates)} surrogates, workers: {options.workers}"
    lines = [
        f"{manifest.name} {manifest.version}: {sizes}.",
        "",
        *compared(before, after),
        "",
        f"Rows are the same in {len(manifest.splits) - len(different):,} of {len(manifest.splits):,} splits.",
        *(f"- other rows: {path}" for path in different),
        "",
        *where_time_goes(before.timings, after.timings),
    ]
    return lines, different


def main() -> None:
    """Build twice or read one log, print the tables, and with --docs write them into the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("recipe", nargs="?", default="default", help="a recipe's file or name")
    parser.add_argument("--before", type=Path, help="another checkout of this project")
    parser.add_argument("--release", type=Path, help=f"a release that was built here, with its {LOG}")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--docs", action="store_true")
    arguments = sys.argv[1:]
    place = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:place])
    options.options = arguments[place + 1 :]
    if options.release is None and options.before is None:
        parser.error("give --before, another checkout, or --release, a finished build")
    if options.release is not None and not (options.release / MANIFEST).is_file():
        parser.error(f"--release {options.release}: there is no {MANIFEST}")
    lines, different = _report(options)
    print("\n".join(lines))
    if options.docs:
        page = written_into(PAGE.read_text(encoding="utf-8"), lines)
        PAGE.write_text(page, encoding="utf-8", newline="\n")
    if different:
        sys.exit(ExitCode.MISMATCH)


if __name__ == "__main__":
    main()
