"""Counted features are scikit-learn's, whatever the text."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from classifiers import TRAINABLE_KINDS, TrainingSet
from classifiers.machinery import counting
from classifiers.machinery.counting import CharacterCounter, Counter, WordCounter
from classifiers.machinery.linear import Linear
from classifiers.trained import char_tfidf, nbsvm, word_tfidf

WORDS = ["Good", "bad", "film,", "a", "don't", "-", "well-made", "ΟΔΟΣ", "ΣΑΣ", "İstanbul", "3d", "x_y", "…"]
TRAINING = TrainingSet(
    texts=[
        (f"{WORDS[n % 13]} {WORDS[n * 5 % 13]}  {WORDS[n * 7 % 13]}\t{WORDS[n * 11 % 13]}", None)
        for n in range(90)
    ],
    labels=[n % 3 for n in range(90)],
    n_labels=3,
    seed=0,
)
SPACES = st.sampled_from([" ", "  ", "\n", "\u00a0", "\u2003", "\x1c", "\x85", "", "\u200b"])
TEXTS = st.lists(st.tuples(st.one_of(st.sampled_from(WORDS), st.text(max_size=5)), SPACES), max_size=12).map(
    lambda parts: "".join(word + space for word, space in parts)
)


def counter_and_vectorizer(options: dict[str, Any]) -> tuple[Counter, CountVectorizer]:
    """Return our counter and scikit-learn's, with one vocabulary."""
    vectorizer = CountVectorizer(
        **{name: options[name] for name in ("analyzer", "lowercase", "ngram_range") if name in options}
    )
    vectorizer.fit([text for text, _ in TRAINING.texts])
    vocabulary = vectorizer.vocabulary_
    if options.get("analyzer") == "char_wb":
        return CharacterCounter(vocabulary, vectorizer.build_analyzer()), vectorizer
    return WordCounter(vocabulary, vectorizer.build_tokenizer()), vectorizer


PREPARED = {module.__name__: counter_and_vectorizer(module.OPTIONS) for module in (word_tfidf, char_tfidf)}


@pytest.mark.parametrize("name", list(PREPARED))
@settings(max_examples=150, deadline=None)
@given(texts=st.lists(TEXTS, max_size=6))
def test_counts_are_those_of_scikit_learn(name: str, texts: list[str]) -> None:
    """Any spaces, any characters, any neighbours, empty texts included."""
    counter, vectorizer = PREPARED[name]
    found = [counts.toarray() for counts in counter.batches(texts)]
    expected = vectorizer.transform(texts).toarray() if texts else np.zeros((0, 0))
    assert np.array_equal(np.concatenate(found) if found else np.zeros((0, 0)), expected)


@pytest.mark.parametrize("module", [word_tfidf, char_tfidf])
def test_probabilities_are_those_of_scikit_learn(module: Any, tmp_path: Path) -> None:
    """TF-IDF and logistic regression, to the last digits that are kept of their weights."""
    module.train(TRAINING, tmp_path)
    texts = [text for text, _ in TRAINING.texts] + ["", "nothing known", "Good film, bad"]
    vectorizer = TfidfVectorizer(**module.OPTIONS)
    model = LogisticRegression(C=module.INVERSE_REGULARISATION, max_iter=1000, random_state=0)
    model.fit(vectorizer.fit_transform([text for text, _ in TRAINING.texts]), TRAINING.labels)
    found = module.load(tmp_path).probabilities([(text, None) for text in texts])
    assert np.abs(found - model.predict_proba(vectorizer.transform(texts))).max() < 1e-4


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Forgetting changes no number."""
    word_tfidf.train(TRAINING, tmp_path)
    texts = [(f"Good film, bad {n} don't", None) for n in range(40)]
    expected = word_tfidf.load(tmp_path).probabilities(texts)
    monkeypatch.setattr(counting, "MOST_UNITS", 10)
    monkeypatch.setattr(counting, "TEXTS_AT_A_TIME", 7)
    classifier = word_tfidf.load(tmp_path)
    assert isinstance(classifier, Linear)
    assert np.array_equal(classifier.probabilities(texts), expected)
    assert len(classifier.counter._starts) < 60


def test_nbsvm_looks_at_presence_not_at_counts(tmp_path: Path) -> None:
    """Said twice is said once, but for the pair that saying it twice makes."""
    texts = [("good film", None), ("bad film", None)] * 10
    training = TrainingSet(texts=texts, labels=[1, 0] * 10, n_labels=2, seed=0)
    nbsvm.train(training, tmp_path)
    classifier = TRAINABLE_KINDS["nbsvm"].load(tmp_path)
    once, twice, other = classifier.probabilities([("good", None), ("good x good", None), ("bad", None)])
    assert np.allclose(once, twice)
    assert once[1] > 0.6
    assert other[0] > 0.6
