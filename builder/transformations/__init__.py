"""The syntactic transformations. A new one is a file, an import and an entry here."""

from builder.transformations.adverbials import ADVERB_FRONTING, CLAUSE_FRONTING, PHRASE_FRONTING
from builder.transformations.attribution import ATTRIBUTION_FIRST, ATTRIBUTION_LAST
from builder.transformations.clefts import CLEFT, PSEUDO_CLEFT
from builder.transformations.complementizer import COMPLEMENTIZER
from builder.transformations.completion import COMPLETION, ELLIPSIS
from builder.transformations.contraction import CONTRACTION, EXPANSION
from builder.transformations.coordination import ADJECTIVE_ORDER, COORDINATION
from builder.transformations.existence import THERE_INSERTION, THERE_PRESENTATION, THERE_REMOVAL
from builder.transformations.framing import FRAMING, QUESTION_FRAMING, TEXT_FRAMING
from builder.transformations.genitives import GENITIVE
from builder.transformations.questions import INDIRECT_QUESTION
from builder.transformations.relatives import (
    ADJECTIVE_CLAUSE,
    RELATIVE_EXPANSION,
    RELATIVE_PRONOUN,
    RELATIVE_REDUCTION,
)
from builder.transformations.sentences import JOIN, SPLIT
from builder.transformations.transformation import Transformation
from builder.transformations.voice import ACTIVE, PASSIVE
from contract.registry import Registry

TRANSFORMATIONS: Registry[Transformation] = Registry(
    "transformation",
    [
        FRAMING,
        TEXT_FRAMING,
        QUESTION_FRAMING,
        COMPLETION,
        ELLIPSIS,
        CONTRACTION,
        EXPANSION,
        CLAUSE_FRONTING,
        PHRASE_FRONTING,
        ADVERB_FRONTING,
        COORDINATION,
        ADJECTIVE_ORDER,
        GENITIVE,
        RELATIVE_EXPANSION,
        RELATIVE_REDUCTION,
        RELATIVE_PRONOUN,
        ADJECTIVE_CLAUSE,
        COMPLEMENTIZER,
        PASSIVE,
        ACTIVE,
        CLEFT,
        PSEUDO_CLEFT,
        THERE_INSERTION,
        THERE_PRESENTATION,
        THERE_REMOVAL,
        SPLIT,
        JOIN,
        ATTRIBUTION_LAST,
        ATTRIBUTION_FIRST,
        INDIRECT_QUESTION,
    ],
)
