"""Replaces parts of a recipe by what the command line names: other data sources, dimensions, surrogates."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from builder.recipe.file_paths import with_absolute_paths, with_absolute_surrogates
from builder.recipe.recipe import Recipe
from builder.recipe.surrogate_specs import check_surrogate
from builder.tasks.task_recipe import ReadOptions, TaskRecipe
from contract.machine.errors import ExitCode, UserError
from contract.machine.registry import did_you_mean
from contract.machine.yaml_files import parse_yaml
from contract.schema.documents import validation_lines

# In the place of a data source of training rows: what the data source of the samples has beside them.
REST = "rest"


def with_data_sources(
    recipe: Recipe, sources: Sequence[str], trains: Sequence[str], reads: Sequence[str] = ()
) -> Recipe:
    """Return the recipe with other data sources for its tasks, each given as TASK=SOURCE.

    Of several for one task the rows follow each other. A file is read as the task's `read_file` says, or as
    TASK={…}, a mapping of read options, says.
    """
    if not (sources or trains or reads):
        return recipe
    tasks = {task.name: task for task in recipe.tasks}
    replaced: set[str] = set()
    for name, source in _by_task("--source", sources, tasks):
        if name in replaced:
            task = tasks[name]
            tasks[name] = task.model_copy(update={"more_sources": (*task.more_sources, source)})
            continue
        replaced.add(name)
        tasks[name] = _with_source(tasks[name], source)
    for name, source in _by_task("--train", trains, tasks):
        tasks[name] = _with_train(tasks[name], source)
    for name, text in _by_task("--read", reads, tasks):
        options = _read_options(f"--read {name}", text)
        task = tasks[name]
        update: dict[str, ReadOptions | None] = {"read": options}
        # Files that were given; a data set on the Hub keeps its own columns.
        if task.train is not None and task.train.startswith("file:"):
            update["read_train"] = options
        tasks[name] = task.model_copy(update=update)
    raw = {
        **recipe.model_dump(mode="python"),
        "tasks": [task.model_dump(mode="python") for task in tasks.values()],
    }
    return with_absolute_paths(_validated(raw), Path.cwd())


def _with_source(task: TaskRecipe, source: str) -> TaskRecipe:
    update: dict[str, Any] = {"source": source, "more_sources": ()}
    if task.read_file is not None and source.startswith("file:"):
        # Training rows that stay where they are keep their columns.
        update |= {"read": task.read_file, "read_train": task.read_train or task.read}
    return task.model_copy(update=update)


def _with_train(task: TaskRecipe, source: str) -> TaskRecipe:
    if source == REST:
        return task.model_copy(update={"train": None, "read_train": None})
    if task.read_file is not None and source.startswith("file:"):
        return task.model_copy(update={"train": source, "read_train": task.read_file})
    return task.model_copy(update={"train": source})


def _by_task(option: str, given: Sequence[str], tasks: Mapping[str, TaskRecipe]) -> Iterator[tuple[str, str]]:
    """Yield the task and what it is given, of TASK=SOURCE."""
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or name not in tasks:
            what = "{…}" if option == "--read" else "SOURCE"
            raise UserError(
                f"{option} {each}: expected TASK={what};{did_you_mean(name, tasks)}"
                f" the tasks are: {', '.join(tasks)}",
                exit_code=ExitCode.WRONG_USE,
            )
        yield name, value


def _read_options(option: str, text: str) -> ReadOptions:
    """Return the options that a mapping in YAML's short form stands for."""
    example = "{header: false, columns: {text: 1, label: 0}}"
    try:
        return ReadOptions.model_validate(parse_yaml(text, option).value)
    except ValidationError as error:
        lines = "; ".join(validation_lines(error))
        raise UserError(
            f"{option}: {lines}; expected read options such as {example}", exit_code=ExitCode.WRONG_USE
        ) from None


def with_part(recipe: Recipe, part: str | None) -> Recipe:
    """Return the recipe of one part of the benchmark: its share of every task's samples, under a new name."""
    if part is None:
        return recipe
    if part not in recipe.parts:
        known = f" the parts are: {', '.join(recipe.parts)}" if recipe.parts else " the recipe has no `parts`"
        raise UserError(
            f"--part {part}: no such part;{did_you_mean(part, recipe.parts)}{known}",
            exit_code=ExitCode.WRONG_USE,
        )
    names = list(recipe.parts)
    before = sum(recipe.parts[name] for name in names[: names.index(part)])
    raw = {
        **recipe.model_dump(mode="python"),
        "name": f"{recipe.name}-{part}",
        "parts": {},
        "tasks": [_task_of_part(task, before, recipe.parts[part]) for task in recipe.tasks],
    }
    return _validated(raw)


def _task_of_part(task: TaskRecipe, before: float, share: float) -> dict[str, Any]:
    """Return a task with the samples from one share of all to another; the others stay untouched."""
    start, stop = round(before * task.samples), round((before + share) * task.samples)
    return {
        **task.model_dump(mode="python"),
        "samples": stop - start,
        "samples_before": start,
        "samples_after": task.samples - stop,
    }


def _validated(raw: Mapping[str, Any]) -> Recipe:
    try:
        return Recipe.model_validate(raw)
    except ValidationError as error:
        raise UserError("; ".join(validation_lines(error)), exit_code=ExitCode.WRONG_USE) from None


def with_dimensions(recipe: Recipe, names: Sequence[str]) -> Recipe:
    """Return the recipe with some of its dimensions, or with others; those that it has keep their degrees."""
    of_recipe = {dimension.name: dimension.model_dump() for dimension in recipe.dimensions}
    return _validated(
        {
            **recipe.model_dump(mode="python"),
            "dimensions": [of_recipe.get(name, {"name": name}) for name in names],
        }
    )


def with_surrogates(recipe: Recipe, kinds: Sequence[str]) -> Recipe:
    """Return the recipe with other surrogates; a kind that it has keeps its name and its training."""
    for kind in kinds:
        check_surrogate(kind)
    # Of two surrogates of one kind the first stays: it is the last to be put into the dictionary.
    of_recipe = {surrogate.kind: surrogate.model_dump() for surrogate in reversed(recipe.surrogates)}
    surrogates = [of_recipe.get(kind, kind) for kind in kinds]
    raw = {**recipe.model_dump(mode="python"), "surrogates": surrogates, "sources": {}}
    return with_absolute_surrogates(_validated(raw), Path.cwd())
