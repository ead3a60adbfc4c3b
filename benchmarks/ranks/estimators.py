"""Models of scikit-learn, and a lexicon of labels, as classifiers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from builder.models.encoder import encode
from builder.values.associations import cores_of
from classifiers.machinery.classifier import EXPENSIVE, Probabilities, TextPair


@dataclass(frozen=True)
class Forest:
    """Random trees over words."""

    vectorizer: Any
    forest: Any
    cost: int = 500

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the mean over the trees."""
        return np.asarray(self.forest.predict_proba(self.vectorizer.transform([text for text, _ in texts])))


@dataclass(frozen=True)
class Probe:
    """Logistic regression over the frozen sentence vectors of MiniLM."""

    model: Any
    cost: int = EXPENSIVE

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the regression's probabilities; a search may have nothing to ask."""
        if not texts:
            return np.empty((0, len(self.model.classes_)))
        return np.asarray(self.model.predict_proba(encode([text for text, _ in texts])))


@dataclass(frozen=True)
class LabelWords:
    """Counts the words that are typical of each label."""

    labels: dict[str, int]
    n_labels: int
    cost: int = 50

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the softmax of the counts."""
        counts = np.zeros((len(texts), self.n_labels))
        for place, (text, _) in enumerate(texts):
            for word in cores_of(text):
                if word in self.labels:
                    counts[place, self.labels[word]] += 1
        shares = np.exp(counts - counts.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))
