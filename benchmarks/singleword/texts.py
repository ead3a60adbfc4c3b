"""A surrogate of a recipe with its task, trained unless the cache has it."""

from dataclasses import dataclass

from builder.recipe.recipe_file import find_recipe, read_recipe
from builder.surrogates.loading import surrogate_of
from builder.surrogates.training import TrainingJob, training_jobs, weights_of
from builder.tasks.task import Task, load_tasks
from classifiers.machinery.inference import Inference
from contract.machine.cache_folder import cache_path


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A task and one of its surrogates."""

    task: Task
    job: TrainingJob
    inference: Inference


def open_bench(recipe_name: str, kind: str, n_samples: int | None = None) -> Bench:
    """Return the first task of a recipe, with so many samples if given, and the surrogate of a kind."""
    recipe = read_recipe(find_recipe(recipe_name))
    if n_samples is not None:
        first, *others = recipe.tasks
        first = first.model_copy(update={"samples": n_samples})
        recipe = recipe.model_copy(update={"tasks": (first, *others)})
    task = load_tasks(recipe.tasks)[0]
    (job,) = [job for job in training_jobs(recipe, [task]) if job.recipe.kind == kind]
    return Bench(task=task, job=job, inference=surrogate_of(cache_path(), weights_of(job, cache_path())))
