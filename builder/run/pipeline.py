"""The flow of a build: load → train → perturb → measure → filter → vote → tier → freeze."""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from builder.dimensions import DIMENSIONS
from builder.engines.engine import Pool
from builder.engines.serial import SerialPool
from builder.panel.decisions import decided_cases
from builder.panel.funnel import funnel_of, queries_of
from builder.recipe.recipe import ATTACKED, Recipe
from builder.release.freeze import SplitDraft, freeze
from builder.run.decoys import decoys_recipe, with_other_labels, with_votes_on_decoys
from builder.run.effort import Effort
from builder.run.options import ExecutionOptions
from builder.run.train_surrogates import measure_strong_words, train_surrogates
from builder.run.unit_runner import UnitRunner
from builder.run.workspace import check_room_for, exclusive_workspace
from builder.surrogates.loading import unload_surrogates
from builder.tasks.task import Task, load_tasks
from builder.units.cells import Cell
from builder.units.planning import Plan, Shard, plan_build
from builder.units.store import UnitStore
from builder.units.units import CaseUnit
from builder.values import associations
from contract.machine.cache_folder import cache_path
from contract.machine.progress import Progress
from contract.release.release import check_replaceable
from contract.schema.late_drops import DROPS, write_drops
from contract.schema.manifest import Manifest, SplitInfo, Tier
from contract.schema.names import TRANSFERABLE, decoys_path, split_path
from contract.schema.timings import LOG, Timing, write_timings


def build(recipe: Recipe, out: Path, progress: Progress, options: ExecutionOptions | None = None) -> Manifest:
    """Make the release that a recipe describes; finished units of earlier builds are used again."""
    options = options or ExecutionOptions()
    check_replaceable(out)
    if recipe.decoys:
        check_replaceable(decoys_path(out))
    store = UnitStore(cache_path=cache_path())
    with exclusive_workspace(out, store.cache_path), options.pool() as pool:
        runner = UnitRunner(store=store, out=out, pool=pool, progress=progress, is_fresh=options.is_fresh)
        plan = make_units(recipe, runner, samples_per_unit=options.samples_per_unit)
        unload_surrogates()
        # Nodes of a cluster need not see the release's folder.
        writers = SerialPool() if options.engine == "ray" else pool
        manifest = freeze_plan(plan, runner, writers)
        if recipe.decoys:
            decoys = replace(runner, out=decoys_path(out), timings=[], done=set())
            made = make_units(
                decoys_recipe(recipe), decoys, samples_per_unit=options.samples_per_unit, are_decoys=True
            )
            freeze_plan(made, decoys, writers)
        return manifest


def make_units(
    recipe: Recipe,
    runner: UnitRunner,
    *,
    samples_per_unit: int,
    shard: Shard | None = None,
    are_decoys: bool = False,
) -> Plan:
    """Do every unit of a build, of a shard of it or of its decoys, that is not yet in the store."""
    start, cpu_start = time.perf_counter(), time.process_time()
    runner.progress.expect({})
    runner.progress.stage("load", 1)
    tasks = load_tasks(recipe.tasks)
    runner.progress.step()
    for task in tasks:
        runner.progress.say(task.account)
    cpu_seconds = round(time.process_time() - cpu_start, 3)
    runner.timings.append(Timing(stage="load", title="tasks", seconds=_since(start), cpu_seconds=cpu_seconds))

    for task in tasks:
        associations.keep(runner.store.cache_path, task.associations)
    is_part = shard is not None or are_decoys
    meanwhile = [] if is_part else units_without_models(recipe, tasks, runner, samples_per_unit)
    check_room_for(meanwhile, runner.store, runner.out)
    surrogates = train_surrogates(recipe, tasks, runner, shard=shard, meanwhile=meanwhile)
    surrogates = measure_strong_words(recipe, tasks, surrogates, runner)
    if are_decoys:
        surrogates = [with_votes_on_decoys(surrogate, tasks) for surrogate in surrogates]
        tasks = [with_other_labels(task) for task in tasks]

    plan = plan_build(recipe, tasks, surrogates, samples_per_unit=samples_per_unit)
    if shard is not None:
        plan = plan.of_shard(shard)
    effort = Effort(surrogates)
    runner.progress.expect(effort.by_stage(plan, is_frozen=shard is None))

    # Each unit is executed by execute.py: perturb, measure, filter are one unit, and voting is another.
    runner.make_cases(plan.case_units, effort)
    runner.ask_surrogates(plan.vote_units, effort)
    return plan


def units_without_models(
    recipe: Recipe, tasks: list[Task], runner: UnitRunner, samples_per_unit: int
) -> list[CaseUnit]:
    """Return units for workers that have no surrogate to train; with one worker none.

    Attacks on words begin with what the random cases of the same words have proposed, which takes a masked
    language model and stays with the worker that made it: those wait for each other.
    """
    if runner.pool.n_workers == 1:
        return []
    is_attacked = any(setting in ATTACKED for setting in recipe.settings)
    # Without surrogates there are no attacks in a plan.
    units = plan_build(recipe, tasks, [], samples_per_unit=samples_per_unit).case_units
    return runner.todo(
        [unit for unit in units if not (is_attacked and DIMENSIONS[unit.dimension].level == "word")]
    )


def freeze_plan(plan: Plan, runner: UnitRunner, writers: Pool) -> Manifest:
    """Decide which cases each split holds, write the release, and beside it the build's own records."""
    start, cpu_start = time.perf_counter(), time.process_time()
    lists = {task.info.name: task.lists for task in plan.tasks}
    splits = [
        replace(draft, lists=lists[cell.task.name])
        for cell in plan.cells
        for draft in drafts_of(cell, runner.store)
    ]
    queries = [entry for cell in plan.cells for entry in queries_of(cell, runner.store)]
    runner.progress.stage("freeze", len(splits) + 1)
    frozen = freeze(plan, splits, runner.out, queries=queries, pool=writers, on_split=runner.progress.step)
    timing = Timing(
        stage="freeze",
        title="splits",
        seconds=_since(start),
        n_rows=sum(split.rows for split in frozen.manifest.splits),
        n_bytes=sum(split.bytes or 0 for split in frozen.manifest.splits),
        # Of this process alone: workers that write splits do not say what they take.
        cpu_seconds=round(time.process_time() - cpu_start, 3),
    )
    write_timings(runner.out / LOG, [*runner.timings, timing])
    write_drops(runner.out / DROPS, frozen.drops)
    return frozen.manifest


def drafts_of(cell: Cell, store: UnitStore) -> Iterator[SplitDraft]:
    """Yield the splits of a cell; their cases are decided and read from the units when they are written."""
    for degree in cell.degrees:
        tiers: tuple[Tier | None, ...] = (None, TRANSFERABLE) if cell.is_attacked else (None,)
        yield SplitDraft(
            splits=tuple(
                SplitInfo(
                    task=cell.task.name,
                    dimension=cell.dimension,
                    setting=cell.setting,
                    degree=degree or None,
                    tier=tier,
                    path=split_path(cell.task.name, cell.dimension, cell.setting, degree or None, tier),
                    rows=0,
                    samples=0,
                )
                for tier in tiers
            ),
            funnel=funnel_of(cell, store, degree),
            labels=cell.task.labels,
            decided=partial(decided_cases, cell, store, degree),
        )


def _since(start: float) -> float:
    return round(time.perf_counter() - start, 3)
