"""Rules that keep what a statement entails, as AdvFever has them. A new one is a function and an entry."""

from dataclasses import replace

from builder.language.entailment.being import (
    AMONG,
    CALLED,
    COUNTRY,
    KIND_FIRST,
    NAME_HELD,
    THERE_EXISTS,
    WHAT_IT_IS,
)
from builder.language.entailment.doing import ABLE, MAKER, MAKER_LAST, OWNED, POSSIBLE, TRUE
from builder.language.entailment.places import WHERE_BORN, WHERE_IT_IS, YEAR, YEAR_CLEFT
from builder.language.transformations import TRANSFORMATIONS
from builder.language.transformations.transformation import Transformation
from contract.machine.registry import Registry

# Six are transformations of our syntax, which say the same as some of its rules.
_OF_SYNTAX = ("passive", "active", "cleft", "action-cleft", "identity", "there-insertion")

ENTAILMENT_RULES: Registry[Transformation] = Registry(
    "entailment rule",
    [
        THERE_EXISTS,
        CALLED,
        NAME_HELD,
        KIND_FIRST,
        WHAT_IT_IS,
        AMONG,
        COUNTRY,
        OWNED,
        MAKER,
        MAKER_LAST,
        ABLE,
        POSSIBLE,
        TRUE,
        WHERE_IT_IS,
        WHERE_BORN,
        YEAR,
        YEAR_CLEFT,
        *(replace(TRANSFORMATIONS[name], undoes=None) for name in _OF_SYNTAX),
    ],
)
