"""Trains or finds the surrogates of a build, several at a time."""

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from builder.recipe.recipe import Recipe
from builder.run.execute_unit import execute_unit
from builder.run.unit_runner import UnitRunner
from builder.surrogates.ready import ReadySurrogate, make_ready
from builder.surrogates.source_words import strong_words_of, with_strong_words, words_jobs
from builder.surrogates.sources import check_skill, marked_sources
from builder.surrogates.training import TrainingJob, training_jobs
from builder.tasks.task import Task
from builder.units.planning import Shard
from builder.units.store import UnitStore
from builder.units.units import CaseUnit
from contract.schema.timings import Timing


def train_surrogates(
    recipe: Recipe,
    tasks: Sequence[Task],
    runner: UnitRunner,
    *,
    shard: Shard | None = None,
    meanwhile: Sequence[CaseUnit] = (),
) -> list[ReadySurrogate]:
    """Train or find the surrogates of every task, in the manifest's order.

    Workers that have none to train do units which need none.
    """
    jobs = training_jobs(recipe, tasks)
    runner.progress.stage("surrogates", len(jobs))
    # Shards that share a cache begin with different ones, so that they do not wait for each other.
    first = 0 if shard is None else len(jobs) * (shard.number - 1) // shard.n_shards
    numbers = {id(job): number for number, job in enumerate(jobs)}
    ready: dict[int, ReadySurrogate] = {}
    surrogates: list[ReadySurrogate] = []
    work = partial(_do, store=runner.store)
    items: list[TrainingJob | CaseUnit] = [*jobs[first:], *jobs[:first], *meanwhile]
    for item, result in runner.pool.run(work, items):
        if isinstance(item, CaseUnit):
            runner.done.add(item.key)
            runner.progress.count({"cases": result.n_rows})
            continue
        ready[numbers[id(item)]] = result.surrogate
        runner.timings.append(result.timing)
        runner.progress.step()
        if len(ready) == len(jobs):
            surrogates = [surrogate for _, surrogate in sorted(ready.items())]
            # At once, though units may still be at work: a build that is refused is refused early.
            check_skill(recipe, surrogates)
    return marked_sources(recipe, surrogates)


def measure_strong_words(
    recipe: Recipe, tasks: Sequence[Task], surrogates: Sequence[ReadySurrogate], runner: UnitRunner
) -> list[ReadySurrogate]:
    """Return the surrogates, sources with their strongest words where a dimension takes them."""
    jobs = words_jobs(recipe, tasks, surrogates)
    if not jobs:
        return list(surrogates)
    runner.progress.stage("words", len(jobs))
    found = []
    for job, words in runner.pool.run(partial(strong_words_of, cache_path=runner.store.cache_path), jobs):
        found.append((job, words))
        runner.progress.step()
    return with_strong_words(surrogates, found)


class _Trained(NamedTuple):
    """A surrogate, and how long it took to train or to find it."""

    surrogate: ReadySurrogate
    timing: Timing


def _do(item: TrainingJob | CaseUnit, store: UnitStore) -> Any:
    """Train a surrogate, or make the cases of a unit."""
    return execute_unit(item, store) if isinstance(item, CaseUnit) else _train(item, store.cache_path)


def _train(job: TrainingJob, cache_path: Path) -> _Trained:
    start, cpu_start = time.perf_counter(), time.process_time()
    surrogate = make_ready(job, cache_path)
    seconds = round(time.perf_counter() - start, 3)
    info = surrogate.info
    timing = Timing(
        stage="surrogates",
        title=f"{info.name} of {info.task}",
        seconds=seconds,
        task=info.task,
        cpu_seconds=round(time.process_time() - cpu_start, 3),
        seconds_by_model={info.name: seconds},
    )
    return _Trained(surrogate, timing)
