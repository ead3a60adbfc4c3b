"""Transformers classifiers load from folders with safetensors, and only from those."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

from classifiers import Classifier, LoadRequest, parse_spec
from contract.errors import UserError
from contract.release import Release

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "good", "bad", "film", "very"]


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """Return a tiny real checkpoint, its labels in another order than the task's."""
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        id2label={0: "POSITIVE", 1: "NEGATIVE"},
        label2id={"POSITIVE": 0, "NEGATIVE": 1},
    )
    folder = tmp_path / "model"
    BertForSequenceClassification(config).save_pretrained(folder, safe_serialization=True)
    BertTokenizerFast(vocab_file=str(tmp_path / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    return folder


def load(folder: Path, tiny: Path, cache: Path) -> Classifier:
    """Load it as `predict` does."""
    kind, argument = parse_spec(f"hf:{folder}")
    release = Release.open(tiny)
    return kind.load(
        LoadRequest(argument=argument, task=release.manifest.tasks[0], release=release, cache_path=cache)
    )


def test_probabilities_do_not_depend_on_the_batch(checkpoint: Path, tiny: Path, cache: Path) -> None:
    """Alone, in company, in any order, and with texts longer than the model takes."""
    classifier = load(checkpoint, tiny, cache)
    texts = [("a good film " * n, None) for n in range(1, 60)]
    together = classifier.probabilities(texts)
    assert np.allclose(together.sum(axis=1), 1)
    alone = np.vstack([classifier.probabilities([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-5
    assert np.abs(classifier.probabilities(texts[::-1])[::-1] - together).max() < 1e-5
    assert classifier.probabilities([("a good film", "a bad film")]).shape == (1, 2)


def test_labels_are_matched_by_name(checkpoint: Path, tiny: Path, cache: Path) -> None:
    """The model's POSITIVE is the task's positive, whatever its index."""
    classifier = load(checkpoint, tiny, cache)
    tokens = BertTokenizerFast.from_pretrained(checkpoint)("a good film", return_tensors="pt")
    model = BertForSequenceClassification.from_pretrained(checkpoint).eval()
    with torch.inference_mode():
        positive = torch.softmax(model(**tokens).logits, dim=-1)[0, 0].item()
    assert classifier.probabilities([("a good film", None)])[0, 1] == pytest.approx(positive, abs=1e-6)


def test_a_pickled_checkpoint_is_refused_with_a_reason(checkpoint: Path, tiny: Path, cache: Path) -> None:
    """Weights of strangers are data, and pickles are code."""
    (checkpoint / "model.safetensors").unlink()
    torch.save({}, checkpoint / "pytorch_model.bin")
    with pytest.raises(UserError, match=r"no \.safetensors weights; a pickled checkpoint can run any code"):
        load(checkpoint, tiny, cache)


def test_a_model_that_cannot_be_had_is_explained(tiny: Path, cache: Path) -> None:
    """Without a network the Hub is out of reach."""
    with pytest.raises(UserError, match="hf:nobody/nothing cannot be loaded"):
        load(Path("nobody/nothing"), tiny, cache)
