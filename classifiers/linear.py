"""Linear classifiers over counted words or characters: a vocabulary, a scale for each entry, and weights."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from classifiers.classifier import CHEAP, Classifier, Probabilities, TextPair, TrainingSet
from classifiers.needs import needs
from contract.files import pretty_json

WEIGHTS = "weights.safetensors"
VOCABULARY = "vocabulary.json"
# Weights are rounded so that the last bits of a processor's arithmetic do not name another classifier.
DECIMALS = 5


@dataclass(frozen=True)
class Linear:
    """A vectorizer with its linear layer; two labels share one row of weights."""

    vectorizer: Any
    weights: Probabilities
    bias: Probabilities
    cost: ClassVar[int] = CHEAP

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


def train_linear(
    training: TrainingSet, folder: Path, options: Mapping[str, Any], inverse_regularisation: float
) -> None:
    """Fit TF-IDF and logistic regression on the training set and write vocabulary and weights."""
    with needs("scikit-learn"):
        from safetensors.numpy import save_file  # noqa: PLC0415
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    vectorizer = TfidfVectorizer(**options)
    features = vectorizer.fit_transform([joined(pair) for pair in training.texts])
    model = LogisticRegression(C=inverse_regularisation, max_iter=1000, random_state=training.seed)
    model.fit(features, training.labels)
    if len(model.classes_) != training.n_labels:
        raise ValueError("every label must stand in the training rows")
    entries = sorted(vectorizer.vocabulary_, key=vectorizer.vocabulary_.get)
    (folder / VOCABULARY).write_text(pretty_json(entries), encoding="utf-8")
    arrays = {"idf": vectorizer.idf_, "weights": model.coef_, "bias": model.intercept_}
    save_file(
        {name: np.ascontiguousarray(np.round(array, DECIMALS)) for name, array in arrays.items()},
        folder / WEIGHTS,
    )


def load_linear(folder: Path, options: Mapping[str, Any]) -> Classifier:
    """Return the classifier that `train_linear` wrote into a folder."""
    with needs("scikit-learn"):
        from safetensors.numpy import load_file  # noqa: PLC0415
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415

    entries = json.loads((folder / VOCABULARY).read_text(encoding="utf-8"))
    arrays = load_file(folder / WEIGHTS)
    vectorizer = TfidfVectorizer(**options, vocabulary=entries)
    vectorizer.idf_ = arrays["idf"]
    return Linear(vectorizer, arrays["weights"], arrays["bias"])
