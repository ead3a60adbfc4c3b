"""Makes the file paths of a recipe absolute, so that a build finds them from any folder."""

from pathlib import Path

from builder.recipe.recipe import Recipe
from builder.recipe.surrogate_specs import surrogate_from


def with_absolute_paths(recipe: Recipe, folder: Path) -> Recipe:
    """Return the recipe with its relative paths found from a folder."""

    def absolute(name: str | None) -> str | None:
        if name is None or not name.startswith("file:"):
            return name
        return f"file:{(folder / name.removeprefix('file:')).resolve()}"

    tasks = tuple(
        task.model_copy(
            update={
                "source": absolute(task.source),
                "more_sources": tuple(map(absolute, task.more_sources)),
                "train": absolute(task.train),
            }
        )
        for task in recipe.tasks
    )
    lexicons = tuple(absolute(lexicon) for lexicon in recipe.lexicons)
    update = {
        "tasks": tasks,
        "encoder": absolute(recipe.encoder),
        "second_encoder": recipe.second_encoder and absolute(recipe.second_encoder),
        "lexicons": lexicons,
        "misspellings": absolute(recipe.misspellings),
    }
    return with_absolute_surrogates(recipe.model_copy(update=update), folder)


def with_absolute_surrogates(recipe: Recipe, folder: Path) -> Recipe:
    """Return the recipe with the files of its surrogates found from a folder."""
    surrogates = tuple(
        surrogate.model_copy(update={"kind": surrogate_from(folder, surrogate.kind)})
        for surrogate in recipe.surrogates
    )
    return recipe.model_copy(update={"surrogates": surrogates})
