"""Word TF-IDF with one logistic regression a label, in which both sides of a label weigh the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from classifiers.machinery.classifier import Probabilities, TextPair
from classifiers.machinery.linear import Linear, joined, load_linear, save_linear
from classifiers.machinery.listed import ListedTrainable, ListedTrainingSet
from classifiers.machinery.needs import needs

OPTIONS: dict[str, Any] = {
    "lowercase": True,
    "ngram_range": (1, 2),
    "sublinear_tf": True,
    "min_df": 2,
    "max_features": 50_000,
}
INVERSE_REGULARISATION = 8.0
# The score of a label that the training rows show on one side only.
_CERTAIN = 5.0


@dataclass(frozen=True)
class LinearMultilabel:
    """A row of weights a label; each label has a probability for itself."""

    linear: Linear

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return one number a label; rows need not sum to 1."""
        return 1 / (1 + np.exp(-self.linear.scores(texts)))


def train(training: ListedTrainingSet, folder: Path) -> None:
    """Fit on the rows that were judged, label after label, and write vocabulary and weights."""
    with needs("scikit-learn"):
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression

    vectorizer = TfidfVectorizer(**OPTIONS)
    features = vectorizer.fit_transform([joined(pair) for pair in training.texts])
    weights = np.zeros((training.n_labels, features.shape[1]))
    bias = np.zeros(training.n_labels)
    for label in range(training.n_labels):
        judged = [place for place, codes in enumerate(training.codes) if codes[label] is not None]
        holds = [training.codes[place][label] for place in judged]
        if len(set(holds)) < 2:
            bias[label] = _CERTAIN if holds and holds[0] else -_CERTAIN
            continue
        model = LogisticRegression(
            C=INVERSE_REGULARISATION, max_iter=1000, class_weight="balanced", random_state=training.seed
        )
        model.fit(features[judged], holds)
        weights[label], bias[label] = model.coef_[0], model.intercept_[0]
    arrays = {"idf": vectorizer.idf_, "weights": weights, "bias": bias}
    save_linear(folder, vectorizer.vocabulary_, arrays)


def load(folder: Path) -> LinearMultilabel:
    """Return the classifier that `train` wrote into a folder."""
    return LinearMultilabel(load_linear(folder, OPTIONS))


LINEAR_MULTILABEL = ListedTrainable(
    name="linear-multilabel",
    summary="word TF-IDF with a logistic regression for each label",
    task_kind="multilabel",
    train=train,
    load=load,
)
