"""Linear models over words or characters, fitted by scikit-learn, asked by our own fast counter."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from builder.values.samples import Sample
from classifiers.machinery.classifier import Classifier
from classifiers.machinery.linear import load_linear, save_linear

WORDS: dict[str, Any] = {"ngram_range": (1, 1), "sublinear_tf": True, "min_df": 2}
PAIRS: dict[str, Any] = {"ngram_range": (1, 2), "sublinear_tf": True, "min_df": 2}
CHARACTERS: dict[str, Any] = {
    "analyzer": "char_wb",
    "ngram_range": (3, 5),
    "sublinear_tf": True,
    "min_df": 3,
    "max_features": 60_000,
}


def train_linear(rows: Sequence[Sample], options: Mapping[str, Any], estimator: Any) -> Classifier:
    """Fit a linear estimator on TF-IDF; the higher its score for a label, the likelier the label."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(**options)
    features = vectorizer.fit_transform([row.text for row in rows])
    estimator.fit(features, [row.label for row in rows])
    weights, bias = np.atleast_2d(estimator.coef_), np.atleast_1d(estimator.intercept_)
    arrays = {"idf": vectorizer.idf_, "weights": weights, "bias": bias}
    return _linear(vectorizer.vocabulary_, arrays, options)


def train_naive_bayes(rows: Sequence[Sample], options: Mapping[str, Any]) -> Classifier:
    """Fit multinomial naive Bayes on whether a text has a word."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    own = {name: value for name, value in options.items() if name != "sublinear_tf"}
    vectorizer = CountVectorizer(binary=True, **own)
    model = MultinomialNB().fit(
        vectorizer.fit_transform([row.text for row in rows]), [row.label for row in rows]
    )
    weights, bias = model.feature_log_prob_, model.class_log_prior_
    if len(bias) == 2:
        weights, bias = weights[1:] - weights[:1], bias[1:] - bias[:1]
    return _linear(vectorizer.vocabulary_, {"weights": weights, "bias": bias}, options)


def _linear(
    vocabulary: Mapping[str, int], arrays: Mapping[str, Any], options: Mapping[str, Any]
) -> Classifier:
    with tempfile.TemporaryDirectory() as folder:
        save_linear(Path(folder), vocabulary, {name: np.asarray(own) for name, own in arrays.items()})
        return load_linear(Path(folder), options)
