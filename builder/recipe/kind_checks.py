"""Refuses what a task's kind cannot have: attacks, and dimensions that change what is labelled."""

from collections.abc import Sequence

from builder.dimensions import DIMENSIONS
from builder.tasks.listed import LISTED_KINDS
from builder.tasks.task_recipe import TaskRecipe
from contract.machine.registry import did_you_mean


def check_kind(task: TaskRecipe, dimensions: Sequence[str], attacked: Sequence[str]) -> None:
    """Raise an error where a task cannot have the dimensions, or the attacked settings, of its recipe."""
    for name in task.without:
        if name not in dimensions:
            raise ValueError(
                f"without of task {task.name}: {name!r} is no dimension of this recipe;"
                f"{did_you_mean(name, dimensions)}"
            )
    kept = [name for name in dimensions if name not in task.without]
    if not kept:
        raise ValueError(f"without of task {task.name}: every dimension is left out; keep one")
    if task.kind not in LISTED_KINDS:
        return
    if attacked:
        raise ValueError(
            f"settings: task {task.name} is {task.kind}, for which there is no attack"
            f" ({', '.join(attacked)}), only the setting rule; give it a recipe of its own with"
            " `settings: [rule]`"
        )
    kind = LISTED_KINDS[task.kind]
    refused = [name for name in kept if not kind.takes(DIMENSIONS[name])]
    if refused:
        raise ValueError(
            f"dimensions: {', '.join(refused)} {kind.why_not}, so that the {task.kind} task {task.name}"
            " cannot have it; name it under the task's `without`, or leave it out"
        )
