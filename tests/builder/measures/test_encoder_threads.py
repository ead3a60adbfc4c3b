"""A text's vector is the same, to the last bit, whatever is encoded with it and on however many threads."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
import torch

from builder.models.encoder import PACKAGED_ENCODER, _load

WORDS = ("a", "the", "film", "story", "dull", "never", "again", "with", "slowly", "funny", "scene")


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    """Leave torch with as many threads as it had."""
    n_threads = torch.get_num_threads()
    yield
    torch.set_num_threads(n_threads)


def test_a_vector_does_not_depend_on_threads_or_on_its_batch() -> None:
    """Texts of one word to forty, alone and with others."""
    random = Random(0)
    lengths = (1, 2, 5, 9, 14, 22, 30, 40)
    texts = [" ".join(random.choices(WORDS, k=lengths[number % 8])) + f" {number}" for number in range(32)]
    encoder = _load(PACKAGED_ENCODER)
    torch.set_num_threads(1)
    expected = np.array(encoder.encode(texts))
    for n_threads in (1, 2, 3):
        torch.set_num_threads(n_threads)
        assert np.array_equal(np.array(encoder.encode(texts)), expected)
        alone = np.array([encoder.encode([text])[0] for text in texts[:8]])
        assert np.array_equal(alone, expected[:8])


def test_a_vector_does_not_depend_on_padding_beside_it() -> None:
    """A text that fills its row, alone or beside one that does not."""
    encoder = _load(PACKAGED_ENCODER)
    for n_words in range(1, 24):
        text = " ".join(["film"] * n_words)
        with_shorter = encoder.encode([text, " ".join(["film"] * (n_words - 1)) or "a"])[0]
        assert np.array_equal(encoder.encode([text])[0], with_shorter)
