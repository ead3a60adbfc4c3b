"""Which masked language models a recipe can name."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForMaskedLM,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForMaskedLM,
)

from builder.language.masked_lm import Gap, fill_gaps, score_gaps
from builder.language.masked_lm.model import load_model
from contract.machine.errors import UserError

WORDS = ("good", "bad", "film", "story", "the", "is", "a", "dull")


def save_bert(folder: Path, *, is_safe: bool = True, mask: str | None = "[MASK]") -> Path:
    """Write a small untrained BERT with a tokenizer of whole words."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *([mask] if mask else [])]
    vocabulary = {word: number for number, word in enumerate([*special, *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106 -- no secret
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()  # type: ignore[assignment]
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))  # type: ignore[assignment]
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",  # noqa: S106
        unk_token="[UNK]",  # noqa: S106
        cls_token="[CLS]",  # noqa: S106
        sep_token="[SEP]",  # noqa: S106
        mask_token=mask,
    ).save_pretrained(str(folder))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
    )
    model = BertForMaskedLM(config)
    if is_safe:
        model.save_pretrained(str(folder))
    else:
        config.save_pretrained(str(folder))
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
    return folder


def save_roberta(folder: Path, words: Sequence[str] = WORDS) -> Path:
    """Write a small untrained RoBERTa: its words carry the space before them, its mask swallows one."""
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    letters = sorted({letter for word in words for letter in word} | {"Ġ", "."})
    merges: list[tuple[str, str]] = []
    pieces: list[str] = []
    for word in words:
        built = "Ġ"
        for letter in word:
            if built + letter not in pieces:
                merges.append((built, letter))
                pieces.append(built + letter)
            built += letter
    vocabulary = {piece: number for number, piece in enumerate([*special, *letters, *pieces])}
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, unk_token="<unk>"))  # noqa: S106
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)  # type: ignore[assignment]
    tokenizer.decoder = decoders.ByteLevel()  # type: ignore[assignment]
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))  # type: ignore[assignment]
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",  # noqa: S106
        eos_token="</s>",  # noqa: S106
        cls_token="<s>",  # noqa: S106
        sep_token="</s>",  # noqa: S106
        pad_token="<pad>",  # noqa: S106
        unk_token="<unk>",  # noqa: S106
    )
    fast.add_special_tokens({"mask_token": AddedToken("<mask>", lstrip=True, special=True)})
    fast.save_pretrained(str(folder))
    torch.manual_seed(0)
    RobertaForMaskedLM(
        RobertaConfig(
            vocab_size=len(fast),
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
            max_position_embeddings=130,
            pad_token_id=1,
        )
    ).save_pretrained(str(folder))
    return folder


def test_any_bert_fills_gaps(tmp_path: Path) -> None:
    """Named by its folder, with its own vocabulary."""
    name = f"hf:{save_bert(tmp_path)}"
    (answer,) = score_gaps([Gap("the film is dull", 12, 16)], [("dull",)], len(WORDS), name)
    assert {candidate.word for candidate in answer.best} == set(WORDS) - {"a"}
    assert answer.scores[0] == dict(answer.best)["dull"]


def test_a_mask_token_is_the_tokenizers_own(tmp_path: Path) -> None:
    """RoBERTa's is <mask>, and its words begin with a space: they are scored with it."""
    name = f"hf:{save_roberta(tmp_path)}"
    model = load_model(name)
    (row,) = model.gap_rows(["the film is "], ["."])
    tokens = model.tokenizer.convert_ids_to_tokens(list(row.tokens))
    assert tokens == ["<s>", *"the", "Ġfilm", "Ġis", "<mask>", ".", "</s>"]
    assert tokens[row.position] == "<mask>"
    (best,) = fill_gaps([Gap("the film is dull.", 12, 16)], 20, name)
    assert {"film", "dull", "story"} <= {candidate.word for candidate in best}


def test_weights_that_could_run_code_are_refused(tmp_path: Path) -> None:
    """Pickled weights are never loaded; the message says what is needed."""
    with pytest.raises(UserError, match="safetensors"):
        load_model(f"hf:{save_bert(tmp_path, is_safe=False)}")


def test_a_tokenizer_without_a_mask_is_refused(tmp_path: Path) -> None:
    """A model that cannot mark a gap cannot fill it."""
    with pytest.raises(UserError, match="mask token"):
        load_model(f"hf:{save_bert(tmp_path, mask=None)}")


def test_an_unknown_name_is_refused() -> None:
    """The message says what a name looks like."""
    with pytest.raises(UserError, match="hf:ORG/NAME"):
        load_model("bert")
