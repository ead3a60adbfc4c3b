"""The plan of a build: its units of work, and which shard does which of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from builder.recipe.entries import DimensionRecipe
from builder.recipe.recipe import Recipe
from builder.searches import SEARCHES
from builder.searches.search import NO_DEGREE
from builder.surrogates.ready import ReadySurrogate, make_ready
from builder.surrogates.source_words import known_strong_words, with_strong_words, words_jobs
from builder.surrogates.sources import chosen_sources
from builder.surrogates.training import is_trained, training_jobs
from builder.tasks.task import Task, load_tasks
from builder.units.cells import Cell, cells_of
from builder.units.units import Attack, CaseUnit, PanelUnit, VoteUnit
from builder.values import associations
from builder.values.samples import Sample
from classifiers.machinery.classifier import CHEAP, MODERATE
from contract.machine.cache_folder import cache_path
from contract.machine.errors import ExitCode, UserError
from contract.machine.hashes import hash_of
from contract.schema.manifest import Setting
from contract.task_kinds import TASK_KINDS

SAMPLES_PER_UNIT = 64
# Of one degree: a unit holds its cases in memory, so that units of many cases a sample have fewer samples.
MOST_CASES_A_UNIT = 1_600
# Attempts against a source beyond its share, for those that filters drop or another source has, too.
N_SPARE = 1


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
class _Search:
    """One search among the samples of a cell: by which method, and against which source."""

    attack: Attack | None = None
    method: str | None = None
    # Of random cases; an attack has a number of its own.
    first_case: int = 0


@dataclass(frozen=True, kw_only=True)
class Plan:
    """All units of a build, in the order of the release."""

    recipe: Recipe
    tasks: list[Task]
    surrogates: list[ReadySurrogate]
    # The units that make the cases.
    case_units: list[CaseUnit]
    # Attacks can only be planned against surrogates that are trained.
    is_complete: bool = True
    # In a shard's part of a plan, the hash of the whole plan.
    whole_sha256: str | None = None

    @cached_property
    def sha256(self) -> str:
        """The hash of the whole plan: shards of the same build have the same."""
        if self.whole_sha256 is not None:
            return self.whole_sha256
        surrogates = [surrogate.info.model_dump(mode="json") for surrogate in self.surrogates]
        return hash_of([[unit.key for unit in self.case_units], surrogates])

    @cached_property
    def cells(self) -> list[Cell]:
        """The units of each task, dimension and setting, those that vote included."""
        return [cell for task in self.tasks for cell in self._cells_of(task)]

    @property
    def vote_units(self) -> list[VoteUnit | PanelUnit]:
        """The units that ask surrogates about the cases."""
        return [unit for cell in self.cells for unit in cell.vote_units]

    def of_shard(self, shard: Shard) -> "Plan":
        """Return a shard's part of the plan: units that are decided together stay together."""
        batches: dict[tuple[str, str, str, str], list[CaseUnit]] = {}
        for unit in self.case_units:
            batch = (unit.task, unit.samples[0].id, unit.dimension, unit.setting)
            batches.setdefault(batch, []).append(unit)
        task_order = {task.info.name: number for number, task in enumerate(self.tasks)}
        # Sorted by samples, not by dimension: a shard meets few tasks and so loads few surrogates.
        ordered = sorted(batches, key=lambda batch: (task_order[batch[0]], batch[1]))
        first, end = (len(ordered) * number // shard.n_shards for number in (shard.number - 1, shard.number))
        chosen = {unit.key for batch in ordered[first:end] for unit in batches[batch]}
        units = [unit for unit in self.case_units if unit.key in chosen]
        return replace(self, case_units=units, whole_sha256=self.sha256)

    def _cells_of(self, task: Task) -> Iterator[Cell]:
        panel = [surrogate for surrogate in self.surrogates if surrogate.info.task == task.info.name]
        return cells_of(
            [unit for unit in self.case_units if unit.task == task.info.name],
            task.info,
            [surrogate.ref for surrogate in panel],
            families=[surrogate.info.family for surrogate in panel],
            expensive=[surrogate.info.name for surrogate in panel if surrogate.cost > MODERATE],
            min_fooled=self.recipe.min_fooled,
            n_wanted={setting: getattr(self.recipe.cases, setting) for setting in self.recipe.settings},
        )


def plan_build(
    recipe: Recipe,
    tasks: list[Task],
    surrogates: list[ReadySurrogate],
    *,
    samples_per_unit: int = SAMPLES_PER_UNIT,
) -> Plan:
    """Cut the work into units; attacks need the surrogates, and without them are left out."""
    left_out = {task.name: task.without for task in recipe.tasks}
    n_samples = samples_a_unit(recipe, samples_per_unit)
    units = [
        unit
        for task in tasks
        for word_list in [associations.name_of(task.associations)]
        for dimension in recipe.dimensions
        if dimension.name not in left_out.get(task.info.name, ())
        for setting in recipe.settings
        if SEARCHES[setting].can_make(DIMENSIONS[dimension.name])
        for first in range(0, len(task.samples), n_samples)
        for unit in _units(
            recipe,
            task,
            dimension,
            setting,
            samples=task.samples[first : first + n_samples],
            word_list=word_list,
            surrogates=surrogates,
        )
    ]
    return Plan(recipe=recipe, tasks=tasks, surrogates=surrogates, case_units=units)


def samples_a_unit(recipe: Recipe, most: int = SAMPLES_PER_UNIT) -> int:
    """Return how many samples a unit has: no more than wanted, and than have room in memory."""
    n_cases: int = max(getattr(recipe.cases, setting) for setting in recipe.settings)
    return max(1, min(most, MOST_CASES_A_UNIT // n_cases))


def plan_so_far(recipe: Recipe, *, samples_per_unit: int = SAMPLES_PER_UNIT) -> Plan:
    """Return the plan as far as it is known before surrogates are trained; nothing is made."""
    tasks = load_tasks(recipe.tasks)
    jobs = training_jobs(recipe, tasks)
    is_known = all(is_trained(job, cache_path()) for job in jobs)
    surrogates = [make_ready(job, cache_path()) for job in jobs] if is_known else []
    found = [
        (job, words)
        for job in words_jobs(recipe, tasks, surrogates)
        for words in [known_strong_words(job, cache_path())]
        if words is not None
    ]
    if is_known and len(found) < len(words_jobs(recipe, tasks, surrogates)):
        is_known, surrogates = False, []
    surrogates = with_strong_words(surrogates, found)
    plan = plan_build(recipe, tasks, surrogates, samples_per_unit=samples_per_unit)
    return replace(plan, is_complete=is_known or recipe.settings == ("rule",))


def _units(
    recipe: Recipe,
    task: Task,
    dimension: DimensionRecipe,
    setting: Setting,
    *,
    samples: Sequence[Sample],
    word_list: str,
    surrogates: Sequence[ReadySurrogate],
) -> Iterator[CaseUnit]:
    """Yield a unit for each search among some samples: of every method, against every source."""
    n_cases, n_spare = getattr(recipe.cases, setting), 0
    # Without methods the setting's own search.
    methods = recipe.methods_of(dimension.name, setting) or (None,)
    searches: list[_Search] = [
        _Search(method=method, first_case=number * n_cases) for number, method in enumerate(methods)
    ]
    if setting != "rule":
        of_task = [surrogate for surrogate in surrogates if surrogate.info.task == task.info.name]
        sources = chosen_sources(recipe, setting, of_task)
        n_cases, n_spare = -(-n_cases // max(1, len(sources))), N_SPARE
        searches = list(
            _attacks(
                recipe,
                dimension,
                setting,
                methods=methods,
                sources=sources,
                surrogates=of_task,
                n_cases=n_cases + n_spare,
            )
        )
    level = DIMENSIONS[dimension.name].level
    for search in searches:
        yield CaseUnit(
            task=task.info.name,
            perturbed=task.info.perturbed,
            samples=tuple(samples),
            dimension=dimension.name,
            degrees=dimension.chosen_degrees or (NO_DEGREE,),
            setting=setting,
            n_cases=n_cases,
            n_spare=n_spare,
            seed=recipe.seed,
            # The thresholds of other levels change nothing here.
            filters=tuple(
                (part.name, tuple(sorted(part.chosen_thresholds.items())))
                for part in recipe.filters
                if level in FILTERS[part.name].levels
            ),
            associations=word_list,
            resources=recipe.resources,
            attack=search.attack,
            method=search.method,
            first_case=search.first_case,
            keeps_tokens=not TASK_KINDS[task.info.kind].may_change_tokens,
            strong_words=_strong_words(search.attack, dimension, task, surrogates),
        )


def _strong_words(
    attack: Attack | None, dimension: DimensionRecipe, task: Task, surrogates: Sequence[ReadySurrogate]
) -> tuple[tuple[str, ...], ...]:
    """Return by label the words of an attacked source, where the dimension takes them."""
    if attack is None or DIMENSIONS[dimension.name].degree_kind != "none":
        return ()
    (found,) = [
        surrogate.strong_words
        for surrogate in surrogates
        if (surrogate.info.task, surrogate.info.name) == (task.info.name, attack.source.name)
    ]
    if found is None:
        raise ValueError(f"{attack.source.name}: its strongest words were not measured before the plan")
    return tuple(tuple(each.word for each in of_label) for of_label in found.words)


def _attacks(
    recipe: Recipe,
    dimension: DimensionRecipe,
    setting: Setting,
    *,
    methods: Sequence[str | None],
    sources: Sequence[ReadySurrogate],
    surrogates: Sequence[ReadySurrogate],
    n_cases: int,
) -> Iterator[_Search]:
    """Yield the attacks on each source, then those of other tools, none with a number of another's case."""
    tools = dimension.attacks if setting == "score" else ()
    for number, source in enumerate(sources):
        # Gradients rank candidates themselves.
        screener = _cheaper(source, surrogates) if setting == "score" else None
        own = Attack(
            source=source.ref,
            screener=None if screener is None else screener.ref,
            max_queries=recipe.max_queries,
            first_case=number * n_cases,
            attacks_all=recipe.decoys,
        )
        for place, method in enumerate(methods):
            first_case = (place * len(sources) + number) * n_cases
            yield _Search(attack=replace(own, first_case=first_case), method=method)
        for place, tool in enumerate(tools):
            first_case = (len(methods) * len(sources) + number * len(tools) + place) * n_cases
            yield _Search(attack=replace(own, screener=None, first_case=first_case, tool=tool))


def _cheaper(source: ReadySurrogate, surrogates: Sequence[ReadySurrogate]) -> ReadySurrogate | None:
    """Return the cheapest surrogate if asking it saves anything."""
    cheapest = min(surrogates, key=lambda surrogate: surrogate.cost)
    return cheapest if source.cost > max(CHEAP, cheapest.cost) else None
