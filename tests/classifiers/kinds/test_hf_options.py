"""A transformer's labels, device and batches are as the user says, and numbered labels are told aloud."""

from pathlib import Path

import numpy as np
import pytest
from one_task import a_request
from transformers import BertForSequenceClassification

from classifiers.kinds.hf import HF
from classifiers.machinery.classifier import ModelOptions
from contract.machine.errors import UserError

TEXTS = [("a good film", None), ("a very bad film", None), ("text 1", None)]


@pytest.fixture
def numbered(checkpoint: Path) -> Path:
    """Return a checkpoint whose labels nobody named."""
    model = BertForSequenceClassification.from_pretrained(checkpoint)
    model.config.id2label = {0: "LABEL_0", 1: "LABEL_1"}
    model.save_pretrained(checkpoint)
    return checkpoint


def test_numbered_labels_are_told_and_may_be_given(numbered: Path) -> None:
    """By order unless the user says otherwise; then the columns change places."""
    said: list[str] = []
    assumed = HF.load(a_request(str(numbered), say=said.append))
    assert "LABEL_0 = negative, LABEL_1 = positive" in said[0]
    assert str(assumed.assumed_labels) == "LABEL_0 = negative, LABEL_1 = positive"  # type: ignore[attr-defined]
    options = ModelOptions(labels={"mr": ("positive", "negative")})
    given = HF.load(a_request(str(numbered), say=said.append, options=options))
    assert "LABEL_0 = positive, LABEL_1 = negative, as --labels says" in said[1]
    assert given.assumed_labels is None  # type: ignore[attr-defined]
    assert np.array_equal(given.probabilities(TEXTS), assumed.probabilities(TEXTS)[:, ::-1])


def test_names_of_another_task_need_a_word(checkpoint: Path) -> None:
    """Never matched by order."""
    model = BertForSequenceClassification.from_pretrained(checkpoint)
    model.config.id2label = {0: "ham", 1: "spam"}
    model.save_pretrained(checkpoint)
    with pytest.raises(UserError, match="has the labels ham, spam, task mr has negative, positive"):
        HF.load(a_request(str(checkpoint)))
    options = ModelOptions(labels={"": ("negative", "positive")})
    assert HF.load(a_request(str(checkpoint), options=options)).probabilities(TEXTS).shape == (3, 2)


def test_a_device_that_is_not_there_is_refused(checkpoint: Path) -> None:
    """With one that is."""
    for name in ("cuda:99", "abacus"):
        with pytest.raises(UserError, match=f"--device {name}: cannot be used .*; the fastest one here is"):
            HF.load(a_request(str(checkpoint), options=ModelOptions(device=name)))
    options = ModelOptions(device="cpu", batch_size=1)
    one = HF.load(a_request(str(checkpoint), options=options)).probabilities(TEXTS)
    assert np.array_equal(one, HF.load(a_request(str(checkpoint))).probabilities(TEXTS))
