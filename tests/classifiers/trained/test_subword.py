"""The kind `subword` reads a text by its words and their parts, one text at a time or many together."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifiers import TrainingSet
from classifiers.trained import subword
from classifiers.trained.subword import BUCKETS, Subword, entries_of, words_of

WORDS = {0: ["terrible", "boring", "dreadful"], 1: ["wonderful", "charming", "delightful"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a classifier that knows a few words."""
    path = tmp_path_factory.mktemp("subword")
    texts = [(f"a {WORDS[n % 2][n % 3]} film", None) for n in range(120)]
    # Texts without a word are found in real data.
    texts += [("", None), (" ", None)]
    labels = [n % 2 for n in range(122)]
    subword.train(TrainingSet(texts=texts, labels=labels, n_labels=2, seed=1), path)
    return path


def loaded(folder: Path) -> Subword:
    """Return the classifier with an empty memory."""
    classifier = subword.load(folder)
    assert isinstance(classifier, Subword)
    return classifier


def test_a_word_is_its_own_vector_and_those_of_its_parts() -> None:
    """Parts of three to five characters, with the word's ends marked."""
    assert len(entries_of("abc")) == 1 + 3 + 2 + 1
    assert set(entries_of("abc")[1:3]) <= set(entries_of("abcd"))
    assert entries_of("abc")[0] not in entries_of("abcd")
    assert words_of("Don't  STOP…") == ["don", "'", "t", "stop", "…"]


@given(st.text(max_size=40))
def test_any_text_is_read(text: str) -> None:
    """Lone surrogates and signs included; every number is that of a vector."""
    for word in words_of(text):
        numbers = entries_of(word)
        assert numbers
        assert all(0 <= number < BUCKETS for number in numbers)


def test_a_misspelt_word_is_known_by_its_parts(folder: Path) -> None:
    """That is what tells it from a classifier of words."""
    texts = [("a wnderful film", None), ("a terrrible film", None)]
    assert loaded(folder).probabilities(texts).argmax(axis=1).tolist() == [1, 0]


def test_answers_depend_on_the_text_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not on what is asked with it, nor on which words are remembered or forgotten."""
    texts = [
        (f"a {word} film of {word}s {n}", None) for n, word in enumerate([*WORDS[0], *WORDS[1], "", "ﬁ"])
    ]
    together = loaded(folder).probabilities(texts)
    classifier = loaded(folder)
    apart = np.concatenate([classifier.probabilities([text]) for text in reversed(texts)])[::-1]
    assert np.abs(together - apart).max() < 1e-9
    monkeypatch.setattr(subword, "MOST_REMEMBERED", 3)
    classifier = loaded(folder)
    assert np.array_equal(classifier.probabilities(texts), together)
    assert len(classifier.known) <= 3
    assert loaded(folder).probabilities([]).shape == (0, 2)


def test_both_texts_of_a_pair_count(tmp_path: Path) -> None:
    """Whether a pair says the same twice can be learned."""
    words = ["wolf", "river", "garden", "winter"]
    texts = [(words[n % 4], words[n // 4 % 4]) for n in range(160)]
    labels = [int(first == second) for first, second in texts]
    subword.train(TrainingSet(texts=texts, labels=labels, n_labels=2, seed=1), tmp_path)
    guesses = subword.load(tmp_path).probabilities(texts).argmax(axis=1)
    assert (guesses == labels).mean() > 0.9
    assert np.ptp(loaded(tmp_path).probabilities([("wolf", word) for word in words])[:, 1]) > 0.1
