"""How rows with many labels are read: one file a kind of task."""

from builder.tasks.listed.listed_kind import ListedKind
from builder.tasks.listed.multilabel import MULTILABEL_ROWS
from builder.tasks.listed.tagging import TAGGING_ROWS
from contract.machine.registry import Registry

# A kind that is not here has one label a text.
LISTED_KINDS: Registry[ListedKind] = Registry("task kind", [MULTILABEL_ROWS, TAGGING_ROWS])
