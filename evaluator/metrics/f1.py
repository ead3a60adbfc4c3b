"""F1 as GLUE and AdvGLUE count it: of the second label in binary tasks, the mean over labels in others."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from contract.schema.manifest import TaskInfo
from evaluator.metrics.inputs import CellOutcomes, CleanOutcomes, Rows
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import NothingToScoreError, Numbers, Ratio


def f1(labels: NDArray[np.integer], predictions: NDArray[np.integer], n_labels: int) -> float:
    """Return F1 of the cases of a split."""
    if n_labels == 2:
        return _f1_of(labels == 1, predictions == 1)
    present = [label for label in range(n_labels) if (labels == label).any() or (predictions == label).any()]
    if not present:
        raise NothingToScoreError("F1 of nothing")
    return float(np.mean([_f1_of(labels == label, predictions == label) for label in present]))


def f1_ratio(rows: Rows) -> Ratio:
    """Return twice a sample's hits over its true and predicted cases, for each label (column) that counts."""

    def summed(is_counted: NDArray[np.bool_]) -> Numbers:
        return np.bincount(rows.samples[is_counted], minlength=rows.n_samples).astype(np.float64)

    counted = [1] if rows.n_labels == 2 else list(range(rows.n_labels))
    pairs = [(rows.labels == label, rows.predictions == label) for label in counted]
    return Ratio(
        numerator=np.stack([2 * summed(true & predicted) for true, predicted in pairs], axis=1),
        denominator=np.stack([summed(true) + summed(predicted) for true, predicted in pairs], axis=1),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class F1Figure:
    """F1 of several splits, a column each."""

    splits: Sequence[Rows]

    def values(self) -> list[float | None]:
        """Return F1 of each split, none where it is undefined."""
        return [_f1_or_none(rows) for rows in self.splits]

    def resampled(self, weights: Numbers) -> Numbers:
        """Return F1 of each split on each draw; NaN where a draw has no true or predicted case."""
        return np.column_stack([_mean_over_labels(ratio.resampled(weights)) for ratio in self._ratios])

    @cached_property
    def _ratios(self) -> list[Ratio]:
        return [f1_ratio(rows) for rows in self.splits]


def _mean_over_labels(scores: Numbers) -> Numbers:
    """Return F1 on draws from that of each label (last axis); NaN stands for a label that a draw lacks."""
    is_present = ~np.isnan(scores)
    n_present = is_present.sum(axis=-1)
    total = np.where(is_present, scores, 0).sum(axis=-1)
    mean: Numbers = np.divide(total, n_present, out=np.full(total.shape, np.nan), where=n_present > 0)
    return mean


def _f1_or_none(rows: Rows) -> float | None:
    try:
        return f1(rows.labels, rows.predictions, rows.n_labels)
    except NothingToScoreError:
        return None


def _f1_of(is_true: NDArray[np.bool_], is_predicted: NDArray[np.bool_]) -> float:
    hits = int((is_true & is_predicted).sum())
    denominator = int(is_true.sum()) + int(is_predicted.sum())
    if not denominator:
        raise NothingToScoreError("F1 without a true or a predicted positive")
    return 2 * hits / denominator


def _where_asked(task: TaskInfo, splits: Sequence[Rows]) -> F1Figure | None:
    """Return F1 of the tasks that ask for it."""
    return F1Figure(splits=splits) if "f1" in task.metrics else None


def _on_clean_rows(outcomes: CleanOutcomes) -> F1Figure | None:
    return _where_asked(outcomes.task, [outcomes.rows])


def _at_degrees(cell: CellOutcomes) -> F1Figure | None:
    return _where_asked(cell.task, cell.rows)


F1 = Metric(
    name="f1",
    summary="harmonic mean of precision and recall; of the second label in binary tasks, macro in others",
    heading="F1",
    in_terminal=False,
    with_interval=False,
    clean=_on_clean_rows,
    degree=_at_degrees,
)
