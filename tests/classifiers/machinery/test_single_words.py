"""The words that a classifier knows, whatever it is made of."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from classifiers.machinery.classifier import Probabilities, TextPair
from classifiers.machinery.counting import CharacterCounter, WordCounter
from classifiers.machinery.linear import Linear
from classifiers.machinery.single_words import known_words, linear_form_of


class Pieces:
    """A tokenizer that has a vocabulary and names no special tokens, as that of ONNX models."""

    def __init__(self, *pieces: str) -> None:
        self._pieces = pieces

    def get_vocab(self) -> dict[str, int]:
        """Return the pieces by number."""
        return {piece: number for number, piece in enumerate(self._pieces)}


class Special(Pieces):
    """One that names them."""

    all_special_tokens = ("pad",)


@dataclass
class Asked:
    """A classifier with a tokenizer, or with nothing that names words."""

    tokenizer: object = None
    reader: object = field(default_factory=object)

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return certainty of the first label."""
        return np.array([[1.0, 0.0]] * len(texts))


@pytest.mark.parametrize(
    ("tokenizer", "expected"),
    [
        (Special("pad", "film", "##ing", "good"), ["film", "good"]),
        (Pieces("[CLS]", "film", "##ing"), ["[CLS]", "film"]),
        (Special("pad", "Ġfilm", "ing", "Ġgood"), ["film", "good"]),
        (Pieces("▁film", "ing"), ["film"]),
    ],
)
def test_pieces_that_stand_only_inside_a_word_are_left_out(tokenizer: Pieces, expected: list[str]) -> None:
    """However a tokenizer marks them."""
    assert known_words(Asked(tokenizer)) == expected


def test_a_model_that_names_no_words_has_none() -> None:
    """A function, or a server; the words are then those of the data."""
    assert known_words(Asked()) == []
    assert linear_form_of(Asked()) is None


def test_a_linear_model_of_words_knows_its_single_words_and_one_of_characters_none() -> None:
    """Pairs of words are features, not words."""
    vocabulary = {"film": 0, "good film": 1, "good": 2}
    weights, bias = np.zeros((1, 3)), np.zeros(1)
    assert known_words(Linear(WordCounter(vocabulary, str.split), weights, bias, None)) == ["film", "good"]
    assert known_words(Linear(CharacterCounter(vocabulary, list), weights, bias, None)) == []
