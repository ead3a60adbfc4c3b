"""Searches for cases: at random, or with the help of a model. One file a setting."""

from builder.searches.gradient import GRADIENT
from builder.searches.rule import RULE
from builder.searches.score import SCORE
from builder.searches.search import Search
from contract.machine.registry import Registry

SEARCHES: Registry[Search] = Registry("setting", [RULE, SCORE, GRADIENT])
