"""The syntactic transformations. A new one is a file, an import and an entry here."""

from builder.language.transformations.action_clefts import ACTION_CLEFT
from builder.language.transformations.adverb_places import ADVERB_PLACE
from builder.language.transformations.adverbial_clefts import ADVERBIAL_CLEFT
from builder.language.transformations.adverbials import ADVERB_FRONTING, CLAUSE_FRONTING, PHRASE_FRONTING
from builder.language.transformations.appositions import APPOSITION_EXPANSION, APPOSITION_REDUCTION
from builder.language.transformations.attribution import ATTRIBUTION_FIRST, ATTRIBUTION_LAST
from builder.language.transformations.clefts import CLEFT, PSEUDO_CLEFT
from builder.language.transformations.complementizer import COMPLEMENTIZER
from builder.language.transformations.completion import COMPLETION, ELLIPSIS
from builder.language.transformations.concessions import CONCESSION
from builder.language.transformations.conditionals import CONDITION
from builder.language.transformations.connectors import CONNECTOR
from builder.language.transformations.contraction import CONTRACTION, EXPANSION
from builder.language.transformations.coordination import ADJECTIVE_ORDER, COORDINATION, PAIR_ORDER
from builder.language.transformations.dates import DATE
from builder.language.transformations.datives import DATIVE
from builder.language.transformations.days import DAY_FRONTING, DAY_PREPOSITION
from builder.language.transformations.existence import THERE_INSERTION, THERE_PRESENTATION, THERE_REMOVAL
from builder.language.transformations.existence_relatives import THERE_RELATIVE
from builder.language.transformations.extraposition import EXTRAPOSITION
from builder.language.transformations.framing import FRAMING, QUESTION_FRAMING, TEXT_FRAMING
from builder.language.transformations.genitives import GENITIVE
from builder.language.transformations.identities import IDENTITY
from builder.language.transformations.lists import LIST_ORDER
from builder.language.transformations.modals import MODAL
from builder.language.transformations.object_clefts import OBJECT_CLEFT
from builder.language.transformations.opinions import OPINION
from builder.language.transformations.participle_clauses import PARTICIPLE_CLAUSE
from builder.language.transformations.participles import PARTICIPLE
from builder.language.transformations.particles import PARTICLE
from builder.language.transformations.places import PLACE
from builder.language.transformations.purposes import PURPOSE
from builder.language.transformations.question_clefts import QUESTION_CLEFT
from builder.language.transformations.question_existence import QUESTION_EXISTENCE
from builder.language.transformations.question_fronting import QUESTION_FRONTING
from builder.language.transformations.question_manner import QUESTION_MANNER
from builder.language.transformations.question_nominals import QUESTION_NOMINAL
from builder.language.transformations.question_order import QUESTION_ORDER
from builder.language.transformations.question_phrases import QUESTION_PHRASE
from builder.language.transformations.question_possibility import QUESTION_POSSIBILITY
from builder.language.transformations.question_reasons import QUESTION_REASON
from builder.language.transformations.question_statements import QUESTION_STATEMENT
from builder.language.transformations.question_stranding import QUESTION_PREPOSITION
from builder.language.transformations.question_superlatives import QUESTION_SUPERLATIVE
from builder.language.transformations.question_voice import QUESTION_ACTIVE, QUESTION_PASSIVE
from builder.language.transformations.questions import INDIRECT_QUESTION
from builder.language.transformations.reasons import REASON
from builder.language.transformations.relatives import (
    ADJECTIVE_CLAUSE,
    RELATIVE_EXPANSION,
    RELATIVE_PRONOUN,
    RELATIVE_REDUCTION,
)
from builder.language.transformations.requests import REQUEST
from builder.language.transformations.sentences import JOIN, SPLIT
from builder.language.transformations.sources import SOURCE
from builder.language.transformations.speech import SPEECH_ORDER
from builder.language.transformations.titles import TITLE
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
        PAIR_ORDER,
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
        QUESTION_CLEFT,
        QUESTION_REASON,
        QUESTION_PHRASE,
        QUESTION_ACTIVE,
        QUESTION_PASSIVE,
        QUESTION_FRONTING,
        QUESTION_PREPOSITION,
        QUESTION_SUPERLATIVE,
        QUESTION_NOMINAL,
        QUESTION_POSSIBILITY,
        QUESTION_ORDER,
        ACTION_CLEFT,
        ADVERBIAL_CLEFT,
        OBJECT_CLEFT,
        PURPOSE,
        SOURCE,
        OPINION,
        ADVERB_PLACE,
        REQUEST,
        APPOSITION_EXPANSION,
        APPOSITION_REDUCTION,
        DATIVE,
        PARTICLE,
        CONDITION,
        REASON,
        CONCESSION,
        EXTRAPOSITION,
        THERE_RELATIVE,
        DAY_FRONTING,
        DAY_PREPOSITION,
        PARTICIPLE,
        TITLE,
        SPEECH_ORDER,
        PLACE,
        QUESTION_EXISTENCE,
        QUESTION_MANNER,
        QUESTION_STATEMENT,
        DATE,
        MODAL,
        LIST_ORDER,
        PARTICIPLE_CLAUSE,
        IDENTITY,
        CONNECTOR,
        INDIRECT_QUESTION,
    ],
)
