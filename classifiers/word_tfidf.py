"""Word TF-IDF with logistic regression."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from classifiers.classifier import Classifier, Probabilities, TextPair, TrainableKind, TrainingSet
from classifiers.needs import needs
from contract.files import pretty_json

WEIGHTS = "weights.safetensors"
VOCABULARY = "vocabulary.json"
OPTIONS = {
    "lowercase": True,
    "ngram_range": (1, 2),
    "sublinear_tf": True,
    "min_df": 2,
    "max_features": 50_000,
}
INVERSE_REGULARISATION = 8.0
# Weights are rounded so that the last bits of a processor's arithmetic do not name another classifier.
DECIMALS = 5


@dataclass(frozen=True)
class LinearTfidf:
    """A vectorizer with its linear layer; two labels share one row of weights."""

    vectorizer: Any
    weights: Probabilities
    bias: Probabilities

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the softmax (or, for two labels, the logistic) of the linear scores."""
        if not texts:
            return np.zeros((0, max(2, len(self.bias))))
        scores = self.vectorizer.transform([joined(pair) for pair in texts]) @ self.weights.T + self.bias
        if scores.shape[1] == 1:
            scores = np.hstack([np.zeros_like(scores), scores])
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True))


def joined(pair: TextPair) -> str:
    """Return one text for a bag of words."""
    text, partner = pair
    return text if partner is None else f"{text}\n{partner}"


def train(training: TrainingSet, folder: Path) -> None:
    """Fit on the training set and write vocabulary and weights."""
    with needs("scikit-learn"):
        from safetensors.numpy import save_file  # noqa: PLC0415
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    vectorizer = TfidfVectorizer(**OPTIONS)
    features = vectorizer.fit_transform([joined(pair) for pair in training.texts])
    model = LogisticRegression(C=INVERSE_REGULARISATION, max_iter=1000, random_state=training.seed)
    model.fit(features, training.labels)
    if len(model.classes_) != training.n_labels:
        raise ValueError("every label must stand in the training rows")
    words = sorted(vectorizer.vocabulary_, key=vectorizer.vocabulary_.get)
    (folder / VOCABULARY).write_text(pretty_json(words), encoding="utf-8")
    arrays = {"idf": vectorizer.idf_, "weights": model.coef_, "bias": model.intercept_}
    save_file(
        {name: np.ascontiguousarray(np.round(array, DECIMALS)) for name, array in arrays.items()},
        folder / WEIGHTS,
    )


def load(folder: Path) -> Classifier:
    """Return the classifier that `train` wrote into a folder."""
    with needs("scikit-learn"):
        from safetensors.numpy import load_file  # noqa: PLC0415
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415

    words = json.loads((folder / VOCABULARY).read_text(encoding="utf-8"))
    arrays = load_file(folder / WEIGHTS)
    vectorizer = TfidfVectorizer(**OPTIONS, vocabulary=words)
    vectorizer.idf_ = arrays["idf"]
    return LinearTfidf(vectorizer, arrays["weights"], arrays["bias"])


WORD_TFIDF = TrainableKind(
    name="word-tfidf", summary="word TF-IDF with logistic regression", train=train, load=load
)
