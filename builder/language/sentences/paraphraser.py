"""Paraphrases by a sequence-to-sequence model that the recipe names: for degrees that rules do not reach."""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from builder.models.encoder import fetched_folder
from classifiers.machinery.model_folders import check_model_folder, loading_model
from contract.machine.errors import bad_input

N_PARAPHRASES = 8
# Longer texts are not paraphrased: the models were trained on sentences.
MOST_TOKENS = 256

_SPACES = re.compile(r"\s+")


def paraphrase(texts: Sequence[str], paraphraser: str) -> list[tuple[str, ...]]:
    """Return the paraphrases of each text, the likeliest first; the same whatever other texts are given."""
    return [_paraphrases(text, paraphraser) for text in texts]


@lru_cache(maxsize=65_536)
def _paraphrases(text: str, paraphraser: str) -> tuple[str, ...]:
    # One text at a time: padding would let the other texts of a batch decide between near ties.
    written = _load(paraphraser).write(text)
    # Models answer with capitals whatever they were asked in.
    cased = (other.lower() if text == text.lower() else other for other in written)
    cleaned = (_SPACES.sub(" ", other).strip() for other in cased)
    return tuple(dict.fromkeys(other for other in cleaned if other and other != text))


@lru_cache(maxsize=1)
def _load(paraphraser: str) -> "_Model":
    kind, _, name = paraphraser.partition(":")
    if kind != "hf" or not name:
        raise bad_input(
            f"unknown paraphraser {paraphraser!r}; a paraphraser is hf:ORG/NAME[@REVISION] or hf:FOLDER"
        )
    folder = check_model_folder(paraphraser, Path(name)) if Path(name).is_dir() else fetched_folder(name)
    with loading_model(
        f"paraphraser {paraphraser}", "it must be a sequence-to-sequence model with .safetensors weights"
    ):
        return _Model(folder)


class _Model:
    """A sequence-to-sequence model on the processor, in fp32."""

    def __init__(self, folder: Path) -> None:
        # Loading torch takes seconds: imported only when a text is paraphrased.
        import torch
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        self._torch = torch
        self._tokenizer: Any = AutoTokenizer.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
        self._model: Any = AutoModelForSeq2SeqLM.from_pretrained(
            folder, local_files_only=True, use_safetensors=True, trust_remote_code=False
        )
        self._model.float().eval()
        # Models of this family are told what to do by a word in front.
        self._prefix = "paraphrase: " if self._model.config.model_type in {"t5", "mt5"} else ""

    def write(self, text: str) -> list[str]:
        """Return paraphrases by beam search, which draws nothing."""
        asked = self._tokenizer(self._prefix + text, return_tensors="pt")
        if asked["input_ids"].shape[1] > MOST_TOKENS:
            return []
        with self._torch.inference_mode():
            tokens = self._model.generate(
                input_ids=asked["input_ids"],
                attention_mask=asked["attention_mask"],
                num_beams=N_PARAPHRASES,
                num_return_sequences=N_PARAPHRASES,
                do_sample=False,
                max_new_tokens=2 * asked["input_ids"].shape[1] + 8,
            )
        written: list[str] = self._tokenizer.batch_decode(tokens, skip_special_tokens=True)
        return written
