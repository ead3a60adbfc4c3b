"""What a filter is: candidates in, a reason to drop each or none, out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from builder.models.resources import ResourceName, Resources
from builder.operations.dimension import AnyDimension
from contract.schema.manifest import Level
from contract.schema.records import Record

# One reason (or None) for each candidate.
Reasons = list[str | None]


@dataclass(frozen=True, kw_only=True)
class FilterContext:
    """What a filter may look at beside the candidates: all of one task and dimension."""

    dimension: AnyDimension
    thresholds: Mapping[str, float]
    degrees: tuple[float, ...] = ()
    resources: Resources = field(default_factory=Resources)


@dataclass(frozen=True, kw_only=True)
class Filter:
    """A check of many candidates at a time; thresholds are the recipe's or its own.

    A filter that measures may note what it found: the rows of what is kept are frozen with it.
    """

    name: str
    summary: str
    check: Callable[[FilterContext, Sequence[Record]], Reasons]
    thresholds: Mapping[str, float] = field(default_factory=dict)
    levels: tuple[Level, ...] = ("char", "word", "sentence")
    uses: tuple[ResourceName, ...] = ()
    note: Callable[[FilterContext, Sequence[Record]], list[Record]] | None = None
