"""A task as a resolved recipe has it: without paths of this machine and keys that stand there for nothing."""

from typing import Any

from builder.tasks.public_names import public_name

# Keys that came later, with their defaults: recipes that do not use them keep their hash.
_LATER_TASK_KEYS: dict[str, Any] = {
    "more_sources": [],
    "card": None,
    "least_samples": None,
    "kind": "classification",
    "without": [],
    "samples_before": 0,
    "samples_after": 0,
}
_LATER_COLUMNS: dict[str, Any] = {"labels": []}
_LATER_READ_OPTIONS: dict[str, Any] = {"empty": "refuse", "unknown": "refuse", "default_label": None}


def make_public(task: dict[str, Any]) -> None:
    """Take the paths of this machine out of a task, and keys that stand there for nothing."""
    for key in ("source", "train"):
        task[key] = task[key] and public_name(task[key])
    task["more_sources"] = [public_name(source) for source in task["more_sources"]]
    # How files would be read that were not given.
    del task["read_file"]
    for options in (task["read"], task["read_train"]):
        _drop_unused(options or {}, _LATER_READ_OPTIONS)
        _drop_unused((options or {}).get("columns", {}), _LATER_COLUMNS)
    _drop_unused(task, _LATER_TASK_KEYS)


def _drop_unused(section: dict[str, Any], later: dict[str, Any]) -> None:
    for key, default in later.items():
        if section.get(key) == default:
            section.pop(key, None)
