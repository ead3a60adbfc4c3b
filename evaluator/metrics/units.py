"""Figures over the labelled parts of samples: tokens, or the labels of a text; draws are still of samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from contract.schema.manifest import Mean
from evaluator.metrics.ratio import Booleans, Counts, NothingToScoreError, Numbers, Ratio
from evaluator.metrics.recall import join_labels, kept_at_worst, kept_on_average


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitClasses:
    """The units of a task in order of their class, and how the recalls of classes are joined.

    A unit is a token with its tag for class, or a label of a text with its being true or not for class.
    """

    # The sample of each unit; those of a class stand together.
    samples: NDArray[np.int32]
    n_samples: int
    classes: Sequence[slice]
    # The classes of a group are joined to one figure; the task's is the plain mean over groups.
    groups: Sequence[Sequence[int]]
    # What results call the figures of labels: of groups where there are several, else of classes.
    names: Sequence[str]

    @property
    def is_scored(self) -> bool:
        """Whether there are recalls to join: in some group, of two classes."""
        return any(len(group) > 1 for group in self.groups)

    @property
    def chance(self) -> float:
        """What guessing has as the mean of recalls."""
        return float(np.mean([1 / len(group) for group in self.groups]))

    @cached_property
    def per_sample(self) -> Numbers:
        """How many units each sample (rows) has of each class (columns)."""
        return np.stack([self._counts(where) for where in self.classes], axis=1)

    def _counts(self, where: slice) -> Numbers:
        return np.bincount(self.samples[where], minlength=self.n_samples).astype(np.float64)

    def summed(self, values: Numbers) -> Numbers:
        """Return the sums of units' values (rows) by sample, in each column."""
        columns = [np.bincount(self.samples, weights=column, minlength=self.n_samples) for column in values.T]
        return np.stack(columns, axis=1)

    def joined(self, recalls: Numbers, sizes: Numbers, mean: Mean) -> Numbers:
        """Return one figure for the recalls of all classes, which stand along the first axis."""
        if mean == "plain":
            return np.asarray((recalls * sizes).sum(axis=0) / sizes.sum(axis=0))
        figures = self.by_group(recalls, mean)
        return np.asarray(figures.mean(axis=0))

    def by_group(self, recalls: Numbers, mean: Mean) -> Numbers:
        """Return the figure of each group (rows)."""
        if not self.groups:
            raise NothingToScoreError("the mean over no label")
        sizes = [where.stop - where.start for where in self.classes]
        return np.stack(
            [
                join_labels(recalls[list(group)], [sizes[place] for place in group], mean)
                for group in self.groups
            ]
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitFigure:
    """The mean over a class's units (rows) of what each keeps, joined over classes; columns are degrees."""

    kept: Numbers
    units: UnitClasses
    mean: Mean

    def by_label(self) -> Numbers:
        """Return the figure of each label (rows) in each column."""
        units = self.units
        is_by_class = len(units.names) == len(units.classes)
        return self._by_class if is_by_class else units.by_group(self._by_class, self.mean)

    def values(self) -> list[float | None]:
        """Return the joined recall of each column."""
        sizes = self.units.per_sample.sum(axis=0)[:, None]
        joined: list[float | None] = self.units.joined(self._by_class, sizes, self.mean).tolist()
        return joined

    def resampled(self, weights: Numbers) -> Numbers:
        """Return the joined recall of each column on each draw (rows).

        A class of which a draw has no unit has the recall that it has on all samples.
        """
        recalls, sizes = [], []
        for place, (kept, counts) in enumerate(zip(self._per_sample, self.units.per_sample.T, strict=True)):
            n_drawn = (weights @ counts)[:, None]
            point = np.broadcast_to(self._by_class[place], (len(weights), kept.shape[1]))
            recalls.append(np.divide(weights @ kept, n_drawn, out=point.copy(), where=n_drawn > 0))
            sizes.append(n_drawn)
        return self.units.joined(np.stack(recalls), np.stack(sizes), self.mean)

    @cached_property
    def _by_class(self) -> Numbers:
        return np.stack([self.kept[where].mean(axis=0) for where in self.units.classes])

    @cached_property
    def _per_sample(self) -> list[Numbers]:
        """What the units of each class keep, by sample (rows) and column."""
        return [
            np.stack(
                [
                    np.bincount(self.units.samples[where], weights=column, minlength=self.units.n_samples)
                    for column in self.kept[where].T
                ],
                axis=1,
            )
            for where in self.units.classes
        ]


@dataclass(frozen=True, kw_only=True, eq=False)
class CleanUnits:
    """Which units are right when clean; their class is that of the clean row."""

    units: UnitClasses
    is_right: Booleans

    def figure(self, mean: Mean) -> UnitFigure:
        """Return the recalls of classes, joined."""
        return UnitFigure(kept=self.is_right.astype(np.float64)[:, None], units=self.units, mean=mean)

    def accuracy(self) -> Ratio:
        """Return a sample's right units over its units."""
        n_right = self.units.summed(self.is_right.astype(np.float64)[:, None])[:, 0]
        return Ratio(numerator=n_right, denominator=self.units.per_sample.sum(axis=1))


@dataclass(frozen=True, kw_only=True, eq=False)
class CellUnits:
    """Right cases and cases of each unit (rows) at each degree (columns)."""

    clean: CleanUnits
    n_right: Counts
    n_cases: Counts

    def average(self, mean: Mean) -> UnitFigure:
        """Return what units keep on average at each degree."""
        kept = kept_on_average(self.n_right, self.n_cases, self.clean.is_right)
        return UnitFigure(kept=kept, units=self.clean.units, mean=mean)

    def worst(self, mean: Mean) -> UnitFigure:
        """Return what an attacker leaves up to each degree."""
        kept = kept_at_worst(self.n_right, self.n_cases, self.clean.is_right)
        return UnitFigure(kept=kept, units=self.clean.units, mean=mean)

    def accuracy_cases(self) -> Ratio:
        """Return a sample's right units in all its cases over its units in them."""
        summed = self.clean.units.summed
        return Ratio(
            numerator=summed(self.n_right.astype(np.float64)),
            denominator=summed(self.n_cases.astype(np.float64)),
        )
