"""The flow of a build: load, train, perturb, measure, filter, vote or screen and hear, select, freeze."""

import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path

from builder.engines import ENGINES
from builder.engines.engine import EngineOptions, Pool
from builder.engines.serial import SerialPool
from builder.panel.selecting import Selection
from builder.recipe.recipe import Recipe
from builder.release.freeze import Frozen, freeze
from builder.run.effort import Effort
from builder.run.runner import Work
from builder.run.workspace import at_work
from builder.surrogates.surrogates import Prepared, TrainingJob, forget_surrogates, make_ready, training_jobs
from builder.tasks import Task, load_tasks
from builder.units.planning import Plan, Shard, plan
from builder.units.store import Shelf
from builder.values import associations
from classifiers.machinery.classifier import CHEAP
from contract.machine.cache_folder import cache_path
from contract.machine.progress import Progress
from contract.release.release import check_replaceable
from contract.schema.manifest import FunnelInfo, Manifest, SplitInfo
from contract.schema.names import split_path
from contract.schema.timings import LOG, Timing, write_timings


@dataclass(frozen=True, kw_only=True)
class Means:
    """By what means a build is made; the rows depend on none of it."""

    engine: str = "serial"
    workers: int | None = None
    address: str | None = None
    # Whether finished units are done again.
    is_fresh: bool = False

    def pool(self) -> AbstractContextManager[Pool]:
        """Open the engine."""
        return ENGINES[self.engine].open(EngineOptions(workers=self.workers, address=self.address))


@dataclass(frozen=True, kw_only=True)
class Made:
    """Everything that a release is frozen from."""

    plan: Plan
    selections: list[Selection]
    timings: list[Timing] = field(default_factory=list)


def build(
    recipe: Recipe, out: Path, progress: Progress, *, workers: int = 1, means: Means | None = None
) -> Manifest:
    """Make the release that a recipe describes; finished units of earlier builds are used again."""
    means = means or Means(engine="process" if workers > 1 else "serial", workers=workers)
    check_replaceable(out)
    shelf = Shelf(cache_path=cache_path())
    with at_work(out, shelf.cache_path), means.pool() as pool:
        made = make_units(recipe, shelf, pool, progress, out=out, is_fresh=means.is_fresh)
        forget_surrogates()
        # Nodes of a cluster need not see the release's folder.
        return freeze_made(recipe, made, out, progress, SerialPool() if means.engine == "ray" else pool)


def make_units(
    recipe: Recipe,
    shelf: Shelf,
    pool: Pool,
    progress: Progress,
    *,
    out: Path,
    is_fresh: bool = False,
    shard: Shard | None = None,
) -> Made:
    """Do every unit of a build, or those of a shard, that is not yet on the shelf."""
    progress.expect({})
    progress.stage("load", 1)
    start = time.perf_counter()
    tasks = load_tasks(recipe.tasks)
    timings = [Timing(stage="load", title="tasks", seconds=round(time.perf_counter() - start, 3))]
    progress.step()
    surrogates = _ready_surrogates(recipe, tasks, shelf, pool, progress, timings=timings, shard=shard)
    planned = plan(recipe, tasks, surrogates)
    if shard is not None:
        planned = planned.of_shard(shard)
    for task in tasks:
        associations.keep(shelf.cache_path, task.associations)
    selections = list(selections_of(recipe, planned, shelf))
    effort = Effort(surrogates)
    progress.expect(effort.by_stage(planned.units, selections, is_part=shard is not None))
    work = Work(shelf=shelf, out=out, pool=pool, progress=progress, effort=effort, is_fresh=is_fresh)
    work.perturb(planned.units)
    judging = work.judge(selections, is_part=shard is not None)
    timings += [shelf.timing(unit) for unit in [*planned.units, *judging]]
    return Made(plan=planned, selections=selections, timings=timings)


def freeze_made(recipe: Recipe, made: Made, out: Path, progress: Progress, pool: Pool) -> Manifest:
    """Write the release, and beside it, for its owner alone, how long everything took."""
    start = time.perf_counter()
    splits = [frozen for selection in made.selections for frozen in _splits(selection)]
    queries = [entry for selection in made.selections for entry in selection.queries()]
    progress.stage("freeze", len(splits) + 1)
    surrogates = [prepared.info for prepared in made.plan.surrogates]
    manifest = freeze(
        recipe,
        made.plan.tasks,
        surrogates,
        splits,
        out,
        queries=queries,
        pool=pool,
        on_split=progress.step,
    )
    frozen = Timing(
        stage="freeze",
        title="splits",
        seconds=round(time.perf_counter() - start, 3),
        n_rows=sum(split.rows for split in manifest.splits),
        n_bytes=sum(split.bytes or 0 for split in manifest.splits),
    )
    write_timings(out / LOG, [*made.timings, frozen])
    return manifest


def selections_of(recipe: Recipe, planned: Plan, shelf: Shelf) -> Iterator[Selection]:
    """Yield the finished units of each task, dimension and setting, in the order of the release."""
    tasks = {task.info.name: task.info for task in planned.tasks}
    for (task, *_), units in groupby(
        planned.units, key=lambda unit: (unit.task, unit.dimension, unit.setting)
    ):
        voters = [each for each in planned.surrogates if each.info.task == task]
        yield Selection(
            tasks[task],
            list(units),
            [each.weights for each in voters],
            shelf,
            late=[each.info.name for each in voters if each.cost > CHEAP],
            min_fooled=recipe.min_fooled,
            max_lean=recipe.max_lean,
        )


def _ready_surrogates(
    recipe: Recipe,
    tasks: Sequence[Task],
    shelf: Shelf,
    pool: Pool,
    progress: Progress,
    *,
    timings: list[Timing],
    shard: Shard | None,
) -> list[Prepared]:
    """Train or find the surrogates of every task, in the manifest's order."""
    jobs = training_jobs(recipe, tasks)
    progress.stage("surrogates", len(jobs))
    # Shards that share a cache begin with different ones, so that they do not wait for each other.
    first = 0 if shard is None else len(jobs) * (shard.number - 1) // shard.n_shards
    places = {id(job): place for place, job in enumerate(jobs)}
    ready: dict[int, Prepared] = {}
    for job, (prepared, seconds) in pool.run(
        partial(_timed, cache_path=shelf.cache_path), [*jobs[first:], *jobs[:first]]
    ):
        ready[places[id(job)]] = prepared
        title = f"{prepared.info.name} of {prepared.info.task}"
        timings.append(Timing(stage="surrogates", title=title, seconds=seconds, task=prepared.info.task))
        progress.step()
    sources = {name for setting in recipe.settings for name in recipe.sources_of(setting)}
    return [
        replace(each, info=each.info.model_copy(update={"is_source": each.info.name in sources}))
        for _, each in sorted(ready.items())
    ]


def _timed(job: TrainingJob, cache_path: Path) -> tuple[Prepared, float]:
    start = time.perf_counter()
    return make_ready(job, cache_path), round(time.perf_counter() - start, 3)


def _splits(selection: Selection) -> Iterator[Frozen]:
    """Yield each split's entry, rows and funnel; rows are read from the units when they are asked for."""
    info = selection.task
    names = {"task": info.name, "dimension": selection.dimension, "setting": selection.setting}
    for degree in selection.degrees:
        tally = selection.tally(degree)
        path = split_path(info.name, selection.dimension, selection.setting, degree)
        yield Frozen(
            split=SplitInfo(**names, degree=degree, path=path, rows=0, samples=0),
            funnel=FunnelInfo(
                **names,
                degree=degree,
                n_samples=tally.n_samples,
                n_carrying=tally.n_carrying,
                n_candidates=tally.n_candidates,
                n_dropped=dict(tally.n_dropped),
                n_frozen=0,
                n_samples_frozen=0,
                attacks=selection.attacks(degree),
            ),
            labels=info.labels,
            tables=partial(selection.tables, degree),
        )
