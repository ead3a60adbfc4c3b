"""Runs every attack on withheld labels, and tells which guess better than the same outsider without them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from builder.release.leaking.guesses import NONE, Guess, by_neighbours, guesses_of, most_frequent
from builder.release.leaking.outsiders import N_FOLDS, SEED, Numbers, folds_of, views_of
from builder.release.leaking.published import Labels, PublishedTask
from contract.release.release import Release
from contract.schema.names import CLEAN

# By so much more than without the attack an outsider may guess; less is hard to tell from luck.
BOUND = 0.05
# Fewer samples of a label say nothing: models need some to learn from, some to be judged by.
FEWEST_OF_A_LABEL = 2 * N_FOLDS
N_DRAWS = 1_000
# In so many of all releases luck alone may make one of the attacks seem to work.
LUCK = 0.05
# Per cent of the draws that are below: 95 of them are between.
LOW, HIGH = 2.5, 97.5
# Nobody tries so many seeds.
GUESSABLE_SEEDS = 1 << 40


@dataclass(frozen=True, kw_only=True)
class Attacked:
    """What an attack on a task's labels gave: shares of right guesses, with and without it, and intervals."""

    task: str
    way: str
    dimension: str | None
    setting: str | None
    n_samples: int
    accuracy: float
    accuracy_ci: tuple[float, float]
    without: float
    without_ci: tuple[float, float]
    gain: float
    gain_ci: tuple[float, float]
    is_above: bool


def attack_labels(tasks: Sequence[PublishedTask], *, bound: float = BOUND) -> list[Attacked]:
    """Attack the labels of tasks in every way; a task with too few samples is left out."""
    found = []
    for task in tasks:
        if is_too_small(task):
            continue
        folds = folds_of(task.labels)
        views = views_of(task, folds)
        guesses = [
            guess
            for guess in guesses_of(task, views, folds)
            if (guess.guessed != NONE).sum() >= 2 * FEWEST_OF_A_LABEL
        ]
        luck = LUCK / max(1, len(guesses))
        found += [_judged(task.info.name, guess, task.labels, bound, luck) for guess in guesses]
    return found


def is_too_small(task: PublishedTask) -> bool:
    """Tell whether some label has too few samples for any guess to be judged."""
    counts = np.bincount(task.labels, minlength=len(task.info.labels))
    present = counts[counts > 0]
    return len(present) < 2 or int(present.min()) < FEWEST_OF_A_LABEL


def attack_row_numbers(original: Release, *, bound: float = BOUND) -> list[Attacked]:
    """Attack the labels by the rows of the source: whoever knows the seed finds each sample's number.

    Random cases are drawn from the seed and the sample's number; with a seed that can be guessed, the number
    that gives a published case is found by trying. In a file that is sorted by label it tells the label.
    """
    if original.manifest.seed >= GUESSABLE_SEEDS:
        return []
    found = []
    for task in original.manifest.tasks:
        rows = [
            row
            for split in original.splits(task=task.name, dimension=CLEAN)
            for row in original.table(split, ["sample_id", "label"]).to_pylist()
        ]
        labels = np.array([row["label"] for row in rows], np.int64)
        numbers = [int(match[0]) for row in rows if (match := re.search(r"\d+$", row["sample_id"]))]
        if task.has_public_labels or len(numbers) < max(len(rows), 2 * FEWEST_OF_A_LABEL):
            continue
        folds = folds_of(labels)
        guess = Guess(
            way="row numbers of the source, by trying seeds",
            guessed=by_neighbours(np.array(numbers), labels, len(task.labels)),
            without=most_frequent(labels, folds),
        )
        found.append(_judged(task.name, guess, labels, bound, LUCK))
    return found


def _judged(task: str, guess: Guess, labels: Labels, bound: float, luck: float) -> Attacked:
    is_in = guess.guessed != NONE
    right = (guess.guessed == labels)[is_in].astype(np.float64)
    without = (guess.without == labels)[is_in].astype(np.float64)
    draws = np.random.default_rng(SEED).integers(0, len(right), (N_DRAWS, len(right)))
    gain_ci = _interval((right - without)[draws].mean(axis=1))
    gain = float((right - without).mean())
    return Attacked(
        task=task,
        way=guess.way,
        dimension=None if guess.cell is None else guess.cell[0],
        setting=None if guess.cell is None else guess.cell[1],
        n_samples=len(right),
        accuracy=float(right.mean()),
        accuracy_ci=_interval(right[draws].mean(axis=1)),
        without=float(without.mean()),
        without_ci=_interval(without[draws].mean(axis=1)),
        gain=gain,
        gain_ci=gain_ci,
        # What luck explains is no leak, and what is smaller than the bound is borne.
        is_above=gain > bound and _chance_of(right > without, right < without) < luck,
    )


def _chance_of(won: NDArray[np.bool_], lost: NDArray[np.bool_]) -> float:
    """Return how likely luck alone gives as many samples that only the attack has right, by coin throws."""
    n_won, n_thrown = int(won.sum()), int(won.sum() + lost.sum())
    return float(sum(comb(n_thrown, n) for n in range(n_won, n_thrown + 1)) / 2**n_thrown)


def _interval(values: Numbers) -> tuple[float, float]:
    low, high = np.percentile(values, [LOW, HIGH])
    return float(low), float(high)
