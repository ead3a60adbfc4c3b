"""What a filter is: a check that says for each candidate why it is dropped, or that it is kept."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from builder.models.resources import ResourceName, Resources
from builder.operations.dimension import AnyDimension
from contract.schema.drop_reasons import Reason, stage_of
from contract.schema.manifest import Level
from contract.schema.records import Record

# For each candidate the reason to drop it, or None.
Reasons = list[Reason | None]


@dataclass(frozen=True, kw_only=True)
class FilterContext:
    """What a filter may look at beside the candidates, which are all of one task and dimension."""

    dimension: AnyDimension
    thresholds: Mapping[str, float]
    degrees: tuple[float, ...] = ()
    resources: Resources = field(default_factory=Resources)


@dataclass(frozen=True, kw_only=True)
class Filter:
    """A check of many candidates at a time.

    A filter that measures something may also write it into the records that are kept.
    """

    name: str
    summary: str
    check: Callable[[FilterContext, Sequence[Record]], Reasons]
    # All that the check may return.
    reasons: tuple[Reason, ...]
    # Used where the recipe names none.
    thresholds: Mapping[str, float] = field(default_factory=dict)
    levels: tuple[Level, ...] = ("char", "word", "sentence")
    uses: tuple[ResourceName, ...] = ()
    note: Callable[[FilterContext, Sequence[Record]], list[Record]] | None = None

    def __post_init__(self) -> None:
        """Refuse a reason that readers of a release would count at another stage."""
        for reason in self.reasons:
            if stage_of(reason.name) != reason.stage:
                raise ValueError(
                    f"filter {self.name}: the reason {reason.name} has the stage {reason.stage},"
                    f" expected {stage_of(reason.name)}"
                )
