"""NB-SVM: words and pairs of words, each scaled by how much likelier it is in a class, and a linear layer.

After Wang and Manning (2012), with logistic regression in place of their support vector machine.
"""

from pathlib import Path
from typing import Any

import numpy as np

from classifiers.machinery.classifier import Classifier, TrainableKind, TrainingSet
from classifiers.machinery.linear import joined, load_linear, save_linear
from classifiers.machinery.needs import needs

OPTIONS: dict[str, Any] = {
    "lowercase": True,
    "ngram_range": (1, 2),
    "min_df": 2,
    "max_features": 50_000,
}
# Added to every count, as in the paper.
SMOOTHING = 1.0
INVERSE_REGULARISATION = 0.1


def train(training: TrainingSet, folder: Path) -> None:
    """Fit on the training set and write vocabulary and weights."""
    with needs("scikit-learn"):
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.linear_model import LogisticRegression

    vectorizer = CountVectorizer(**OPTIONS, binary=True, dtype=np.float64)
    features = vectorizer.fit_transform([joined(pair) for pair in training.texts])
    labels = np.array(training.labels)
    rows, biases = [], []
    # Two labels need one row: that of the second against the first.
    for label in [1] if training.n_labels == 2 else range(training.n_labels):
        is_label = labels == label
        inside = SMOOTHING + np.asarray(features[is_label].sum(axis=0)).ravel()
        outside = SMOOTHING + np.asarray(features[~is_label].sum(axis=0)).ravel()
        ratios = np.log(inside / inside.sum()) - np.log(outside / outside.sum())
        model = LogisticRegression(C=INVERSE_REGULARISATION, max_iter=1000, random_state=training.seed)
        model.fit(features.multiply(ratios).tocsr(), is_label)
        rows.append(model.coef_[0] * ratios)
        biases.append(model.intercept_[0])
    save_linear(folder, vectorizer.vocabulary_, {"weights": np.array(rows), "bias": np.array(biases)})


def load(folder: Path) -> Classifier:
    """Return the classifier that `train` wrote into a folder."""
    return load_linear(folder, OPTIONS)


NBSVM = TrainableKind(
    name="nbsvm",
    summary="naive Bayes log-count ratios of words with a linear layer",
    train=train,
    load=load,
    family="words",
)
