"""The splits of a release as questions: what every export asks, in the same words."""

from collections.abc import Iterator

from contract.machine.errors import bad_input
from contract.release.release import Release
from contract.schema.manifest import SplitInfo, TaskInfo
from contract.schema.names import TRAIN
from contract.task_kinds.refusing import need_one_label


def splits_to_ask(release: Release) -> list[SplitInfo]:
    """Return each split that a model answers, by its first file; without labels others cannot score."""
    if release.manifest.labels == "withheld":
        raise bad_input(f"{release.path}: its labels are withheld; only their owner can score answers")
    need_one_label(release.manifest.tasks, "an export")
    asked = [split for split in release.manifest.splits if split.rows and split.dimension != TRAIN]
    return list({(split.config, split.name): split for split in reversed(asked)}.values())[::-1]


def files_of(release: Release, split: SplitInfo) -> list[SplitInfo]:
    """Return all files that have rows of a split: those in a tier stand in a file of their own."""
    name = (split.config, split.name)
    return [one for one in release.manifest.splits if one.rows and (one.config, one.name) == name]


def task_name(release: Release, split: SplitInfo) -> str:
    """Return the name by which harnesses know a split."""
    return f"hardfrost_{release.manifest.name}_{split.config}_{split.name}"


def question_of(task: TaskInfo) -> str:
    """Return the question about a text or a pair of texts."""
    return f"Which label is right: {' or '.join(task.labels)}?"


def fields_of(task: TaskInfo) -> Iterator[tuple[str, str]]:
    """Yield the name of each text in the original data, and the column that holds it."""
    columns = ("text", "text_pair")
    for name, column in zip(task.fields, columns, strict=False):
        # Data without a header numbers its columns; a number says nothing in a prompt.
        yield (column if name.isdigit() else name).replace("_", " ").capitalize(), column
