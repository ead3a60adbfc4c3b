"""Models as participants may submit them, trained on the rows that a release offers for training.

Set HARDFROST_TRAIN to their file: `hardfrost predict DIR --model python:data_cards.participants:nbsvm …`.
Most are those of `benchmarks.ranks`, which attacks them live; none has a surrogate's weights.
"""

import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from benchmarks.ranks.models import made
from benchmarks.ranks.training import Training
from builder.models.encoder import encode
from builder.values.samples import Sample
from classifiers import TRAINABLE_KINDS, TrainingSet
from classifiers.machinery.classifier import Classifier, Probabilities
from contract.machine.cache_folder import cache_path
from contract.machine.hashes import hash_of_file

TRAIN = "HARDFROST_TRAIN"
# Not the seed of any surrogate.
SEED = 7


def nbsvm(texts: list[str]) -> Probabilities:
    """Ask naive Bayes log-count ratios with a linear layer."""
    return _trained("nbsvm").probabilities([(text, None) for text in texts])


def another_cnn(texts: list[str]) -> Probabilities:
    """Ask a small convolutional network with another seed than the surrogate's."""
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


def regression(texts: list[str]) -> Probabilities:
    """Ask logistic regression over words."""
    return _ask("regression", texts)


def regression_folded(texts: list[str]) -> Probabilities:
    """Ask the same after accents and look-alikes are folded into plain letters."""
    return _ask("regression+fold", texts)


def svm_spelled(texts: list[str]) -> Probabilities:
    """Ask a linear support vector machine over words after unknown words are corrected."""
    return _ask("svm+speller", texts)


def char_svm(texts: list[str]) -> Probabilities:
    """Ask a linear support vector machine over characters."""
    return _ask("char-svm", texts)


def char_svm_typos(texts: list[str]) -> Probabilities:
    """Ask the same, trained with typing errors, too."""
    return _ask("char-svm+typos", texts)


def forest(texts: list[str]) -> Probabilities:
    """Ask random trees over words."""
    return _ask("forest", texts)


def gru(texts: list[str]) -> Probabilities:
    """Ask a recurrent network over words."""
    return _ask("gru", texts)


def fasttext(texts: list[str]) -> Probabilities:
    """Ask the mean of hashed vectors of words and n-grams."""
    return _ask("fasttext", texts)


def another_minilm(texts: list[str]) -> Probabilities:
    """Ask MiniLM, fine-tuned with another seed on other rows than the surrogate."""
    return _ask("minilm*", texts)


def ensemble(texts: list[str]) -> Probabilities:
    """Ask the mean of naive Bayes, a support vector machine over characters and hashed vectors."""
    return _ask("ensemble", texts)


def _ask(name: str, texts: list[str]) -> Probabilities:
    return _made(name).probabilities([(text, None) for text in texts])


@cache
def _made(name: str) -> Classifier:
    """Return a model of `benchmarks.ranks`; weights of networks are kept beside other caches."""
    texts, labels = _rows()
    rows = [
        Sample(id=f"train-{place}", text=text, text_pair=None, label=label)
        for place, (text, label) in enumerate(zip(texts, labels, strict=True))
    ]
    folder = cache_path() / "participants" / hash_of_file(Path(os.environ[TRAIN]))[:16]
    return made(name, Training(rows=rows, n_labels=len(set(labels)), folder=folder))


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
