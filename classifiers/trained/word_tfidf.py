"""Word TF-IDF with logistic regression."""

from pathlib import Path
from typing import Any

from classifiers.machinery.classifier import Classifier, TrainableKind, TrainingSet
from classifiers.machinery.linear import load_linear, train_linear

OPTIONS: dict[str, Any] = {
    "lowercase": True,
    "ngram_range": (1, 2),
    "sublinear_tf": True,
    "min_df": 2,
    "max_features": 50_000,
}
INVERSE_REGULARISATION = 8.0


def train(training: TrainingSet, folder: Path) -> None:
    """Fit on the training set and write vocabulary and weights."""
    train_linear(training, folder, OPTIONS, INVERSE_REGULARISATION)


def load(folder: Path) -> Classifier:
    """Return the classifier that `train` wrote into a folder."""
    return load_linear(folder, OPTIONS)


WORD_TFIDF = TrainableKind(
    name="word-tfidf", summary="word TF-IDF with logistic regression", train=train, load=load, family="words"
)
