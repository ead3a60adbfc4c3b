"""Tasks: where labelled rows come from. One file a source."""

from builder.tasks.task import SOURCES, Task, load_tasks

__all__ = ["SOURCES", "Task", "load_tasks"]
