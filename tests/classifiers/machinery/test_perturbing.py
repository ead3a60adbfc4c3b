"""Perturbed embeddings: they turn the answer, only where the attack may change something."""

import numpy as np
import pytest
import torch

from classifiers import Replacement, TrainingSet
from classifiers.machinery.classifier import TextPair
from classifiers.machinery.perturbing import Objective, PerturbedTexts
from classifiers.trained import cnn
from contract.schema.edits import words_of

TEXTS: list[TextPair] = [("a very good film", None), ("a bad film", None), ("good and warm", None)]
LABELS = [1, 0, 1]
OBJECTIVE = Objective(weight=1e4, confidence=0.0, most_steps=100, learning_rate=0.1)


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> cnn.Cnn:
    """Return a small network that knows a few words."""
    folder = tmp_path_factory.mktemp("cnn")
    cnn.train(TrainingSet(texts=TEXTS * 20, labels=LABELS * 20, n_labels=2, seed=0), folder)
    loaded = cnn.load(folder)
    assert isinstance(loaded, cnn.Cnn)
    return loaded


def test_a_perturbation_turns_the_answer_and_moves_every_word_under_attack(network: cnn.Cnn) -> None:
    """As the model itself says of the moved embeddings."""
    model = network.embedded()
    perturbed = PerturbedTexts(model, TEXTS, LABELS, OBJECTIVE, "text")
    for found, label in zip(perturbed._found, LABELS, strict=True):
        assert found is not None
        moved = torch.tensor((found.embeddings + found.added)[None], dtype=torch.float32)
        assert int(model.logits(moved, [found.tokens]).argmax()) != label
    spans = [[(word.start, word.end) for word in words_of(text)] for text, _ in TEXTS]
    assert all((lengths > 0).all() for lengths in perturbed.lengths(spans))


def test_a_word_of_the_other_label_goes_farther_along_than_one_of_the_same(network: cnn.Cnn) -> None:
    """So estimates by the way lead an attack."""
    perturbed = PerturbedTexts(network.embedded(), TEXTS, LABELS, OBJECTIVE, "text")
    good = Replacement(7, 11, "good")
    bad = Replacement(7, 11, "bad")
    bad_for_good, good_for_good = perturbed.along([[bad, good], [], []])[0]
    assert bad_for_good > good_for_good
    assert abs(good_for_good) < 1e-5


def test_other_texts_of_a_call_change_nothing(network: cnn.Cnn) -> None:
    """A unit may hold any samples."""
    spans = [[(word.start, word.end) for word in words_of(text)] for text, _ in TEXTS]
    together = PerturbedTexts(network.embedded(), TEXTS, LABELS, OBJECTIVE, "text").lengths(spans)
    alone = PerturbedTexts(network.embedded(), TEXTS[:1], LABELS[:1], OBJECTIVE, "text").lengths(spans[:1])
    assert np.allclose(together[0], alone[0], atol=1e-3)
