"""Classification: a text, or a pair of texts, has one label."""

from contract.task_kinds.kind import TaskKind

CLASSIFICATION = TaskKind(name="classification", summary="one label a text")
