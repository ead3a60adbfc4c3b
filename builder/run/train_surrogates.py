"""Trains or finds the surrogates of a build, several at a time."""

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from builder.recipe.recipe import Recipe
from builder.run.unit_runner import UnitRunner
from builder.surrogates.ready import ReadySurrogate, make_ready
from builder.surrogates.sources import check_skill, marked_sources
from builder.surrogates.training import TrainingJob, training_jobs
from builder.tasks.task import Task
from builder.units.planning import Shard
from contract.schema.timings import Timing


def train_surrogates(
    recipe: Recipe, tasks: Sequence[Task], runner: UnitRunner, shard: Shard | None = None
) -> list[ReadySurrogate]:
    """Train or find the surrogates of every task, in the manifest's order."""
    jobs = training_jobs(recipe, tasks)
    runner.progress.stage("surrogates", len(jobs))
    # Shards that share a cache begin with different ones, so that they do not wait for each other.
    first = 0 if shard is None else len(jobs) * (shard.number - 1) // shard.n_shards
    numbers = {id(job): number for number, job in enumerate(jobs)}
    ready: dict[int, ReadySurrogate] = {}
    work = partial(_timed, cache_path=runner.store.cache_path)
    for job, (surrogate, timing) in runner.pool.run(work, [*jobs[first:], *jobs[:first]]):
        ready[numbers[id(job)]] = surrogate
        runner.timings.append(timing)
        runner.progress.step()
    surrogates = [surrogate for _, surrogate in sorted(ready.items())]
    check_skill(recipe, surrogates)
    return marked_sources(recipe, surrogates)


def _timed(job: TrainingJob, cache_path: Path) -> tuple[ReadySurrogate, Timing]:
    start, cpu_start = time.perf_counter(), time.process_time()
    surrogate = make_ready(job, cache_path)
    seconds = round(time.perf_counter() - start, 3)
    info = surrogate.info
    return surrogate, Timing(
        stage="surrogates",
        title=f"{info.name} of {info.task}",
        seconds=seconds,
        task=info.task,
        cpu_seconds=round(time.process_time() - cpu_start, 3),
        seconds_by_model={info.name: seconds},
    )
