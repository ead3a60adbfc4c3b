"""How far a case is from its original. One file a measure."""

from builder.measures.edit import EDIT
from builder.measures.embedding import EMBEDDING
from builder.measures.measure import BinMeasure, BudgetMeasure
from builder.measures.words import WORDS
from contract.machine.registry import Registry

MEASURES: Registry[BudgetMeasure] = Registry("measure", [EDIT, WORDS])
BIN_MEASURES: Registry[BinMeasure] = Registry("measure", [EMBEDDING])
