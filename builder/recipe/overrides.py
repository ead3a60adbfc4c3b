"""Replaces parts of a recipe by what the command line names: other data sources, other surrogates."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from builder.recipe.file_paths import with_absolute_paths, with_absolute_surrogates
from builder.recipe.recipe import Recipe
from builder.recipe.surrogate_specs import check_surrogate
from contract.machine.errors import ExitCode, UserError
from contract.machine.registry import did_you_mean
from contract.schema.documents import validation_lines


def with_data_sources(recipe: Recipe, sources: Sequence[str], trains: Sequence[str]) -> Recipe:
    """Return the recipe with other data sources for its tasks, each given as TASK=SOURCE."""
    task_names = [task.name for task in recipe.tasks]
    for key, options in (("source", sources), ("train", trains)):
        for option in options:
            name, equals, data_source = option.partition("=")
            if not equals or name not in task_names:
                raise UserError(
                    f"--{key} {option}: expected TASK=SOURCE;{did_you_mean(name, task_names)}"
                    f" the tasks are: {', '.join(task_names)}",
                    exit_code=ExitCode.WRONG_USE,
                )
            tasks = tuple(
                task.model_copy(update={key: data_source}) if task.name == name else task
                for task in recipe.tasks
            )
            recipe = recipe.model_copy(update={"tasks": tasks})
    return with_absolute_paths(recipe, Path.cwd()) if sources or trains else recipe


def with_surrogates(recipe: Recipe, kinds: Sequence[str]) -> Recipe:
    """Return the recipe with other surrogates; a kind that it has keeps its name and its training."""
    for kind in kinds:
        check_surrogate(kind)
    # Of two surrogates of one kind the first stays: it is the last to be put into the dictionary.
    of_recipe = {surrogate.kind: surrogate.model_dump() for surrogate in reversed(recipe.surrogates)}
    surrogates = [of_recipe.get(kind, kind) for kind in kinds]
    raw = {**recipe.model_dump(mode="python"), "surrogates": surrogates, "sources": {}}
    try:
        changed = Recipe.model_validate(raw)
    except ValidationError as error:
        raise UserError("; ".join(validation_lines(error)), exit_code=ExitCode.WRONG_USE) from None
    return with_absolute_surrogates(changed, Path.cwd())
