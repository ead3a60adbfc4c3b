"""Refuses what is offered for tasks with one label a text only."""

from collections.abc import Iterable

from contract.machine.errors import bad_input
from contract.schema.manifest import TaskInfo
from contract.task_kinds.classification import CLASSIFICATION


def need_one_label(tasks: Iterable[TaskInfo], what: str) -> None:
    """Raise an error that says which tasks have not one label a text; `what` asks for that."""
    others = [f"{task.name} ({task.kind})" for task in tasks if task.kind != CLASSIFICATION.name]
    if others:
        raise bad_input(
            f"{what} is offered for tasks with one label a text; {', '.join(others)} is of another kind:"
            " leave it out of the release, or do without"
        )
