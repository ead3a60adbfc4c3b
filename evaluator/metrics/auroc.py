"""AUROC: how well the probabilities order the cases, whatever threshold is chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.inputs import CellOutcomes, CleanOutcomes, Rows
from evaluator.metrics.metric import Metric
from evaluator.metrics.ratio import NothingToScoreError, Numbers

_MOST_WEIGHTS_AT_A_TIME = 1 << 21


def auroc(labels: NDArray[np.integer], probabilities: Numbers) -> float:
    """Return the chance that a case of a label gets a higher probability of it than one of another label."""
    n_labels = probabilities.shape[1]
    if n_labels == 2:
        return _auroc_of(labels == 1, probabilities[:, 1])
    present = [label for label in range(n_labels) if 0 < (labels == label).sum() < len(labels)]
    if not present:
        raise NothingToScoreError("AUROC of a single label")
    return float(np.mean([_auroc_of(labels == label, probabilities[:, label]) for label in present]))


def _auroc_of(is_positive: NDArray[np.bool_], scores: Numbers) -> float:
    """Return the Mann-Whitney statistic; ties count half."""
    n_positive = int(is_positive.sum())
    n_negative = len(is_positive) - n_positive
    if not n_positive or not n_negative:
        raise NothingToScoreError("AUROC of a single label")
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    rank_sum = float(ranks[inverse][is_positive].sum())
    return (rank_sum - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative)


class AurocOnDraws:
    """AUROC of some rows as it would be with other numbers of each sample; the rows are ordered only once."""

    def __init__(
        self, labels: NDArray[np.integer], probabilities: Numbers, samples: NDArray[np.integer]
    ) -> None:
        n_labels = probabilities.shape[1]
        self._has_rows = len(labels) > 0
        self._against = [
            _Ordered.by_score(labels == label, probabilities[:, label], samples)
            for label in ([1] if n_labels == 2 else range(n_labels))
        ]

    def values(self, weights: Numbers) -> Numbers:
        """Return it on every draw (row), given how often each sample (column) is drawn; NaN of one label."""
        if not self._has_rows:
            return np.full(len(weights), np.nan)
        scores = np.array([ordered.values(weights) for ordered in self._against])
        n_known = (~np.isnan(scores)).sum(axis=0)
        empty = np.full(len(weights), np.nan)
        means: Numbers = np.divide(np.nansum(scores, axis=0), n_known, out=empty, where=n_known > 0)
        return means


@dataclass(frozen=True, kw_only=True, eq=False)
class _Ordered:
    """Rows by the probability of a label: their samples, whose label it is, where equal ones begin."""

    samples: NDArray[np.integer]
    is_positive: NDArray[np.bool_]
    starts: NDArray[np.integer]

    @classmethod
    def by_score(cls, is_positive: NDArray[np.bool_], scores: Numbers, samples: NDArray[np.integer]) -> Self:
        """Order the rows."""
        order = np.argsort(scores, kind="stable")
        ordered = scores[order]
        starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        return cls(samples=samples[order], is_positive=is_positive[order], starts=starts)

    def values(self, weights: Numbers) -> Numbers:
        """Return the Mann-Whitney statistic of each draw; ties count half."""
        n_draws = max(1, _MOST_WEIGHTS_AT_A_TIME // len(self.samples))
        starts = range(0, len(weights), n_draws)
        return np.concatenate([self._of_few(weights[start : start + n_draws]) for start in starts])

    def _of_few(self, weights: Numbers) -> Numbers:
        rows = weights[:, self.samples]
        n_equal = np.add.reduceat(rows, self.starts, axis=1)
        n_positive = np.add.reduceat(rows * self.is_positive, self.starts, axis=1)
        n_negative = n_equal - n_positive
        n_below = n_negative.cumsum(axis=1) - n_negative / 2
        n_ordered = (n_positive * n_below).sum(axis=1)
        n_pairs = n_positive.sum(axis=1) * n_negative.sum(axis=1)
        values: Numbers = np.divide(n_ordered, n_pairs, out=np.full(len(weights), np.nan), where=n_pairs > 0)
        return values


@dataclass(frozen=True, kw_only=True, eq=False)
class AurocFigure:
    """AUROC of several splits, a column each."""

    splits: Sequence[Rows]

    def values(self) -> list[float | None]:
        """Return AUROC of each split, none where it is undefined."""
        return [_auroc_or_none(rows) for rows in self.splits]

    def resampled(self, weights: Numbers) -> Numbers:
        """Return AUROC of each split on each draw; NaN where a draw has one label only."""
        return np.column_stack([ordered.values(weights) for ordered in self._ordered])

    @cached_property
    def _ordered(self) -> list[AurocOnDraws]:
        return [AurocOnDraws(rows.labels, _probabilities(rows), rows.samples) for rows in self.splits]


def _auroc_or_none(rows: Rows) -> float | None:
    try:
        return auroc(rows.labels, _probabilities(rows))
    except NothingToScoreError:
        return None


def _probabilities(rows: Rows) -> Numbers:
    if rows.probabilities is None:
        raise NothingToScoreError("AUROC without probabilities")
    return rows.probabilities[:, : rows.n_labels]


def _where_known(splits: Sequence[Rows]) -> AurocFigure | None:
    """Return AUROC of the models that give probabilities."""
    return None if any(rows.probabilities is None for rows in splits) else AurocFigure(splits=splits)


def _on_clean_rows(outcomes: CleanOutcomes) -> AurocFigure | None:
    return None if outcomes.units else _where_known([outcomes.rows])


def _at_degrees(cell: CellOutcomes) -> AurocFigure | None:
    return None if cell.units else _where_known(cell.rows)


AUROC = Metric(
    name="auroc",
    summary="area under the ROC curve of the probabilities; beyond two labels, mean of each against the rest",
    heading="AUROC",
    in_terminal=False,
    with_interval=False,
    clean=_on_clean_rows,
    degree=_at_degrees,
)
