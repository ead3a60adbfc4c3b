"""What metrics are computed from: a model's answers, counted for each sample, degree and task."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from contract.schema.manifest import Manifest, Mean, TaskInfo
from contract.schema.results import ScoreSettings
from evaluator.metrics.ratio import Booleans, Counts, Numbers, Ratio
from evaluator.metrics.recall import RecallFigure, kept_at_worst, kept_on_average
from evaluator.metrics.units import CellUnits, CleanUnits, UnitFigure


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
    # In multilabel tasks, a column a label: 1 where it holds, 0 where not, -1 where nobody judged. There,
    # `labels` is 1, and `predictions` is 1 where all labels are right.
    truths: NDArray[np.int32] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class TierCounts:
    """Right cases and cases of the transferable tier, of each sample (rows) at each degree (columns)."""

    n_right: Counts
    n_cases: Counts


@dataclass(frozen=True, kw_only=True, eq=False)
class CleanOutcomes:
    """A model's outcomes on the clean rows of a task.

    A sample whose clean row is missing or unanswered counts as not right, and `has_clean` says so.
    """

    task: TaskInfo
    # How the figures of labels are joined.
    mean: Mean
    has_clean: Booleans
    is_right: Booleans
    rows: Rows
    # By label, where its clean samples stand.
    labels: Mapping[int, slice]
    # In tasks with many labels a text, what was right of each; a sample is right when all of it is.
    units: CleanUnits | None = None

    @property
    def has_labels(self) -> bool:
        """Whether there are figures of labels to join: two labels have clean samples."""
        return len(self.labels) > 1 if self.units is None else self.units.units.is_scored

    @property
    def label_names(self) -> Sequence[str]:
        """The labels of which there are figures, in the order of these."""
        if self.units is not None:
            return self.units.units.names
        return [self.task.labels[label] for label in self.labels]

    @property
    def chance(self) -> float:
        """The balanced accuracy of guessing."""
        return 1 / len(self.labels) if self.units is None else self.units.units.chance

    @cached_property
    def score(self) -> RecallFigure | UnitFigure:
        """The labels' recalls, joined as the task says; one figure, which several metrics share."""
        if self.units is not None:
            return self.units.figure(self.mean)
        return RecallFigure(
            kept=self.is_right.astype(np.float64)[:, None], labels=self.labels, mean=self.mean
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class CellOutcomes:
    """Right cases and cases of each sample (rows) at each degree (columns, low degrees first).

    Degrees that count have a column even where the setting has no case of them.
    """

    task: TaskInfo
    clean: CleanOutcomes
    degrees: tuple[float | None, ...]
    # The rows at each degree, of all tiers.
    rows: tuple[Rows, ...]
    n_right: Counts
    n_cases: Counts
    # The columns of the degrees that count; the release decides, the same for all models and settings.
    used: tuple[int, ...]
    mean_realised: tuple[float | None, ...]
    # Nothing in settings that have no tier.
    transferable: TierCounts | None
    # How many samples must have K cases for worst@K.
    min_samples: int
    # In tasks with many labels a text; a case is right when all of it is.
    units: CellUnits | None = None

    @property
    def is_scored(self) -> bool:
        """Whether there is one score for all degrees."""
        return bool(self.used) and self.clean.has_labels

    @cached_property
    def average(self) -> RecallFigure | UnitFigure | None:
        """What samples keep on average at each degree; nothing where labels cannot be joined."""
        if not self.clean.has_labels:
            return None
        if self.units is not None:
            return self.units.average(self.clean.mean)
        kept = kept_on_average(self.n_right, self.n_cases, self.clean.is_right)
        return RecallFigure(kept=kept, labels=self.clean.labels, mean=self.clean.mean)

    @cached_property
    def worst(self) -> RecallFigure | UnitFigure | None:
        """What an attacker leaves up to each degree; nothing where labels cannot be joined."""
        if not self.clean.has_labels:
            return None
        if self.units is not None:
            return self.units.worst(self.clean.mean)
        kept = kept_at_worst(self.n_right, self.n_cases, self.clean.is_right)
        return RecallFigure(kept=kept, labels=self.clean.labels, mean=self.clean.mean)


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
    # By name of the weights and degree, how many cases of the dimension people found valid.
    validity: Mapping[str, Mapping[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleaseOutcomes:
    """Everything that is known of a model once all tasks are scored."""

    manifest: Manifest
    tasks: Sequence[TaskOutcomes]
    has_all_cases: bool
    # The clean score by task.
    clean: Mapping[str, float]
    # The final average and worst scores by cell of the headline; nothing if the model left out a part.
    estimates: Mapping[str, Mapping[Cell, Numbers]]
    # Gives scores of a task: the score itself first, then the score on every draw.
    drawn: Callable[[TaskInfo, Sequence[Ratio]], list[Numbers]]
