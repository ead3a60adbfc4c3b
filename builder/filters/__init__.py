"""Filters, cheapest first: each says why it drops a case. One file a filter."""

from typing import NamedTuple

from builder.filters.degree import DEGREE
from builder.filters.filter import Filter
from builder.filters.label_words import LABEL_WORDS
from builder.filters.legibility import LEGIBILITY
from builder.filters.negation import NEGATION
from builder.filters.similarity import SIMILARITY
from contract.machine.registry import Registry

FILTERS: Registry[Filter] = Registry("filter", [DEGREE, LEGIBILITY, LABEL_WORDS, NEGATION, SIMILARITY])


class LastFilter(NamedTuple):
    """A filter of attacks that looks at more than a case, always there, set by a key of the recipe."""

    name: str
    summary: str


LAST_FILTERS = (
    LastFilter("transferability", "the source and `min_fooled` of the other surrogates must be fooled"),
    LastFilter("label-balance", "no label may have more than its clean share and `max_lean` of a split"),
)
ALL_FILTERS: Registry[Filter | LastFilter] = Registry("filter", [*FILTERS.values(), *LAST_FILTERS])
