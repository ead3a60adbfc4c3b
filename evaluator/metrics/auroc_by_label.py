"""AUROC of tasks with several labels a text: of each label by itself, and their mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.auroc import AurocOnDraws, auroc
from evaluator.metrics.inputs import CellOutcomes, CleanOutcomes, Rows
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import NothingToScoreError, Numbers

# The mean has the metric's own key, labels have theirs after a slash.
MEAN = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelAuroc:
    """AUROC of some labels, the mean over them, for several splits, a column each."""

    splits: Sequence[Rows]
    labels: Sequence[int]

    def values(self) -> list[float | None]:
        """Return the mean of each split over the labels of which it has both; none without any."""
        return [_mean([_auroc(rows, label) for label in self.labels]) for rows in self.splits]

    def resampled(self, weights: Numbers) -> Numbers:
        """Return the mean of each split on each draw; NaN where a draw has no label of both."""
        columns = []
        for of_split in self._ordered:
            scores = np.array([ordered.values(weights) for ordered in of_split])
            n_known = (~np.isnan(scores)).sum(axis=0)
            empty = np.full(len(weights), np.nan)
            columns.append(np.divide(np.nansum(scores, axis=0), n_known, out=empty, where=n_known > 0))
        return np.column_stack(columns)

    @cached_property
    def _ordered(self) -> list[list[AurocOnDraws]]:
        return [[_on_draws(rows, label) for label in self.labels] for rows in self.splits]


class _Judged(NamedTuple):
    """Of the rows that were judged: whether a label holds, both probabilities, and the samples."""

    truths: NDArray[np.int32]
    probabilities: Numbers
    samples: NDArray[np.int32]


def _judged(rows: Rows, label: int) -> _Judged:
    if rows.truths is None or rows.probabilities is None:
        raise NothingToScoreError("AUROC without probabilities")
    is_judged = rows.truths[:, label] >= 0
    of_label = rows.probabilities[is_judged, label]
    both = np.stack([1 - of_label, of_label], axis=1)
    return _Judged(rows.truths[is_judged, label], both, rows.samples[is_judged])


def _auroc(rows: Rows, label: int) -> float | None:
    judged = _judged(rows, label)
    try:
        return auroc(judged.truths, judged.probabilities)
    except NothingToScoreError:
        return None


def _on_draws(rows: Rows, label: int) -> AurocOnDraws:
    judged = _judged(rows, label)
    return AurocOnDraws(judged.truths, judged.probabilities, judged.samples)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def _figures(splits: Sequence[Rows], names: Sequence[str]) -> dict[str, LabelAuroc] | None:
    if any(rows.truths is None or rows.probabilities is None for rows in splits):
        return None
    labels = range(len(names))
    return {
        MEAN: LabelAuroc(splits=splits, labels=labels),
        **{name: LabelAuroc(splits=splits, labels=[label]) for label, name in enumerate(names)},
    }


def _on_clean_rows(outcomes: CleanOutcomes) -> dict[str, LabelAuroc] | None:
    return _figures([outcomes.rows], outcomes.task.labels)


def _at_degrees(cell: CellOutcomes) -> dict[str, LabelAuroc] | None:
    return _figures(cell.rows, cell.task.labels)


AUROC_BY_LABEL = Metric(
    name="auroc-by-label",
    summary="where texts have several labels: area under the ROC curve of each label, and their mean (macro)",
    heading="AUROC of labels",
    in_terminal=False,
    with_interval=False,
    kinds=frozenset({"multilabel"}),
    clean=_on_clean_rows,
    degree=_at_degrees,
)
