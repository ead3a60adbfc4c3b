"""Decoys: the cases that an attack would make if another label were right.

Published without labels, an attacked case tells its label: it moves away from it. With decoys, a sample has
cases that move away from every label alike, so that all of them together depend on its text alone.
"""

from dataclasses import replace

from builder.recipe.recipe import Recipe
from builder.surrogates.ready import ReadySurrogate
from builder.tasks.task import Task
from builder.values.samples import Sample
from contract.schema.names import DECOYS, decoy_sample


def decoys_recipe(recipe: Recipe) -> Recipe:
    """Return the recipe under which decoys are frozen; it differs by the name alone."""
    return recipe.model_copy(update={"name": f"{recipe.name}{DECOYS}"})


def with_other_labels(task: Task) -> Task:
    """Return the task with every sample once for each label that is not its own."""
    samples = [decoy for sample in task.samples for decoy in _decoys(sample, len(task.info.labels))]
    info = task.info.model_copy(update={"n_samples": len(samples)})
    return replace(task, info=info, samples=samples)


def with_votes_on_decoys(surrogate: ReadySurrogate, tasks: list[Task]) -> ReadySurrogate:
    """Return a surrogate with its answers on the samples as decoys have them."""
    (task,) = [task for task in tasks if task.info.name == surrogate.info.task]
    n_decoys = len(task.info.labels) - 1
    votes = tuple(vote for vote in surrogate.clean_votes for _ in range(n_decoys))
    return surrogate.model_copy(update={"clean_votes": votes})


def _decoys(sample: Sample, n_labels: int) -> list[Sample]:
    return [
        replace(sample, id=decoy_sample(sample.id, label), label=label)
        for label in range(n_labels)
        if label != sample.label
    ]
