"""The plan: a build cut into units of work, named by what can change them, and dealt out to shards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from builder.recipe.recipe import DimensionRecipe, Recipe
from builder.searches import SEARCHES
from builder.surrogates.surrogates import Prepared, is_trained, make_ready, training_jobs
from builder.tasks import Task, load_tasks
from builder.units.units import Attack, CaseUnit
from builder.values import associations
from builder.values.samples import Sample
from classifiers.machinery.classifier import CHEAP
from contract.machine.cache_folder import cache_path
from contract.machine.errors import ExitCode, UserError
from contract.machine.hashes import hash_of
from contract.schema.manifest import Setting

SAMPLES_A_UNIT = 64


@dataclass(frozen=True, kw_only=True)
class Shard:
    """One part of a build that is done in several places, counted from 1."""

    number: int
    n_shards: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """Return the shard that I/N names."""
        number, _, n_shards = text.partition("/")
        if number.isdecimal() and n_shards.isdecimal() and 1 <= int(number) <= int(n_shards):
            return cls(number=int(number), n_shards=int(n_shards))
        raise UserError(
            f"--shard {text}: expected I/N with I from 1 to N, such as 2/8", exit_code=ExitCode.WRONG_USE
        )


@dataclass(frozen=True, kw_only=True)
class Plan:
    """All units of a build's cases, in the order of the release."""

    tasks: list[Task]
    surrogates: list[Prepared]
    units: list[CaseUnit]
    # Attacks can only be planned against surrogates that are trained.
    is_complete: bool = True
    # The hash of the whole plan, in a part of it.
    whole: str | None = None

    @cached_property
    def sha256(self) -> str:
        """The hash of the whole plan, by which shards know that they are parts of the same build."""
        if self.whole is not None:
            return self.whole
        surrogates = [prepared.info.model_dump(mode="json") for prepared in self.surrogates]
        return hash_of([[unit.key for unit in self.units], surrogates])

    def of_shard(self, shard: Shard) -> "Plan":
        """Return the part of a shard: what is judged together stays together, samples share their caches."""
        groups: dict[tuple[str, str, str, str], list[CaseUnit]] = {}
        for unit in self.units:
            place = (unit.task, unit.samples[0].id, unit.dimension, unit.setting)
            groups.setdefault(place, []).append(unit)
        order = {task.info.name: number for number, task in enumerate(self.tasks)}
        # Sorted by samples, not by dimension: a shard meets few tasks and so loads few surrogates.
        places = sorted(groups, key=lambda place: (order[place[0]], place[1]))
        first, end = (len(places) * number // shard.n_shards for number in (shard.number - 1, shard.number))
        own = {unit.key for place in places[first:end] for unit in groups[place]}
        return replace(self, units=[unit for unit in self.units if unit.key in own], whole=self.sha256)


def plan(recipe: Recipe, tasks: list[Task], surrogates: list[Prepared]) -> Plan:
    """Cut the work into units; attacks need the surrogates, and without them are left out."""
    units = [
        unit
        for task in tasks
        for word_list in [associations.name_of(task.associations)]
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
    return Plan(tasks=tasks, surrogates=surrogates, units=units)


def plan_so_far(recipe: Recipe) -> Plan:
    """Return the plan as far as it is known before surrogates are trained; nothing is made."""
    tasks = load_tasks(recipe.tasks)
    jobs = training_jobs(recipe, tasks)
    is_known = all(is_trained(job, cache_path()) for job in jobs)
    surrogates = [make_ready(job, cache_path()) for job in jobs] if is_known else []
    planned = plan(recipe, tasks, surrogates)
    return replace(planned, is_complete=is_known or recipe.settings == ("rule",))


def _units(
    recipe: Recipe,
    task: Task,
    dimension: DimensionRecipe,
    setting: Setting,
    *,
    samples: Sequence[Sample],
    word_list: str,
    surrogates: Sequence[Prepared],
) -> Iterator[CaseUnit]:
    """Yield the unit of some samples, or one for each source that the setting attacks."""
    attacks: list[Attack | None] = [None]
    if setting != "rule":
        of_task = [prepared for prepared in surrogates if prepared.info.task == task.info.name]
        attacks = list(_attacks(recipe, dimension, setting, of_task))
    level = DIMENSIONS[dimension.name].level
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
            # The thresholds of other levels change nothing here.
            filters=tuple(
                (part.name, tuple(sorted(part.chosen_thresholds.items())))
                for part in recipe.filters
                if level in FILTERS[part.name].levels
            ),
            associations=word_list,
            resources=recipe.resources,
            attack=attack,
        )


def _attacks(
    recipe: Recipe, dimension: DimensionRecipe, setting: Setting, surrogates: Sequence[Prepared]
) -> Iterator[Attack]:
    """Yield our attack on each source, then those of other tools, none with a number of another's case."""
    sources = [prepared for prepared in surrogates if prepared.info.name in recipe.sources_of(setting)]
    n_cases = getattr(recipe.cases, setting)
    tools = dimension.attacks if setting == "score" else ()
    for number, source in enumerate(sources):
        # Gradients rank candidates themselves.
        screener = _cheaper(source, surrogates) if setting == "score" else None
        own = Attack(
            source=source.weights,
            screener=None if screener is None else screener.weights,
            max_queries=recipe.max_queries,
            first_case=number * n_cases,
        )
        yield own
        for place, tool in enumerate(tools):
            first_case = len(sources) * n_cases + number * len(tools) + place
            yield replace(own, screener=None, first_case=first_case, tool=tool)


def _cheaper(source: Prepared, surrogates: Sequence[Prepared]) -> Prepared | None:
    """Return the cheapest surrogate if asking it saves anything."""
    cheapest = min(surrogates, key=lambda prepared: prepared.cost)
    return cheapest if source.cost > max(CHEAP, cheapest.cost) else None


def _in_parts(samples: Sequence[Sample]) -> Iterator[Sequence[Sample]]:
    for start in range(0, len(samples), SAMPLES_A_UNIT):
        yield samples[start : start + SAMPLES_A_UNIT]
