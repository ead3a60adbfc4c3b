"""A detector's recall, flip rate and false positives at thresholds that are set on clean benign texts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from contract.machine.errors import ExitCode, UserError
from contract.machine.registry import did_you_mean
from contract.predictions.reading import read_predictions
from contract.release.release import Release
from contract.schema.audits import DetectedCell, DetectorScore, Threshold
from evaluator.metrics.inputs import Cell, CellOutcomes, Rows
from evaluator.metrics.ratio import Booleans, Counts, Numbers
from evaluator.scoring.labelled_rows import read_labelled_rows
from evaluator.scoring.outcomes import outcomes_of
from evaluator.scoring.rounding import fraction

# Shares of false positives on clean benign texts.
TARGETS = (0.01, 0.05)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Samples:
    """The clean samples of a task: which are positive, and how likely the model holds that."""

    is_positive: Booleans
    scores: Numbers


@dataclass(frozen=True, kw_only=True, eq=False)
class _Flagged:
    """Which samples are flagged when clean, and how many of their cases at each degree are."""

    clean: Booleans
    n_flagged: Counts
    n_cases: Counts

    @property
    def shares(self) -> Numbers:
        """The share of flagged cases at the highest degree so far that has one; none: of the clean text."""
        columns = []
        share = self.clean.astype(np.float64)
        for column in range(self.n_cases.shape[1]):
            n = self.n_cases[:, column]
            share = np.where(n > 0, self.n_flagged[:, column] / np.maximum(n, 1), share)
            columns.append(share)
        return np.stack(columns, axis=1)

    @property
    def is_always_flagged(self) -> Booleans:
        """Whether a sample is flagged when clean and in every case so far."""
        holds = self.clean[:, None] & (self.n_flagged == self.n_cases)
        return np.logical_and.accumulate(holds, axis=1)


def score_detector(release_path: Path, predictions_path: Path, positive: str) -> DetectorScore:
    """Return what a predictions file with probabilities is worth as a detector of one label."""
    labelled = read_labelled_rows(Release.open(release_path))
    predictions = read_predictions(predictions_path, labelled.rows)
    (task, *others) = outcomes_of(labelled, predictions)
    if others:
        raise UserError("a detector is scored on releases of one task", exit_code=ExitCode.WRONG_USE)
    labels = task.task.labels
    if positive not in labels:
        raise UserError(
            f"--positive {positive}: no such label;{did_you_mean(positive, labels)}"
            f" the labels are: {', '.join(labels)}",
            exit_code=ExitCode.WRONG_USE,
        )
    place = labels.index(positive)
    clean = task.clean.rows
    if clean.probabilities is None:
        raise UserError(f"{predictions_path}: has no probabilities, which thresholds are set by")
    samples = _Samples(is_positive=np.zeros(clean.n_samples, np.bool_), scores=np.zeros(clean.n_samples))
    samples.is_positive[clean.samples] = clean.labels == place
    samples.scores[clean.samples] = clean.probabilities[:, place]
    n_positive = int(samples.is_positive.sum())
    if not 0 < n_positive < len(samples.scores):
        raise UserError(f"--positive {positive}: needs clean samples of this label and of another one")
    return DetectorScore(
        positive=positive,
        n_positive=n_positive,
        n_benign=len(samples.scores) - n_positive,
        thresholds=tuple(_at_threshold(target, samples, task.cells, place) for target in TARGETS),
    )


def threshold_for(target: float, benign_scores: Numbers) -> float:
    """Return the lowest threshold above which at most this share of the benign texts lies."""
    in_order = np.sort(benign_scores)[::-1]
    # Rounding must not take away a text: 0.05 times 20 is one.
    n_allowed = int(np.floor(target * len(in_order) + 1e-9))
    return float(in_order[min(n_allowed, len(in_order) - 1)])


def _at_threshold(
    target: float, samples: _Samples, cells: Mapping[Cell, CellOutcomes], place: int
) -> Threshold:
    threshold = threshold_for(target, samples.scores[~samples.is_positive])
    clean = samples.scores > threshold
    return Threshold(
        target=target,
        threshold=threshold,
        false_positive_rate=fraction(float(clean[~samples.is_positive].mean())),
        recall=fraction(float(clean[samples.is_positive].mean())),
        cells=tuple(
            cell
            for name, outcomes in cells.items()
            for cell in _cells(name, outcomes, samples, clean, (threshold, place))
        ),
    )


def _cells(
    name: Cell, outcomes: CellOutcomes, samples: _Samples, clean: Booleans, flag: tuple[float, int]
) -> Iterator[DetectedCell]:
    """Yield the figures of a dimension and setting at each degree."""
    flagged = _Flagged(clean=clean, n_flagged=_count(outcomes.rows, flag), n_cases=outcomes.n_cases)
    shares, always = flagged.shares, flagged.is_always_flagged
    positive, benign = samples.is_positive, ~samples.is_positive
    n_found = int(clean[positive].sum())
    for column, degree in enumerate(outcomes.degrees):
        n_held = int(always[positive, column].sum())
        yield DetectedCell(
            dimension=name.dimension,
            setting=name.setting,
            degree=degree,
            recall=fraction(float((clean * shares[:, column])[positive].mean())),
            worst_recall=fraction(n_held / int(positive.sum())),
            flip_rate=fraction((n_found - n_held) / n_found) if n_found else None,
            false_positive_rate=fraction(float(shares[benign, column].mean())),
            n_positive=int((outcomes.n_cases[positive, column] > 0).sum()),
            n_benign=int((outcomes.n_cases[benign, column] > 0).sum()),
        )


def _count(rows: Sequence[Rows], flag: tuple[float, int]) -> Counts:
    """Return how many cases of each sample (rows) at each degree (columns) are flagged."""
    threshold, place = flag
    columns = []
    for at_degree in rows:
        if at_degree.probabilities is None:
            raise UserError("the predictions have no probabilities, which thresholds are set by")
        is_flagged = at_degree.probabilities[:, place] > threshold
        columns.append(np.bincount(at_degree.samples[is_flagged], minlength=at_degree.n_samples))
    return np.stack(columns, axis=1).astype(np.int32)
