"""Transferable accuracy: the plain accuracy on the tier that fools its source and the other families."""

from collections.abc import Iterable, Sequence

import numpy as np

from contract.schema.results import TransferableScore
from evaluator.metrics.inputs import CellOutcomes, TaskOutcomes, TierCounts
from evaluator.metrics.ratio import Counts
from evaluator.scoring.rounding import fraction


def at_degree(cell: CellOutcomes, column: int) -> TransferableScore | None:
    """Return the score at one degree; nothing where the tier has no case."""
    tier = cell.transferable
    return None if tier is None else _score([(tier.n_right[:, column], tier.n_cases[:, column])])


def of_cell(cell: CellOutcomes) -> TransferableScore | None:
    """Return the score over all degrees, in which each case counts once."""
    return _score([_summed(cell.transferable)]) if cell.transferable is not None else None


def of_tasks(tasks: Iterable[TaskOutcomes]) -> TransferableScore | None:
    """Return the score over all tasks, dimensions and settings, in which each case counts once."""
    by_task = []
    for task in tasks:
        tiers = [_summed(cell.transferable) for cell in task.cells.values() if cell.transferable is not None]
        if tiers:
            by_task.append((sum_of([right for right, _ in tiers]), sum_of([cases for _, cases in tiers])))
    return _score(by_task)


def sum_of(counts: Sequence[Counts]) -> Counts:
    """Return counts of the same samples added up."""
    return np.asarray(np.sum(counts, axis=0, dtype=np.int32))


def _summed(tier: TierCounts) -> tuple[Counts, Counts]:
    """Return each sample's right cases and cases at all degrees."""
    return tier.n_right.sum(axis=1, dtype=np.int32), tier.n_cases.sum(axis=1, dtype=np.int32)


def _score(by_sample: Iterable[tuple[Counts, Counts]]) -> TransferableScore | None:
    n_right = n_cases = n_samples = 0
    for right, cases in by_sample:
        n_right, n_cases = n_right + int(right.sum()), n_cases + int(cases.sum())
        n_samples += int((cases > 0).sum())
    return score_of_counts(n_right, n_cases, n_samples)


def score_of_counts(n_right: int, n_cases: int, n_samples: int) -> TransferableScore | None:
    """Return the score of so many cases; nothing of none."""
    if not n_cases:
        return None
    return TransferableScore(accuracy=fraction(n_right / n_cases), n_cases=n_cases, n_samples=n_samples)
