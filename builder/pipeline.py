"""The flow of a build: load, train, perturb, measure, filter, vote or screen, select, freeze."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path

from builder import associations, engine
from builder.dimensions import DIMENSIONS
from builder.freeze import Frozen, freeze
from builder.recipe import DimensionRecipe, Recipe
from builder.samples import Sample
from builder.searches import SEARCHES
from builder.selecting import Selection
from builder.shelf import Shelf
from builder.surrogates import is_trained, prepare, surrogate_of, training_jobs
from builder.tasks import Task, load_tasks
from builder.units import Attack, CaseUnit, Unit, Weights
from classifiers.classifier import CHEAP
from contract.files import cache_path
from contract.manifest import FunnelInfo, Manifest, Setting, SplitInfo, SurrogateInfo
from contract.names import split_path
from contract.progress import Progress
from contract.release import check_replaceable

SAMPLES_A_UNIT = 64


@dataclass(frozen=True, kw_only=True)
class Plan:
    """All units of a build's cases, in the order of the release."""

    tasks: list[Task]
    units: list[CaseUnit]
    # Attacks can only be planned against surrogates that are trained.
    is_complete: bool = True


def plan(recipe: Recipe, tasks: list[Task], surrogates: Sequence[SurrogateInfo]) -> Plan:
    """Cut the work into units; attacks need the surrogates, and without them are left out."""
    units = [
        unit
        for task in tasks
        for word_list in [
            associations.keep(cache_path(), associations.learn(task.train, len(task.info.labels)))
        ]
        for dimension in recipe.dimensions
        for setting in recipe.settings
        if DIMENSIONS[dimension.name].level in SEARCHES[setting].levels
        for samples in _in_parts(task.samples)
        for unit in _units(
            recipe,
            task,
            dimension,
            setting,
            samples=samples,
            word_list=word_list,
            surrogates=surrogates,
        )
    ]
    return Plan(tasks=tasks, units=units)


def plan_so_far(recipe: Recipe) -> Plan:
    """Return the plan as far as it is known before surrogates are trained; nothing is made."""
    tasks = load_tasks(recipe.tasks)
    jobs = training_jobs(recipe, tasks)
    known = all(is_trained(job, cache_path()) for job in jobs)
    planned = plan(recipe, tasks, [prepare(job, cache_path()) for job in jobs] if known else [])
    return replace(planned, is_complete=known or recipe.settings == ("rule",))


def build(
    recipe: Recipe, out: Path, progress: Progress, *, workers: int = 1, is_fresh: bool = False
) -> Manifest:
    """Make the release that a recipe describes; finished units of earlier builds are used again."""
    check_replaceable(out)
    shelf = Shelf(cache_path=cache_path())
    progress.stage("load", 1)
    tasks = load_tasks(recipe.tasks)
    progress.step()

    jobs = training_jobs(recipe, tasks)
    progress.stage("surrogates", len(jobs))
    surrogates = []
    for job in jobs:
        info = prepare(job, shelf.cache_path)
        is_source = any(info.name in recipe.sources_of(setting) for setting in recipe.settings)
        surrogates.append(info.model_copy(update={"is_source": is_source}))
        progress.step()

    planned = plan(recipe, tasks, surrogates)
    progress.stage("perturb", len(planned.units))
    _do(planned.units, shelf, progress, workers=workers, is_fresh=is_fresh)
    selections = list(_selections(recipe, planned, surrogates, shelf))
    judging = [unit for selection in selections for unit in selection.judging()]
    progress.stage("vote", len(judging))
    _do(judging, shelf, progress, workers=workers, is_fresh=is_fresh)

    splits = [frozen for selection in selections for frozen in _splits(selection)]
    queries = [entry for selection in selections for entry in selection.queries()]
    progress.stage("freeze", len(splits) + 1)
    return freeze(recipe, tasks, surrogates, splits, out, queries=queries, on_split=progress.step)


def _units(
    recipe: Recipe,
    task: Task,
    dimension: DimensionRecipe,
    setting: Setting,
    *,
    samples: Sequence[Sample],
    word_list: str,
    surrogates: Sequence[SurrogateInfo],
) -> Iterator[CaseUnit]:
    """Yield the unit of some samples, or one for each source that the setting attacks."""
    attacks: list[Attack | None] = [None]
    if setting != "rule":
        of_task = [info for info in surrogates if info.task == task.info.name]
        attacks = list(_attacks(recipe, dimension, setting, of_task))
    for attack in attacks:
        yield CaseUnit(
            task=task.info.name,
            perturbed=task.info.perturbed,
            samples=tuple(samples),
            dimension=dimension.name,
            degrees=dimension.chosen_degrees,
            setting=setting,
            n_cases=getattr(recipe.cases, setting),
            seed=recipe.seed,
            filters=tuple(
                (part.name, tuple(sorted(part.chosen_thresholds.items()))) for part in recipe.filters
            ),
            associations=word_list,
            resources=recipe.resources,
            attack=attack,
        )


def _attacks(
    recipe: Recipe, dimension: DimensionRecipe, setting: Setting, surrogates: Sequence[SurrogateInfo]
) -> Iterator[Attack]:
    """Yield our attack on each source, then those of other tools, none with a number of another's case."""
    sources = [info for info in surrogates if info.name in recipe.sources_of(setting)]
    n_cases = getattr(recipe.cases, setting)
    tools = dimension.attacks if setting == "score" else ()
    for number, info in enumerate(sources):
        # Gradients rank candidates themselves.
        screener = _cheaper(info, surrogates) if setting == "score" else None
        own = Attack(
            source=_weights(info),
            screener=None if screener is None else _weights(screener),
            max_queries=recipe.max_queries,
            first_case=number * n_cases,
        )
        yield own
        for place, tool in enumerate(tools):
            first_case = len(sources) * n_cases + number * len(tools) + place
            yield replace(own, screener=None, first_case=first_case, tool=tool)


def _cheaper(source: SurrogateInfo, surrogates: Sequence[SurrogateInfo]) -> SurrogateInfo | None:
    """Return the cheapest surrogate if asking it saves anything."""
    costs = {info.name: surrogate_of(cache_path(), info.weights_sha256).cost for info in surrogates}
    cheapest = min(surrogates, key=lambda info: costs[info.name])
    return cheapest if costs[source.name] > max(CHEAP, costs[cheapest.name]) else None


def _weights(info: SurrogateInfo) -> Weights:
    return Weights(name=info.name, sha256=info.weights_sha256)


def _in_parts(samples: Sequence[Sample]) -> Iterator[Sequence[Sample]]:
    for start in range(0, len(samples), SAMPLES_A_UNIT):
        yield samples[start : start + SAMPLES_A_UNIT]


def _do(units: Sequence[Unit], shelf: Shelf, progress: Progress, *, workers: int, is_fresh: bool) -> None:
    todo = [unit for unit in units if is_fresh or not shelf.is_done(unit)]
    # What asks no source goes first: attacks then find in the cache what it has embedded.
    todo.sort(key=lambda unit: isinstance(unit, CaseUnit) and unit.attack is not None)
    progress.step(len(units) - len(todo))
    for _ in engine.run(todo, shelf, workers):
        progress.step()


def _selections(
    recipe: Recipe, planned: Plan, surrogates: Sequence[SurrogateInfo], shelf: Shelf
) -> Iterator[Selection]:
    """Yield the finished units of each task, dimension and setting, in the order of the release."""
    tasks = {task.info.name: task for task in planned.tasks}
    for (task, *_), units in groupby(
        planned.units, key=lambda unit: (unit.task, unit.dimension, unit.setting)
    ):
        voters = [_weights(info) for info in surrogates if info.task == task]
        yield Selection(tasks[task], list(units), voters, recipe.min_fooled, shelf)


def _splits(selection: Selection) -> Iterator[Frozen]:
    """Yield each split's entry, rows and funnel; rows are read from the units when they are asked for."""
    info = selection.task.info
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
            records=partial(selection.records, degree),
        )
