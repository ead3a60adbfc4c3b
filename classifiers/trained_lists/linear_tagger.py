"""A linear tagger: a token's form, its beginnings and ends, its shape and its neighbours decide its label."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from classifiers.machinery.classifier import Numbers
from classifiers.machinery.linear import VOCABULARY, WEIGHTS, save_linear
from classifiers.machinery.listed import ListedTrainable, ListedTrainingSet
from classifiers.machinery.needs import needs
from contract.task_kinds.tagging import tokens_of

# About half a minute on one core.
TRAIN_ROWS = 4_000
EPOCHS = 6
REGULARISATION = 2e-6
LEAST_TOKENS = 2
LONGEST_PART = 4
# Beside the first and the last token.
_START, _END = "<start>", "<end>"


@dataclass(frozen=True)
class LinearTagger:
    """A row of weights a label."""

    vocabulary: dict[str, int]
    weights: Numbers
    bias: Numbers

    def tags(self, texts: Sequence[Sequence[str]]) -> list[list[int]]:
        """Return for each text one label a token."""
        answers = []
        for tokens in texts:
            scores = np.tile(self.bias, (len(tokens), 1))
            for place, features in enumerate(features_of(tokens)):
                known = [self.vocabulary[name] for name in features if name in self.vocabulary]
                scores[place] += self.weights[:, known].sum(axis=1)
            answers.append(scores.argmax(axis=1).tolist())
        return answers


def features_of(tokens: Sequence[str]) -> Iterator[list[str]]:
    """Yield what is known of each token."""
    lowered = [_START, _START, *(token.lower() for token in tokens), _END, _END]
    for place, token in enumerate(tokens):
        word = lowered[place + 2]
        before, after = lowered[place + 1], lowered[place + 3]
        lengths = range(1, min(LONGEST_PART, len(word)) + 1)
        yield [
            f"word {word}",
            f"shape {_shape(token)}",
            *(f"begins {word[:length]}" for length in lengths),
            *(f"ends {word[-length:]}" for length in lengths),
            f"before {before}",
            f"after {after}",
            f"two before {lowered[place]} {before}",
            f"two after {after} {lowered[place + 4]}",
            f"ends before {before[-3:]}",
            f"ends after {after[-3:]}",
        ]


def _shape(token: str) -> str:
    """Return what kinds of characters a token has, each run of them once."""
    kinds = ["A" if c.isupper() else "a" if c.islower() else "0" if c.isdecimal() else c for c in token]
    return "".join(kind for place, kind in enumerate(kinds) if place == 0 or kind != kinds[place - 1])[:8]


def train(training: ListedTrainingSet, folder: Path) -> None:
    """Fit on the tokens of the training rows and write vocabulary and weights."""
    with needs("scikit-learn"):
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.linear_model import SGDClassifier

    tokens = [features for text, _ in training.texts for features in features_of(tokens_of(text))]
    labels = [code for codes in training.codes for code in codes]
    vectorizer = CountVectorizer(analyzer=list, binary=True, min_df=LEAST_TOKENS)
    features = vectorizer.fit_transform(tokens)
    model = SGDClassifier(
        loss="hinge",
        alpha=REGULARISATION,
        max_iter=EPOCHS,
        tol=None,
        average=True,
        random_state=training.seed,
    )
    model.fit(features, labels)
    weights = np.zeros((training.n_labels, features.shape[1]))
    # Labels that no training token has are never given.
    bias = np.full(training.n_labels, -1e6)
    if len(model.classes_) == 2:
        coefficients, intercepts = (
            np.vstack([-own, own]) for own in (model.coef_, model.intercept_[:, None])
        )
        weights[model.classes_], bias[model.classes_] = coefficients, intercepts[:, 0]
    else:
        weights[model.classes_], bias[model.classes_] = model.coef_, model.intercept_
    save_linear(folder, vectorizer.vocabulary_, {"weights": weights, "bias": bias})


def load(folder: Path) -> LinearTagger:
    """Return the tagger that `train` wrote into a folder."""
    with needs("safetensors"):
        from safetensors.numpy import load_file

    entries = json.loads((folder / VOCABULARY).read_text(encoding="utf-8"))
    arrays = load_file(folder / WEIGHTS)
    vocabulary = {entry: place for place, entry in enumerate(entries)}
    return LinearTagger(vocabulary, arrays["weights"], arrays["bias"])


LINEAR_TAGGER = ListedTrainable(
    name="linear-tagger",
    summary="a linear model over a token's form, parts, shape and neighbours",
    task_kind="tagging",
    train=train,
    load=load,
    train_rows=TRAIN_ROWS,
)
