"""The kinds of tasks: what is labelled, and how rows and predictions say it. One file a kind."""

from contract.machine.registry import Registry
from contract.task_kinds.classification import CLASSIFICATION
from contract.task_kinds.kind import TaskKind
from contract.task_kinds.multilabel import MULTILABEL
from contract.task_kinds.tagging import TAGGING

TASK_KINDS: Registry[TaskKind] = Registry("task kind", [CLASSIFICATION, MULTILABEL, TAGGING])
