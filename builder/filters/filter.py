"""What a filter is: candidates in, a reason to drop each or none, out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from builder.dimensions.dimension import Dimension
from contract.records import Record

# One reason (or None) for each candidate.
Reasons = list[str | None]


@dataclass(frozen=True, kw_only=True)
class Filter:
    """A check of many candidates of one dimension at a time; thresholds are the recipe's or its own."""

    name: str
    summary: str
    check: Callable[[Dimension, Sequence[Record], Mapping[str, float]], Reasons]
    thresholds: Mapping[str, float] = field(default_factory=dict)
