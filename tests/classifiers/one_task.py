"""A task and a request to load a classifier for it, without a release."""

from pathlib import Path
from typing import Any

from classifiers import LoadRequest
from contract.schema.manifest import TaskInfo

SENTIMENT = ("negative", "positive")


def a_task(labels: tuple[str, ...] = SENTIMENT, fields: tuple[str, ...] = ("text",)) -> TaskInfo:
    """Return a task of these labels and fields."""
    return TaskInfo(
        name="mr", labels=labels, fields=fields, source="made", licence="made", n_samples=1, n_train=0
    )


def a_request(argument: str, task: TaskInfo | None = None, **others: Any) -> LoadRequest:
    """Return what a classifier is loaded with."""
    return LoadRequest(
        argument=argument, task=task or a_task(), release=None, cache_path=Path("unused"), **others
    )
