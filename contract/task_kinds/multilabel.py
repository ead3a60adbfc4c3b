"""Multilabel: any number of labels hold for a text, each for itself; a label may be unjudged."""

from contract.schema.manifest import TaskInfo
from contract.task_kinds.kind import Codes, ListedLabels, TaskKind

# From this probability on, a label is taken to hold.
DECISION = 0.5
HOLDS, HOLDS_NOT = 1, 0


def words(codes: Codes, task: TaskInfo) -> str:
    """Return the labels that hold, and those that nobody judged."""
    held = [name for name, code in zip(task.labels, codes, strict=True) if code == HOLDS]
    unjudged = [name for name, code in zip(task.labels, codes, strict=True) if code is None]
    return (", ".join(held) or "none") + (f" (not judged: {', '.join(unjudged)})" if unjudged else "")


MULTILABEL = TaskKind(
    name="multilabel",
    summary="any number of labels a text, each judged for itself",
    lists=ListedLabels(
        part="label",
        n_codes=lambda _text, task: len(task.labels),
        n_values=lambda _task: 2,
        may_lack=True,
        is_answered_by_probabilities=True,
        answer="`probabilities`: a number from 0 to 1 for each label, in the order of the task's labels;"
        " from 0.5 on a label is taken to hold",
        codes="for each label 1, 0, or nothing where nobody judged",
        words=words,
    ),
)
