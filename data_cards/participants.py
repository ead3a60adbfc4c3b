"""Models as participants may submit them, trained on the rows that a release offers for training.

Set HARDFROST_TRAIN to their file: `hardfrost predict DIR --model python:data_cards.participants:nbsvm …`.
"""

import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from builder.models.encoder import encode
from classifiers import TRAINABLE_KINDS, TrainingSet
from classifiers.machinery.classifier import Classifier, Probabilities

TRAIN = "HARDFROST_TRAIN"
# Not the seed of any surrogate.
SEED = 7


def nbsvm(texts: list[str]) -> Probabilities:
    """Ask naive Bayes log-count ratios with a linear layer."""
    return _trained("nbsvm").probabilities([(text, None) for text in texts])


def cnn(texts: list[str]) -> Probabilities:
    """Ask a small convolutional network over words and subwords."""
    return _trained("cnn").probabilities([(text, None) for text in texts])


def naive_bayes(texts: list[str]) -> Probabilities:
    """Ask multinomial naive Bayes over words and pairs of words, by scikit-learn."""
    return np.asarray(_naive_bayes().predict_proba(texts))


def linear_svm(texts: list[str]) -> list[int]:
    """Ask a linear support vector machine over words and characters, by scikit-learn."""
    labels: list[int] = _linear_svm().predict(texts).tolist()
    return labels


def probe(texts: list[str]) -> Probabilities:
    """Ask logistic regression over the frozen sentence embeddings of MiniLM."""
    return np.asarray(_probe().predict_proba(encode(texts)))


@cache
def _rows() -> tuple[list[str], list[int]]:
    table = pq.read_table(os.environ[TRAIN], columns=["text", "label"])
    return table["text"].to_pylist(), table["label"].to_pylist()


@cache
def _trained(kind: str) -> Classifier:
    texts, labels = _rows()
    training = TrainingSet(
        texts=[(text, None) for text in texts], labels=labels, n_labels=len(set(labels)), seed=SEED
    )
    with tempfile.TemporaryDirectory() as folder:
        TRAINABLE_KINDS[kind].train(training, Path(folder))
        return TRAINABLE_KINDS[kind].load(Path(folder))


@cache
def _naive_bayes() -> Any:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    return make_pipeline(CountVectorizer(ngram_range=(1, 2), binary=True), MultinomialNB()).fit(*_rows())


@cache
def _linear_svm() -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline, make_union
    from sklearn.svm import LinearSVC

    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    characters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True)
    return make_pipeline(make_union(words, characters), LinearSVC(C=0.3, random_state=SEED)).fit(*_rows())


@cache
def _probe() -> Any:
    from sklearn.linear_model import LogisticRegression

    texts, labels = _rows()
    return LogisticRegression(C=10, max_iter=2000, random_state=SEED).fit(encode(texts), labels)
