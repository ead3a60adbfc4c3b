"""Filters, cheapest first: each says why it drops a case. One file a filter."""

from builder.filters.degree import DEGREE
from builder.filters.filter import Filter
from contract.registry import Registry

FILTERS: Registry[Filter] = Registry("filter", [DEGREE])
