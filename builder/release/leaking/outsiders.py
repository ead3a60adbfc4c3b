"""Outsiders: small models that know labelled texts like the published ones, but not these samples' labels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builder.release.leaking.published import Labels, PublishedTask

Numbers = NDArray[np.float64]
# Each sample is judged by models that know the labels of the others' four fifths.
N_FOLDS = 5
SEED = 7
# A probability is never taken to be smaller.
LEAST_LOGARITHM = -12.0
# In fewer texts, what stands only once may be all there is.
FEW_TEXTS = 200


@dataclass(frozen=True, kw_only=True, eq=False)
class Moved:
    """How the cases of a cell move an outsider: for each case the change of every label's logarithm."""

    samples: NDArray[np.int64]
    changes: Numbers


@dataclass(frozen=True, kw_only=True, eq=False)
class View:
    """What one outsider makes of a task: each label's logarithm on clean texts, and the moves of cases."""

    name: str
    clean: Numbers
    moves: Mapping[tuple[str, str], Moved]


def folds_of(labels: Labels) -> NDArray[np.int64]:
    """Return the fold of each sample: drawn by lot, each label spread over all of them."""
    generator = np.random.default_rng(SEED)
    folds = np.zeros(len(labels), np.int64)
    for label in np.unique(labels):
        places = generator.permutation(np.flatnonzero(labels == label))
        folds[places] = np.arange(len(places)) % N_FOLDS
    return folds


def views_of(task: PublishedTask, folds: NDArray[np.int64]) -> list[View]:
    """Return what each outsider makes of a task."""
    readers: dict[str, Callable[[Sequence[str]], Any]] = {
        "words": _tfidf(task, analyzer="word", ngram_range=(1, 2)),
        "characters": _tfidf(task, analyzer="char_wb", ngram_range=(2, 4)),
    }
    lexicon = _lexicon()
    if lexicon is not None:
        readers["lexicon"] = lexicon
    return [_view(name, reader, task, folds) for name, reader in readers.items()]


def _tfidf(task: PublishedTask, **options: Any) -> Callable[[Sequence[str]], Any]:
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = task.texts + task.known_texts
    vectorizer = TfidfVectorizer(min_df=2 if len(texts) > FEW_TEXTS else 1, sublinear_tf=True, **options)
    vectorizer.fit(texts)
    transform: Callable[[Sequence[str]], Any] = vectorizer.transform
    return transform


def _lexicon() -> Callable[[Sequence[str]], Any] | None:
    """Return a reader by VADER's words and rules, where it is installed."""
    try:
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer
    except ImportError:
        return None
    analyzer = SentimentIntensityAnalyzer()

    def read(texts: Sequence[str]) -> Numbers:
        scores = [analyzer.polarity_scores(text) for text in texts]
        return np.array([[score["compound"], score["pos"], score["neg"]] for score in scores]).reshape(-1, 3)

    return read


def _view(
    name: str, reader: Callable[[Sequence[str]], Any], task: PublishedTask, folds: NDArray[np.int64]
) -> View:
    from scipy.sparse import csr_matrix, vstack  # type: ignore[import-untyped]
    from sklearn.linear_model import LogisticRegression

    n_labels = len(task.info.labels)
    clean_features = csr_matrix(reader(task.texts))
    known = csr_matrix(reader(task.known_texts)) if task.known_texts else clean_features[:0]
    features = {cell: csr_matrix(reader(cases.texts)) for cell, cases in task.cells.items()}
    clean = np.zeros((len(task.texts), n_labels))
    changes = {cell: np.zeros((len(cases.texts), n_labels)) for cell, cases in task.cells.items()}
    for fold in range(N_FOLDS):
        is_out = folds == fold
        model = LogisticRegression(C=10.0, max_iter=500)
        model.fit(
            vstack([known, clean_features[~is_out]]),
            np.concatenate([task.known_labels, task.labels[~is_out]]),
        )
        clean[is_out] = _logarithms(model, clean_features[is_out], n_labels)
        for cell, cases in task.cells.items():
            rows = np.flatnonzero(is_out[cases.samples])
            if len(rows):
                after = _logarithms(model, features[cell][rows], n_labels)
                changes[cell][rows] = after - clean[cases.samples[rows]]
    moves = {cell: Moved(samples=task.cells[cell].samples, changes=changes[cell]) for cell in task.cells}
    return View(name=name, clean=clean, moves=moves)


def _logarithms(model: Any, features: Any, n_labels: int) -> Numbers:
    """Return each label's logarithm; a label that the model never met has the least."""
    found = np.full((features.shape[0], n_labels), LEAST_LOGARITHM)
    if features.shape[0]:
        found[:, model.classes_] = np.maximum(model.predict_log_proba(features), LEAST_LOGARITHM)
    return found
