"""How tasks with many labels a text are scored: which classes their units have. One file a kind."""

from contract.machine.registry import Registry
from evaluator.scoring.kinds.multilabel import MULTILABEL_UNITS
from evaluator.scoring.kinds.tagging import TAGGING_UNITS
from evaluator.scoring.kinds.unit_kind import UnitKind

# A kind that is not here has one label a text.
UNIT_KINDS: Registry[UnitKind] = Registry("task kind", [MULTILABEL_UNITS, TAGGING_UNITS])
