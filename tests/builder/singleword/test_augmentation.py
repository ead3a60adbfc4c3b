"""SP-Defense's texts: one word exchanged, by chance, by gradients, or for a word of another class."""

from collections import Counter

import numpy as np
import pytest
from made_models import BAD, GOOD, PLAIN, Counting, right_sentences

from builder.singleword.augmentation import SCHEMES, Augmenter, special_words
from builder.singleword.sentences import sentences_of
from builder.values.samples import Sample
from classifiers.machinery.classifier import Classifier
from classifiers.machinery.gradients import ByEmbeddings
from classifiers.machinery.single_words import WordScorer

WORDS = sorted({*GOOD, *BAD, *PLAIN})


def samples(*texts: tuple[str, int]) -> list[Sample]:
    """Return labelled texts."""
    return [
        Sample(id=f"s{number}", text=text, text_pair=None, label=label)
        for number, (text, label) in enumerate(texts)
    ]


def test_special_words_are_those_that_are_e_times_as_frequent_elsewhere() -> None:
    """By hand: 'dull' three to one, 'film' one to one, 'fine' only in one; frequencies are shares."""
    rows = samples(("dull dull dull film", 0), ("dull film fine plot", 1))
    found = special_words(rows)
    assert found == {0: ["fine", "plot"], 1: ["dull"]}


def test_a_random_exchange_changes_one_word_and_is_the_same_again() -> None:
    """It is drawn from the seed and the text's name."""
    (sentence,) = sentences_of(samples(("a quiet story, told with care", 1)), "text")
    augmenter = Augmenter(["xylophone"], None, {}, seed=1)
    text = augmenter.random(sentence)
    assert text == augmenter.random(sentence)
    assert sum(old != new for old, new in zip(sentence.sample.text.split(), text.split(), strict=True)) == 1
    assert text != Augmenter(["xylophone"], None, {}, seed=4).random(sentence)


def test_gradients_find_an_exchange_that_flips_more_often_than_chance(cnn: Classifier) -> None:
    """Equation 5, on texts that the network has right."""
    assert isinstance(cnn, ByEmbeddings)
    sentences = right_sentences(cnn, 30)
    augmenter = Augmenter(WORDS, WordScorer.of(cnn, WORDS), {})
    votes = Counting(cnn)
    labels = np.array([sentence.label for sentence in sentences])
    by_gradient = np.array(votes([(augmenter.gradient(own), None) for own in sentences]))
    by_chance = np.array(votes([(augmenter.random(own), None) for own in sentences]))
    assert (by_gradient != labels).mean() > 2 * (by_chance != labels).mean()


def test_half_of_the_texts_are_changed_by_gradients(cnn: Classifier) -> None:
    """And the rest in three ways."""
    assert isinstance(cnn, ByEmbeddings)
    rows = samples(*[(f"the film number {number} is a story", number % 2) for number in range(200)])
    augmenter = Augmenter(WORDS, WordScorer.of(cnn, WORDS), {0: ["uniqueword"], 1: ["uniqueword"]})
    kinds: Counter[str] = Counter()
    for sentence in sentences_of(rows, "text"):
        text = augmenter.sp_defense(sentence)
        if text == sentence.sample.text:
            kinds["as it is"] += 1
        elif "uniqueword" in text:
            kinds["special"] += 1
        elif text == augmenter.gradient(sentence):
            kinds["gradient"] += 1
        else:
            kinds["random"] += 1
    assert 80 <= kinds["gradient"] <= 120
    assert all(15 <= kinds[kind] <= 55 for kind in ("as it is", "special", "random"))


def test_the_baseline_like_a2t_changes_at_most_a_fifth_of_the_words(cnn: Classifier) -> None:
    """Rounded up."""
    assert isinstance(cnn, ByEmbeddings)
    augmenter = Augmenter(WORDS, WordScorer.of(cnn, WORDS), {})
    for sentence in right_sentences(cnn, 5):
        text = SCHEMES["a2t-like"].change(augmenter, sentence)
        pairs = zip(sentence.sample.text.split(), text.split(), strict=True)
        assert 1 <= sum(old != new for old, new in pairs) <= 2


def test_gradients_without_a_classifier_are_an_error() -> None:
    """No scheme falls back to another in silence."""
    (sentence,) = sentences_of(samples(("a film", 1)), "text")
    with pytest.raises(ValueError, match="needs the gradients"):
        SCHEMES["a2t-like"].change(Augmenter(WORDS, None, {}), sentence)
