"""The syntactic transformations. A new one is a file, an import and an entry here."""

from builder.language.transformations.adverbials import ADVERB_FRONTING, CLAUSE_FRONTING, PHRASE_FRONTING
from builder.language.transformations.attribution import ATTRIBUTION_FIRST, ATTRIBUTION_LAST
from builder.language.transformations.clefts import CLEFT, PSEUDO_CLEFT
from builder.language.transformations.complementizer import COMPLEMENTIZER
from builder.language.transformations.completion import COMPLETION, ELLIPSIS
from builder.language.transformations.contraction import CONTRACTION, EXPANSION
from builder.language.transformations.coordination import ADJECTIVE_ORDER, COORDINATION
from builder.language.transformations.existence import THERE_INSERTION, THERE_PRESENTATION, THERE_REMOVAL
from builder.language.transformations.framing import FRAMING, QUESTION_FRAMING, TEXT_FRAMING
from builder.language.transformations.genitives import GENITIVE
from builder.language.transformations.questions import INDIRECT_QUESTION
from builder.language.transformations.relatives import (
    ADJECTIVE_CLAUSE,
    RELATIVE_EXPANSION,
    RELATIVE_PRONOUN,
    RELATIVE_REDUCTION,
)
from builder.language.transformations.sentences import JOIN, SPLIT
from builder.language.transformations.transformation import Transformation
from builder.language.transformations.voice import ACTIVE, PASSIVE
from contract.machine.registry import Registry

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
