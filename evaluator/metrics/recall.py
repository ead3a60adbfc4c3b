"""Robust recall: what the samples of each label keep, and how labels are joined to one figure."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from contract.schema.manifest import Mean
from evaluator.metrics.ratio import Booleans, Counts, Figure, NothingToScoreError, Numbers, check_counts


@dataclass(frozen=True, kw_only=True, eq=False)
class RecallFigure:
    """The mean over a label's samples (rows) of what each keeps, joined over labels; columns are degrees."""

    kept: Numbers
    # The samples of each label; the same number of them is in every draw.
    labels: Mapping[int, slice]
    mean: Mean

    def by_label(self) -> Numbers:
        """Return the recall of each label (rows) in each column."""
        return self._by_label

    def values(self) -> list[float | None]:
        """Return the joined recall of each column."""
        joined: list[float | None] = self._joined.tolist()
        return joined

    def resampled(self, weights: Numbers) -> Numbers:
        """Return the joined recall of each column on each draw (rows)."""
        recalls = [
            weights[:, where] @ self.kept[where] / (where.stop - where.start)
            for where in self.labels.values()
        ]
        return join_labels(np.stack(recalls), self._sizes, self.mean)

    @cached_property
    def _by_label(self) -> Numbers:
        return np.stack([self.kept[where].mean(axis=0) for where in self.labels.values()])

    @cached_property
    def _joined(self) -> Numbers:
        return join_labels(self._by_label, self._sizes, self.mean)

    @property
    def _sizes(self) -> list[int]:
        return [where.stop - where.start for where in self.labels.values()]


@dataclass(frozen=True, kw_only=True, eq=False)
class RelativeFigure:
    """A figure over the clean score, which has one column; undefined where that is 0."""

    score: Figure
    clean: Figure

    def values(self) -> list[float | None]:
        """Return the quotient of each column, none where nothing is right when clean."""
        (clean,) = self.clean.values()
        return [score / clean if clean and score is not None else None for score in self.score.values()]

    def resampled(self, weights: Numbers) -> Numbers:
        """Return the quotient on each draw; NaN where nothing is right when clean."""
        return self.quotient(self.score.resampled(weights), self.clean.resampled(weights))

    @staticmethod
    def quotient(scores: Numbers, clean: Numbers) -> Numbers:
        """Return scores over clean scores, draw by draw; NaN where nothing is right when clean."""
        quotient: Numbers = np.divide(scores, clean, out=np.full_like(scores, np.nan), where=clean > 0)
        return quotient


def join_labels(recalls: Numbers, sizes: list[int], mean: Mean) -> Numbers:
    """Return one figure for the recalls of all labels, which stand along the first axis."""
    if not len(recalls):
        raise NothingToScoreError("the mean over no label")
    if mean == "plain":
        shares = np.array(sizes, np.float64) / sum(sizes)
        return np.asarray(np.tensordot(shares, recalls, axes=1))
    if mean == "geometric":
        is_kept = recalls > 0
        logs = np.log(np.where(is_kept, recalls, 1)).mean(axis=0)
        return np.asarray(np.where(is_kept.all(axis=0), np.exp(logs), 0))
    balanced = recalls.mean(axis=0)
    if mean == "balanced" or len(recalls) == 1:
        return np.asarray(balanced)
    guessing = 1 / len(recalls)
    return np.asarray(np.maximum(0, (balanced - guessing) / (1 - guessing)))


def kept_on_average(n_right: Counts, n_cases: Counts, clean_right: Booleans) -> Numbers:
    """Return r × the share of right cases at the highest degree up to this one at which a sample has any."""
    check_counts(n_right, n_cases)
    shares = np.ones(n_cases.shape)
    has_case = n_cases > 0
    np.divide(n_right, n_cases, out=shares, where=has_case)
    for column in range(1, n_cases.shape[1]):
        # Without a case here the last degree that has one counts; before the first, the clean text.
        shares[:, column] = np.where(has_case[:, column], shares[:, column], shares[:, column - 1])
    return shares * clean_right[:, None]


def kept_at_worst(n_right: Counts, n_cases: Counts, clean_right: Booleans) -> Numbers:
    """Return 1 for a sample right when clean and on every case at every degree up to this one."""
    check_counts(n_right, n_cases)
    is_right = np.logical_and.accumulate(n_right == n_cases, axis=1)
    return (is_right & clean_right[:, None]).astype(np.float64)
