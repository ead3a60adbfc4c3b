"""Linear classifiers over counted words or characters: a vocabulary, a scale for each entry, and weights."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from classifiers.machinery.classifier import CHEAP, Numbers, Probabilities, TextPair, TrainingSet
from classifiers.machinery.counting import CharacterCounter, Counter, WordCounter
from classifiers.machinery.needs import needs
from contract.machine.json_text import pretty_json

WEIGHTS = "weights.safetensors"
VOCABULARY = "vocabulary.json"
# Weights are rounded so that the last bits of a processor's arithmetic do not name another classifier.
DECIMALS = 5


@dataclass(frozen=True, kw_only=True)
class LinearForm:
    """A linear classifier as sums over counted features, for those who add up changes themselves."""

    counter: Counter
    # One row a score, each weight times the scale of its feature.
    weights: Numbers
    bias: Numbers
    # The squared scale of each feature; None: scores are not divided by the length of the features.
    squares: Numbers | None
    is_binary: bool
    is_sublinear: bool
    # The label of each score, or of both sides of the only one.
    columns: Sequence[int]
    n_labels: int

    def value(self, counts: Numbers) -> Numbers:
        """Return what counts of a feature stand for."""
        present = np.asarray(counts, np.float64)
        if self.is_binary:
            return np.asarray(present > 0, np.float64)
        if self.is_sublinear:
            return np.where(present > 0, np.log(np.maximum(present, 1.0)) + 1, 0.0)
        return present

    def probabilities(self, sums: Numbers, lengths: Numbers) -> Probabilities:
        """Return one row a column of sums: what the classifier answers to texts with such sums."""
        scores = sums.T
        if self.squares is not None:
            norms = np.sqrt(lengths)
            scores = scores / np.where(norms == 0, 1, norms)[:, None]
        scores = scores + self.bias
        if scores.shape[1] == 1:
            scores = np.hstack([np.zeros_like(scores), scores])
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        result = np.zeros((len(scores), self.n_labels))
        result[:, list(self.columns)] = scores / scores.sum(axis=1, keepdims=True)
        return result


@dataclass(frozen=True)
class Linear:
    """A linear layer over TF-IDF or, without `idf`, over which features a text has.

    Two labels share one row of weights.
    """

    counter: Counter
    weights: Numbers
    bias: Numbers
    idf: Numbers | None
    cost: ClassVar[int] = CHEAP

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the softmax (or, for two labels, the logistic) of the linear scores."""
        if not texts:
            return np.zeros((0, max(2, len(self.bias))))
        scores = self.scores(texts)
        if scores.shape[1] == 1:
            scores = np.hstack([np.zeros_like(scores), scores])
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True))

    def scores(self, texts: Sequence[TextPair]) -> Numbers:
        """Return the linear scores, a column a row of weights."""
        if not texts:
            return np.zeros((0, len(self.bias)))
        batches = self.counter.batches([joined(pair) for pair in texts])
        return np.concatenate([self._scores(counts) for counts in batches]) + self.bias

    def linear_form(self) -> LinearForm:
        """Return the classifier as sums over features."""
        n_labels = max(2, len(self.bias))
        return LinearForm(
            counter=self.counter,
            weights=self.weights if self.idf is None else self.weights * self.idf,
            bias=self.bias,
            squares=None if self.idf is None else self.idf**2,
            is_binary=self.idf is None,
            is_sublinear=self.idf is not None,
            columns=range(n_labels),
            n_labels=n_labels,
        )

    def _scores(self, counts: Any) -> Numbers:
        if self.idf is None:
            counts.data = np.ones_like(counts.data)
            return np.asarray(counts @ self.weights.T)
        counts.data = np.log(counts.data) + 1
        scores = counts @ (self.weights * self.idf).T
        counts.data **= 2
        norms = np.sqrt(counts @ (self.idf**2)[:, None])
        return np.asarray(scores / np.where(norms == 0, 1, norms))


def joined(pair: TextPair) -> str:
    """Return one text for a bag of words."""
    text, partner = pair
    return text if partner is None else f"{text}\n{partner}"


def train_linear(
    training: TrainingSet, folder: Path, options: Mapping[str, Any], inverse_regularisation: float
) -> None:
    """Fit TF-IDF and logistic regression on the training set and write vocabulary and weights."""
    with needs("scikit-learn"):
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression

    vectorizer = TfidfVectorizer(**options)
    features = vectorizer.fit_transform([joined(pair) for pair in training.texts])
    model = LogisticRegression(C=inverse_regularisation, max_iter=1000, random_state=training.seed)
    model.fit(features, training.labels)
    if len(model.classes_) != training.n_labels:
        raise ValueError("every label must stand in the training rows")
    arrays = {"idf": vectorizer.idf_, "weights": model.coef_, "bias": model.intercept_}
    save_linear(folder, vectorizer.vocabulary_, arrays)


def save_linear(folder: Path, vocabulary: Mapping[str, int], arrays: Mapping[str, Numbers]) -> None:
    """Write vocabulary and rounded arrays."""
    from safetensors.numpy import save_file

    entries = sorted(vocabulary, key=lambda entry: vocabulary[entry])
    (folder / VOCABULARY).write_text(pretty_json(entries), encoding="utf-8")
    save_file(
        {name: np.ascontiguousarray(np.round(array, DECIMALS)) for name, array in arrays.items()},
        folder / WEIGHTS,
    )


def load_linear(folder: Path, options: Mapping[str, Any]) -> Linear:
    """Return the classifier that was written into a folder."""
    with needs("scikit-learn"):
        from safetensors.numpy import load_file
        from sklearn.feature_extraction.text import CountVectorizer

    entries = json.loads((folder / VOCABULARY).read_text(encoding="utf-8"))
    vocabulary = {entry: place for place, entry in enumerate(entries)}
    # What splits a text is scikit-learn's own, so that it is split as it was for training.
    names = ("analyzer", "lowercase", "ngram_range")
    vectorizer = CountVectorizer(**{name: options[name] for name in names if name in options})
    counter = (
        CharacterCounter(vocabulary, vectorizer.build_analyzer())
        if options.get("analyzer") == "char_wb"
        else WordCounter(vocabulary, vectorizer.build_tokenizer())
    )
    arrays = load_file(folder / WEIGHTS)
    return Linear(counter, arrays["weights"], arrays["bias"], arrays.get("idf"))
