"""Filters, cheapest first: each says why it drops a case. One file a filter."""

from builder.filters.antonyms import ANTONYMS
from builder.filters.degree import DEGREE
from builder.filters.entities import ENTITIES
from builder.filters.filter import Filter
from builder.filters.fluency import FLUENCY
from builder.filters.label_words import LABEL_WORDS
from builder.filters.legibility import LEGIBILITY
from builder.filters.negation import NEGATION
from builder.filters.part_of_speech import PART_OF_SPEECH
from builder.filters.second_similarity import SECOND_SIMILARITY
from builder.filters.similarity import SIMILARITY
from builder.filters.word_modification import WORD_MODIFICATION
from contract.machine.registry import Registry

FILTERS: Registry[Filter] = Registry(
    "filter",
    [
        DEGREE,
        WORD_MODIFICATION,
        LEGIBILITY,
        LABEL_WORDS,
        NEGATION,
        ANTONYMS,
        ENTITIES,
        PART_OF_SPEECH,
        SIMILARITY,
        SECOND_SIMILARITY,
        FLUENCY,
    ],
)
