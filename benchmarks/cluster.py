"""What a hundred tasks of a hundred thousand samples would take, from the timings of a build made here."""

import math
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from builder.recipe.recipe import Recipe
from builder.tasks.task import load_tasks
from builder.units.planning import SAMPLES_PER_UNIT, plan_build
from contract.release.release import Release
from contract.schema.timings import LOG, Timing, read_timings

N_TASKS = 100
N_SAMPLES = 100_000
CORES = 1000
PLANNED_SAMPLES = 4000


def extrapolated(path: Path) -> Iterator[str]:
    """Yield tables of core-hours by stage, and of what grows beyond one machine first."""
    manifest = Release.open(path).manifest
    timings = read_timings(path / LOG)
    here = sum(task.n_samples for task in manifest.tasks)
    there = N_TASKS * N_SAMPLES
    groups: dict[tuple[str, str], list[Timing]] = {}
    for timing in timings:
        groups.setdefault((timing.stage, timing.setting), []).append(timing)
    yield (
        f"From {manifest.name} {manifest.version}: {here:,} samples, {len(manifest.dimensions)} dimensions,"
        f" {len(manifest.surrogates)} surrogates."
    )
    yield ""
    yield f"| stage | here, ms a sample | rows a second | {N_TASKS} × {N_SAMPLES:,} samples, core-hours |"
    yield "| --- | --- | --- | --- |"
    total = 0.0
    for (stage, setting), members in groups.items():
        seconds = sum(each.seconds for each in members)
        n_rows = sum(each.n_rows for each in members)
        # Training takes as long for a large task as for a small one; loading and freezing do not.
        factor = N_TASKS / len(manifest.tasks) if stage == "surrogates" else there / here
        hours = seconds * factor / 3600
        total += hours
        rate = f"{n_rows / seconds:,.0f}" if n_rows and seconds else ""
        yield f"| {stage} {setting} | {seconds / here * 1000:,.0f} | {rate} | {hours:,.0f} |"
    yield f"| all | | | {total:,.0f} |"
    yield ""
    yield from _limits(timings, here, there, total)


def _limits(timings: list[Timing], here: int, there: int, hours: float) -> Iterator[str]:
    """Yield what one machine would have to hold and do alone."""
    n_pieces = sum(bool(timing.dimension) for timing in timings)
    n_units = n_pieces / math.ceil(here / SAMPLES_PER_UNIT) * there / SAMPLES_PER_UNIT
    n_bytes = sum(timing.n_bytes for timing in timings)
    freezing = sum(timing.seconds for timing in timings if timing.stage == "freeze") * there / here / 3600
    a_unit, seconds_a_unit = _planning()
    yield "| what | measured here | there |"
    yield "| --- | --- | --- |"
    yield f"| work on {CORES:,} cores | | {hours / CORES:,.0f} hours |"
    a_sample = n_bytes / here
    yield f"| disk | {a_sample / 1000:,.0f} kB a sample | {a_sample * there / 1e12:.1f} TB |"
    yield f"| files in the cache | two a unit | {2 * n_units / 1e6:.0f} million |"
    yield (
        f"| the plan, in every process that builds | {a_unit / 1000:.1f} kB and"
        f" {seconds_a_unit * 1000:.1f} ms a unit | {a_unit * n_units / 1e9:.0f} GB,"
        f" {seconds_a_unit * n_units / 3600:.1f} hours |"
    )
    yield f"| freezing, one process | | {freezing:,.0f} hours |"
    yield f"| the same, one recipe a task | | {freezing / N_TASKS:,.1f} hours each |"


def _planning() -> tuple[float, float]:
    """Return the bytes and the seconds that a unit takes in a plan."""
    raw = {
        "name": "planned",
        "version": "1",
        "tasks": [{"name": "mr", "source": "mr", "samples": PLANNED_SAMPLES}],
        "dimensions": ["typo-malicious", "typo-general", "glyph-malicious", "glyph-general"],
    }
    recipe = Recipe.model_validate(raw)
    tasks = load_tasks(recipe.tasks)
    # Once for the caches of code hashes, once for the clock, once for the memory.
    _ = plan_build(recipe, tasks, []).sha256
    start = time.perf_counter()
    _ = plan_build(recipe, tasks, []).sha256
    seconds = time.perf_counter() - start
    tracemalloc.start()
    planned = plan_build(recipe, tasks, [])
    _ = planned.sha256
    n_bytes, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return n_bytes / len(planned.case_units), seconds / len(planned.case_units)
