"""Guesses of outsiders: from directions, from everything together, from numbers, order and ids."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builder.release.leaking.outsiders import N_FOLDS, SEED, Moved, Numbers, View
from builder.release.leaking.published import Labels, PublishedTask

# No guess, since there is nothing to guess from.
NONE = -1
N_NEIGHBOURS = 5


@dataclass(frozen=True, kw_only=True, eq=False)
class Guess:
    """An outsider's guess of each sample's label, and what the same outsider guesses without the secret way.

    That is from the clean text, or, where the way looks at no text, the most frequent label.
    """

    way: str
    # The cells that it looks at; empty: none or all.
    cell: tuple[str, str] | None = None
    guessed: Labels
    without: Labels


def guesses_of(task: PublishedTask, views: Sequence[View], folds: NDArray[np.int64]) -> Iterator[Guess]:
    """Yield every guess at the labels of a task."""
    settings = list(dict.fromkeys(setting for _, setting in task.cells))
    n_samples, n_labels = len(task.texts), len(task.info.labels)
    together = np.sum([view.clean for view in views], axis=0)
    for setting in settings:
        for view in views:
            moves = [move for (_, of_cell), move in view.moves.items() if of_cell == setting]
            yield _by_direction(f"{setting} cases, {view.name}", moves, view.clean, None)
        yield _stacked(task, views, folds, setting)
    for cell in task.cells:
        moves = [view.moves[cell] for view in views]
        yield _by_direction(f"{cell[0]} {cell[1]} cases", moves, together, cell)
    constant = most_frequent(task.labels, folds)
    yield Guess(
        way="numbers of cases, sizes, ids",
        guessed=_forest(_metadata(task), task.labels, folds),
        without=constant,
    )
    yield Guess(
        way="order of rows",
        guessed=by_neighbours(np.arange(n_samples), task.labels, n_labels),
        without=constant,
    )


def _by_direction(way: str, moves: Sequence[Moved], clean: Numbers, cell: tuple[str, str] | None) -> Guess:
    """Guess the label that the cases move away from."""
    summed, n_cases = np.zeros_like(clean), np.zeros(len(clean))
    for move in moves:
        np.add.at(summed, move.samples, move.changes)
        np.add.at(n_cases, move.samples, 1)
    guessed = np.where(n_cases > 0, summed.argmin(axis=1), NONE)
    return Guess(way=way, cell=cell, guessed=guessed, without=clean.argmax(axis=1))


def _stacked(task: PublishedTask, views: Sequence[View], folds: NDArray[np.int64], setting: str) -> Guess:
    """Guess from clean texts and all that cases of a setting do, as learned from other samples."""
    clean = np.hstack([view.clean for view in views])
    parts = [clean]
    has_cases = np.zeros(len(clean), np.bool_)
    for view in views:
        moves = [move for (_, of_cell), move in view.moves.items() if of_cell == setting]
        samples = np.concatenate([move.samples for move in moves])
        changes = np.concatenate([move.changes for move in moves])
        has_cases[samples] = True
        parts.append(_summary(samples, changes, len(clean)))
    guessed = _logistic(np.hstack(parts), task.labels, folds)
    return Guess(
        way=f"clean text and {setting} cases",
        guessed=np.where(has_cases, guessed, NONE),
        without=_logistic(clean, task.labels, folds),
    )


def _summary(samples: NDArray[np.int64], changes: Numbers, n_samples: int) -> Numbers:
    """Return for each sample the mean, least and greatest change of every label, and how often it falls."""
    n_labels = changes.shape[1]
    summed, fallen = np.zeros((n_samples, n_labels)), np.zeros((n_samples, n_labels))
    least, greatest = np.zeros((n_samples, n_labels)), np.zeros((n_samples, n_labels))
    np.add.at(summed, samples, changes)
    np.add.at(fallen, samples, (changes < 0).astype(np.float64))
    np.minimum.at(least, samples, changes)
    np.maximum.at(greatest, samples, changes)
    n_cases = np.maximum(np.bincount(samples, minlength=n_samples), 1)[:, None]
    return np.hstack([summed / n_cases, fallen / n_cases, least, greatest])


def _metadata(task: PublishedTask) -> Numbers:
    """Return what is known of a sample beside its texts: counts by split, sizes of cases, place, id."""
    n_samples = len(task.texts)
    own = np.array([len(text) for text in task.texts])
    sizes = []
    for cases in task.cells.values():
        longer = np.array([len(text) for text in cases.texts]) - own[cases.samples]
        summed = np.bincount(cases.samples, weights=longer, minlength=n_samples)
        sizes.append(summed / np.maximum(np.bincount(cases.samples, minlength=n_samples), 1))
    ids = [list(name.encode()[-8:].rjust(8, b"0")) for name in task.ids]
    columns: list[Any] = [task.n_cases, np.arange(n_samples)[:, None], np.array(ids)]
    return np.hstack([*columns, np.array(sizes).T if sizes else np.zeros((n_samples, 0))]).astype(np.float64)


def by_neighbours(places: NDArray[np.int64], labels: Labels, n_labels: int) -> Labels:
    """Guess of each sample the label that most of its nearest neighbours in an order have."""
    order = np.argsort(places, kind="stable")
    guessed = np.zeros(len(labels), np.int64)
    for rank, place in enumerate(order):
        around = order[max(0, rank - N_NEIGHBOURS) : rank + N_NEIGHBOURS + 1]
        others = labels[around[around != place]]
        guessed[place] = np.bincount(others, minlength=n_labels).argmax()
    return guessed


def most_frequent(labels: Labels, folds: NDArray[np.int64]) -> Labels:
    """Guess of each sample the label that most samples of the other folds have."""
    guessed = np.zeros(len(labels), np.int64)
    for fold in range(N_FOLDS):
        guessed[folds == fold] = np.bincount(labels[folds != fold]).argmax()
    return guessed


def _logistic(features: Numbers, labels: Labels, folds: NDArray[np.int64]) -> Labels:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return _out_of_fold(
        lambda: make_pipeline(StandardScaler(), LogisticRegression(C=1.0, max_iter=500)),
        features,
        labels,
        folds,
    )


def _forest(features: Numbers, labels: Labels, folds: NDArray[np.int64]) -> Labels:
    from sklearn.ensemble import RandomForestClassifier

    return _out_of_fold(
        lambda: RandomForestClassifier(n_estimators=60, random_state=SEED, n_jobs=1), features, labels, folds
    )


def _out_of_fold(
    make: Callable[[], Any], features: Numbers, labels: Labels, folds: NDArray[np.int64]
) -> Labels:
    guessed = np.zeros(len(labels), np.int64)
    for fold in range(N_FOLDS):
        is_out = folds == fold
        guessed[is_out] = make().fit(features[~is_out], labels[~is_out]).predict(features[is_out])
    return guessed
