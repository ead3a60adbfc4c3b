"""Counts the frozen cases of one method in a cell, for the funnel of a release."""

from collections import Counter
from dataclasses import dataclass, field

import pyarrow as pa

from contract.schema.manifest import MethodInfo


@dataclass(slots=True)
class MethodCounts:
    """The frozen cases of a method so far, those of them in the tier, and what people took away."""

    n_frozen: int = 0
    n_transferable: int = 0
    samples: set[str] = field(default_factory=set)
    samples_in_tier: set[str] = field(default_factory=set)
    # By reason.
    n_dropped: Counter[str] = field(default_factory=Counter)

    def add(self, cases: pa.Table, *, is_in_tier: bool) -> None:
        """Count the cases of a table, all of them of the method."""
        self.add_samples(cases["sample_id"].to_pylist(), is_in_tier=is_in_tier)

    def add_samples(self, sample_ids: list[str], *, is_in_tier: bool) -> None:
        """Count one case of each of some samples."""
        self.n_frozen += len(sample_ids)
        self.samples.update(sample_ids)
        if is_in_tier:
            self.n_transferable += len(sample_ids)
            self.samples_in_tier.update(sample_ids)

    def written(self, before: MethodInfo) -> MethodInfo:
        """Return what the funnel says of the method: what was dropped before, and what is frozen now."""
        return before.model_copy(
            update={
                "n_dropped": dict(sorted((Counter(before.n_dropped) + self.n_dropped).items())),
                "n_frozen": self.n_frozen,
                "n_samples_frozen": len(self.samples),
                "n_transferable": self.n_transferable,
                "n_samples_transferable": len(self.samples_in_tier),
            }
        )
