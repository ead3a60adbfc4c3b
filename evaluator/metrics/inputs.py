"""What metrics are computed from: a model's answers, counted for each sample, degree and task."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from contract.schema.manifest import Manifest, SplitInfo, TaskInfo
from contract.schema.results import ScoreSettings
from evaluator.metrics.ratio import Booleans, Counts, Numbers, Ratio


class Cell(NamedTuple):
    """A task, dimension and setting: what one final score is about."""

    task: str
    dimension: str
    setting: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """Some rows of a task: the place of their sample, their true label, and what a model says of them."""

    samples: NDArray[np.int32]
    labels: NDArray[np.int32]
    predictions: NDArray[np.int32]
    # A column a label; nothing if the model gave none.
    probabilities: Numbers | None
    n_labels: int
    # Of the whole task, not only of these rows.
    n_samples: int


@dataclass(frozen=True, kw_only=True, eq=False)
class CleanOutcomes:
    """A model's outcomes on the clean rows of a task.

    A sample whose clean row is missing or unanswered counts as not right, and `has_clean` says so.
    """

    task: TaskInfo
    has_clean: Booleans
    is_right: Booleans
    rows: Rows


@dataclass(frozen=True, kw_only=True, eq=False)
class CellOutcomes:
    """Right cases and cases of each sample (rows) at each degree (columns, low degrees first)."""

    task: TaskInfo
    clean: CleanOutcomes
    splits: tuple[SplitInfo, ...]
    # The rows of each split.
    rows: tuple[Rows, ...]
    n_right: Counts
    n_cases: Counts
    # How many samples a degree must have to count.
    min_samples: int

    @cached_property
    def used(self) -> tuple[int, ...]:
        """The columns of the degrees that count; the manifest decides, the same for all models."""
        least = max(self.min_samples, 1)
        return tuple(column for column, split in enumerate(self.splits) if split.samples >= least)


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskOutcomes:
    """A model's outcomes on one task; what it left unanswered is left out."""

    task: TaskInfo
    clean: CleanOutcomes
    cells: Mapping[Cell, CellOutcomes]


@dataclass(frozen=True, kw_only=True, eq=False)
class DegreeScores:
    """The average or the worst scores of a cell at the degrees that count.

    A row a degree, low degrees first; the first column is the score itself, the others are draws.
    """

    degrees: tuple[float | None, ...]
    scores: Numbers
    settings: ScoreSettings
    # By degree, how many cases of the dimension people found valid.
    validity: Mapping[float, float] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleaseOutcomes:
    """Everything that is known of a model once all tasks are scored."""

    manifest: Manifest
    tasks: Sequence[TaskOutcomes]
    has_all_cases: bool
    # Clean accuracy by task.
    clean: Mapping[str, float]
    # The final average and worst scores by cell; nothing if the model left out a part.
    estimates: Mapping[str, Mapping[Cell, Numbers]]
    # Gives scores of a task: the score itself first, then the score on every draw.
    drawn: Callable[[TaskInfo, Sequence[Ratio]], list[Numbers]]
