"""Transformers classifiers load from folders with safetensors, and only from those."""

from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertModel,
    BertTokenizerFast,
    GPT2Config,
    GPT2ForSequenceClassification,
    PreTrainedTokenizerFast,
)

from classifiers import Classifier, LoadRequest, parse_spec
from contract.machine.errors import ExitCode, UserError
from contract.release.release import Release


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


def test_a_checkpoint_without_a_head_is_refused(checkpoint: Path, tiny: Path, cache: Path) -> None:
    """Transformers would draw a head at random, and it would vote."""
    BertModel(BertConfig.from_pretrained(checkpoint)).save_pretrained(checkpoint)
    with pytest.raises(UserError, match=r"lacks classifier\.bias, classifier\.weight") as refused:
        load(checkpoint, tiny, cache)
    assert refused.value.exit_code == ExitCode.BAD_INPUT


def test_a_head_of_another_size_is_refused(checkpoint: Path, tiny: Path, cache: Path) -> None:
    """A config edited to the task's two labels does not make a model of three labels fit."""
    config = BertConfig.from_pretrained(checkpoint)
    BertForSequenceClassification(
        BertConfig.from_pretrained(checkpoint, id2label={0: "A", 1: "B", 2: "C"})
    ).save_pretrained(checkpoint)
    config.save_pretrained(checkpoint)
    with pytest.raises(UserError, match=r"another size than its config says classifier\.bias"):
        load(checkpoint, tiny, cache)


def test_damaged_weights_are_refused_with_a_reason(checkpoint: Path, tiny: Path, cache: Path) -> None:
    """A download that broke off is no traceback."""
    weights = checkpoint / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100])
    with pytest.raises(UserError, match="cannot be loaded"):
        load(checkpoint, tiny, cache)


def test_a_model_that_cannot_be_had_is_explained(tiny: Path, cache: Path) -> None:
    """Without a network the Hub is out of reach."""
    with pytest.raises(UserError, match="hf:nobody/nothing cannot be loaded"):
        load(Path("nobody/nothing"), tiny, cache)


def test_a_model_without_padding_gets_some(tmp_path: Path, tiny: Path, cache: Path) -> None:
    """Models made to write have none; together and alone their probabilities are the same."""
    words = {word: place for place, word in enumerate(["<end>", "<unk>", "a", "good", "bad", "film"])}
    unknown, end = {"unk_token": "<unk>"}, {"eos_token": "<end>"}
    tokenizer = Tokenizer(models.WordLevel(words, **unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=64, **unknown, **end
    ).save_pretrained(tmp_path)
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=len(words), n_embd=16, n_layer=1, n_head=2, n_positions=64, bos_token_id=0, eos_token_id=0
    )
    GPT2ForSequenceClassification(config).save_pretrained(tmp_path)
    classifier = load(tmp_path, tiny, cache)
    texts = [("a good film " * n, None) for n in range(1, 10)]
    alone = np.vstack([classifier.probabilities([text]) for text in texts])
    assert np.abs(classifier.probabilities(texts) - alone).max() < 1e-5


def test_texts_are_cut_to_what_the_model_takes(checkpoint: Path, tiny: Path, cache: Path) -> None:
    """Also where the tokenizer does not know."""
    BertTokenizerFast.from_pretrained(checkpoint, model_max_length=int(1e30)).save_pretrained(checkpoint)
    config = BertForSequenceClassification.from_pretrained(checkpoint).config
    config.max_position_embeddings = 16
    BertForSequenceClassification(config).save_pretrained(checkpoint)
    assert load(checkpoint, tiny, cache).probabilities([("a good film " * 100, None)]).shape == (1, 2)
