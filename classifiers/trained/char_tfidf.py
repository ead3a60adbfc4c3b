"""Character TF-IDF with logistic regression."""

from pathlib import Path
from typing import Any

from classifiers.machinery.classifier import Classifier, TrainableKind, TrainingSet
from classifiers.machinery.linear import load_linear, train_linear

OPTIONS: dict[str, Any] = {
    "analyzer": "char_wb",
    "lowercase": True,
    "ngram_range": (2, 5),
    "sublinear_tf": True,
    "min_df": 3,
    "max_features": 100_000,
}
INVERSE_REGULARISATION = 6.0


def train(training: TrainingSet, folder: Path) -> None:
    """Fit on the training set and write vocabulary and weights."""
    train_linear(training, folder, OPTIONS, INVERSE_REGULARISATION)


def load(folder: Path) -> Classifier:
    """Return the classifier that `train` wrote into a folder."""
    return load_linear(folder, OPTIONS)


CHAR_TFIDF = TrainableKind(
    name="char-tfidf",
    summary="character TF-IDF with logistic regression",
    train=train,
    load=load,
    family="characters",
)
