"""Paraphrase models are named in the recipe, and asked for what keeps negations and numbers."""

from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import BartConfig, BartForConditionalGeneration, PreTrainedTokenizerFast

from builder.dimensions.syntax import write_series
from builder.language.sentences.paraphraser import N_PARAPHRASES, paraphrase
from builder.models.resources import Resources
from builder.operations.dimension import TextToRewrite
from builder.values.randomness import Draw
from contract.machine.errors import UserError
from contract.schema.edits import apply_edits

WORDS = ["<pad>", "<s>", "</s>", "<unk>", "a", "film", "warm", "Warm", "funny", "not", "."]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a sequence-to-sequence model of no use, the smallest that there is."""
    folder = tmp_path_factory.mktemp("paraphraser")
    numbers = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(WordLevel(numbers, unk_token=WORDS[3]))
    tokenizer.pre_tokenizer = Whitespace()
    special = dict(zip(("pad_token", "bos_token", "eos_token", "unk_token"), WORDS, strict=False))
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(folder)
    torch.manual_seed(3)
    sizes = {
        "d_model": 16,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "encoder_ffn_dim": 16,
        "decoder_ffn_dim": 16,
    }
    config = BartConfig(
        vocab_size=len(WORDS),
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        max_position_embeddings=64,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        forced_eos_token_id=2,
        **sizes,
    )
    BartForConditionalGeneration(config).save_pretrained(folder)
    return f"hf:{folder}"


def test_paraphrases_are_different_texts_in_the_style_of_the_original(model: str) -> None:
    """The same each time and in any company; small letters for small letters."""
    both = paraphrase(["a warm film .", "a funny film ."], model)
    assert paraphrase(["a funny film ."], model) == both[1:]
    for text, found in zip(("a warm film .", "a funny film ."), both, strict=True):
        assert 0 < len(found) <= N_PARAPHRASES
        assert len(set(found)) == len(found)
        assert text not in found
        assert all(each == each.lower() for each in found)


def test_paraphrases_belong_to_the_series_of_syntax(model: str) -> None:
    """Those that bring in a negation are left out."""
    subject = TextToRewrite(text="a warm film .", draw=Draw(1), avoid=frozenset())
    (series,) = write_series([subject], Resources(paraphraser=model))
    texts = [apply_edits(subject.text, rewrite.edits) for rewrite in series if rewrite.method == "paraphrase"]
    assert set(texts) <= set(paraphrase([subject.text], model)[0])
    assert not any("not" in text.split() for text in texts)


@pytest.mark.parametrize("name", ["t5", "hf:", "file:x"])
def test_an_unknown_paraphraser_is_refused(name: str) -> None:
    """The error says what would be right."""
    with pytest.raises(UserError, match="a paraphraser is hf:ORG/NAME"):
        paraphrase(["a film"], name)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    """Not with a traceback."""
    with pytest.raises(UserError, match=str(tmp_path)):
        paraphrase(["a film"], f"hf:{tmp_path}")
