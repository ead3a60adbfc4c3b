"""The flow of a build: load, perturb, measure, filter, vote, select, freeze."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from builder import associations, engine
from builder.freeze import Frozen, freeze
from builder.recipe import DimensionRecipe, Recipe
from builder.samples import Sample
from builder.searches.search import Tally
from builder.surrogates import prepare, training_jobs
from builder.tasks import Task, load_tasks
from builder.units import CaseUnit, Shelf, Unit, VoteUnit
from contract.files import cache_path
from contract.manifest import FunnelInfo, Manifest, Setting, SplitInfo, SurrogateInfo
from contract.names import split_path
from contract.progress import Progress
from contract.records import Record
from contract.release import check_replaceable

SAMPLES_A_UNIT = 64


@dataclass(frozen=True, kw_only=True)
class Plan:
    """All units of a build's cases, in the order of the release."""

    tasks: list[Task]
    units: list[CaseUnit]


def plan(recipe: Recipe) -> Plan:
    """Load the tasks and cut the work into units; nothing is made yet."""
    tasks = load_tasks(recipe.tasks)
    units = [
        _unit(recipe, task, dimension, setting, samples=samples, word_list=word_list)
        for task in tasks
        for word_list in [
            associations.keep(cache_path(), associations.learn(task.train, len(task.info.labels)))
        ]
        for dimension in recipe.dimensions
        for setting in recipe.settings
        for samples in _in_parts(task.samples)
    ]
    return Plan(tasks=tasks, units=units)


def build(
    recipe: Recipe, out: Path, progress: Progress, *, workers: int = 1, is_fresh: bool = False
) -> Manifest:
    """Make the release that a recipe describes; finished units of earlier builds are used again."""
    check_replaceable(out)
    shelf = Shelf(cache_path=cache_path())
    progress.stage("load", 1)
    planned = plan(recipe)
    progress.step()

    jobs = training_jobs(recipe, planned.tasks)
    progress.stage("surrogates", len(jobs))
    surrogates = []
    for job in jobs:
        surrogates.append(prepare(job, shelf.cache_path))
        progress.step()

    progress.stage("perturb", len(planned.units))
    _do(planned.units, shelf, progress, workers=workers, is_fresh=is_fresh)
    votes = [
        VoteUnit(cases=unit, surrogate=info.name, weights_sha256=info.weights_sha256)
        for unit in planned.units
        for info in surrogates
        if info.task == unit.task
    ]
    progress.stage("vote", len(votes))
    _do(votes, shelf, progress, workers=workers, is_fresh=is_fresh)

    splits = list(_splits(recipe, planned, shelf, surrogates))
    progress.stage("freeze", len(splits) + 1)
    return freeze(recipe, planned.tasks, surrogates, splits, out, on_split=progress.step)


def _unit(
    recipe: Recipe,
    task: Task,
    dimension: DimensionRecipe,
    setting: Setting,
    *,
    samples: Sequence[Sample],
    word_list: str,
) -> CaseUnit:
    return CaseUnit(
        task=task.info.name,
        perturbed=task.info.perturbed,
        samples=tuple(samples),
        dimension=dimension.name,
        degrees=dimension.chosen_degrees,
        setting=setting,
        n_cases=getattr(recipe.cases, setting),
        seed=recipe.seed,
        filters=tuple((part.name, tuple(sorted(part.chosen_thresholds.items()))) for part in recipe.filters),
        associations=word_list,
        resources=recipe.resources,
    )


def _in_parts(samples: Sequence[Sample]) -> Iterator[Sequence[Sample]]:
    for start in range(0, len(samples), SAMPLES_A_UNIT):
        yield samples[start : start + SAMPLES_A_UNIT]


def _do(units: Sequence[Unit], shelf: Shelf, progress: Progress, *, workers: int, is_fresh: bool) -> None:
    todo = units if is_fresh else [unit for unit in units if not shelf.is_done(unit)]
    progress.step(len(units) - len(todo))
    for _ in engine.run(todo, shelf, workers):
        progress.step()


def _splits(
    recipe: Recipe, planned: Plan, shelf: Shelf, surrogates: Sequence[SurrogateInfo]
) -> Iterator[Frozen]:
    """Yield each split's entry, rows and funnel; rows are read from the units when they are asked for."""
    for task in planned.tasks:
        voters = [info for info in surrogates if info.task == task.info.name]
        for dimension in recipe.dimensions:
            for setting in recipe.settings:
                units = [
                    unit
                    for unit in planned.units
                    if (unit.task, unit.dimension, unit.setting) == (task.info.name, dimension.name, setting)
                ]
                for degree in dimension.chosen_degrees:
                    yield _split(task, units, degree, shelf, voters)


def _split(
    task: Task, units: Sequence[CaseUnit], degree: float, shelf: Shelf, voters: Sequence[SurrogateInfo]
) -> Frozen:
    dimension, setting = units[0].dimension, units[0].setting
    tally = _sum_of_tallies([shelf.tallies(unit)[degree] for unit in units])
    split = SplitInfo(
        task=task.info.name,
        dimension=dimension,
        setting=setting,
        degree=degree,
        path=split_path(task.info.name, dimension, setting, degree),
        rows=0,
        samples=0,
    )
    funnel = FunnelInfo(
        task=task.info.name,
        dimension=dimension,
        setting=setting,
        degree=degree,
        n_samples=tally.n_samples,
        n_carrying=tally.n_carrying,
        n_candidates=tally.n_candidates,
        n_dropped=dict(tally.n_dropped),
        n_frozen=0,
        n_samples_frozen=0,
    )
    return Frozen(
        split=split, funnel=funnel, labels=task.info.labels, records=_voted(units, degree, shelf, voters)
    )


def _voted(
    units: Sequence[CaseUnit], degree: float, shelf: Shelf, voters: Sequence[SurrogateInfo]
) -> Iterator[Record]:
    """Yield the cases of a degree with the surrogates' votes."""
    for unit in units:
        votes = [
            shelf.votes(VoteUnit(cases=unit, surrogate=info.name, weights_sha256=info.weights_sha256))
            for info in voters
        ]
        for place, record in shelf.records(unit, degree):
            yield replace(record, surrogate_predictions=tuple(of_one[place] for of_one in votes))


def _sum_of_tallies(tallies: Sequence[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.add(tally)
    return total
