"""A scikit-learn pipeline of TF-IDF and a linear layer, answered quickly where texts share most words.

An attack asks about thousands of texts that differ in a word. Counting again only what differs gives the same
answers in a fraction of the time; whether they are the same is tried on the samples, and if not, the pipeline
itself is asked.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from classifiers.kinds.sklearn import SklearnPipeline
from classifiers.machinery.classifier import CHEAP, Classifier, Numbers, Probabilities, TextPair
from classifiers.machinery.counting import CharacterCounter, Counter, WordCounter
from classifiers.machinery.linear import LinearForm, joined

# Answers that differ by less are the same.
SAME = 1e-6
TEXTS_TRIED = 100


class QuickPipeline:
    """The linear scores of counted features, with the weights of the pipeline."""

    cost = CHEAP

    def __init__(self, counter: Counter, vectorizer: Any, layer: Any, columns: Sequence[int], n: int) -> None:
        self._counter = counter
        self._is_sublinear = bool(getattr(vectorizer, "sublinear_tf", False))
        self._is_binary = bool(vectorizer.binary)
        has_idf = bool(getattr(vectorizer, "use_idf", False))
        n_features = len(vectorizer.vocabulary_)
        self._idf: Numbers = np.asarray(vectorizer.idf_) if has_idf else np.ones(n_features)
        self._norm: str | None = getattr(vectorizer, "norm", None)
        self._weights: Numbers = np.asarray(layer.coef_) * self._idf
        self._bias: Numbers = np.asarray(layer.intercept_)
        self._columns, self._n_labels = list(columns), n

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return what `predict_proba` of the pipeline returns."""
        result = np.zeros((len(texts), self._n_labels))
        if not texts:
            return result
        batches = self._counter.batches([joined(pair) for pair in texts])
        scores = np.concatenate([self._scores(counts) for counts in batches]) + self._bias
        if scores.shape[1] == 1:
            scores = np.hstack([np.zeros_like(scores), scores])
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        result[:, self._columns] = scores / scores.sum(axis=1, keepdims=True)
        return result

    def linear_form(self) -> LinearForm:
        """Return the classifier as sums over features."""
        return LinearForm(
            counter=self._counter,
            weights=self._weights,
            bias=self._bias,
            squares=None if self._norm is None else self._idf**2,
            is_binary=self._is_binary,
            is_sublinear=self._is_sublinear,
            columns=self._columns,
            n_labels=self._n_labels,
        )

    def _scores(self, counts: Any) -> Numbers:
        if self._is_binary:
            counts.data = np.ones_like(counts.data)
        if self._is_sublinear:
            counts.data = np.log(counts.data) + 1
        scores = np.asarray(counts @ self._weights.T)
        if self._norm is None:
            return scores
        counts.data **= 2
        norms = np.sqrt(np.asarray(counts @ (self._idf**2)[:, None]))
        return np.asarray(scores / np.where(norms == 0, 1, norms))


def quick_pipeline(classifier: Classifier, texts: Sequence[TextPair]) -> Classifier | None:
    """Return the same classifier, but quick, where its pipeline is of a known form and answers the same."""
    quick = _converted(classifier)
    if quick is None:
        return None
    tried = list(texts[:TEXTS_TRIED])
    expected = classifier.probabilities(tried)
    is_same = np.abs(quick.probabilities(tried) - expected).max(initial=0.0) < SAME
    return quick if is_same else None


def _converted(classifier: Classifier) -> QuickPipeline | None:
    """Return the quick form of a pipeline; None where it is not one of TF-IDF and logistic regression."""
    steps = [step for _, step in getattr(getattr(classifier, "pipeline", None), "steps", [])]
    if not isinstance(classifier, SklearnPipeline) or len(steps) != 2:
        return None
    vectorizer, layer = steps
    is_known = (
        type(vectorizer).__name__ in {"TfidfVectorizer", "CountVectorizer"}
        and type(layer).__name__ == "LogisticRegression"
        and vectorizer.lowercase
        and vectorizer.preprocessor is None
        and vectorizer.strip_accents is None
        and getattr(vectorizer, "norm", None) in {"l2", None}
    )
    if not is_known:
        return None
    counter = _counter(vectorizer)
    if counter is None:
        return None
    return QuickPipeline(counter, vectorizer, layer, classifier.columns, classifier.n_labels)


def _counter(vectorizer: Any) -> Counter | None:
    if vectorizer.analyzer == "char_wb":
        return CharacterCounter(vectorizer.vocabulary_, vectorizer.build_analyzer())
    is_plain = vectorizer.analyzer == "word" and vectorizer.stop_words is None
    if is_plain and vectorizer.ngram_range in {(1, 1), (1, 2)}:
        # Pairs that the vocabulary does not have are not counted.
        return WordCounter(vectorizer.vocabulary_, vectorizer.build_tokenizer())
    return None
