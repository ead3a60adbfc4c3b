"""A masked language model at work: rows of tokens in, log-probabilities at one position of each, out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from builder.language.masked_lm.packaged import load_packaged
from builder.models.encoder import fetched_folder
from builder.models.time_in_models import MASKED_LM, inside
from classifiers.machinery.model_folders import check_model_folder, loading_model
from classifiers.machinery.threads import answer_in_parts, least_rows
from contract.machine.errors import bad_input

PACKAGED = "packaged"
BATCH = 32
# A row is padded to a multiple of this and to no more, so that its batch influences it as little as possible.
GRID = 4
# What is left of a batch's influence, and of a machine's, is in the digits behind these.
DECIMALS = 4
# Tokens of context around a gap: sentences are shorter, and longer contexts cost more than they tell.
MOST_TOKENS = 96
# Tokens of a text with several gaps.
MOST_WIDE_TOKENS = 192

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """Tokens, and the position whose log-probabilities are wanted."""

    tokens: tuple[int, ...]
    position: int


@dataclass(frozen=True, slots=True)
class WideRow:
    """Tokens, and the few positions, all of them masked, whose log-probabilities are wanted."""

    tokens: tuple[int, ...]
    positions: tuple[int, ...]


class MaskedModel:
    """A tokenizer and a network that fills its gaps, on the processor, in fp32."""

    def __init__(self, name: str, tokenizer: Any, forward: Callable[[Any, Any, Any], Any]) -> None:
        if not getattr(tokenizer, "is_fast", False) or tokenizer.mask_token_id is None:
            raise bad_input(
                f"masked_lm {name}: it needs a fast tokenizer with a mask token; name another `masked_lm`"
            )
        self.tokenizer = tokenizer
        self._forward = forward
        self._padding: int = tokenizer.pad_token_id or 0

    @cached_property
    def words(self) -> tuple[str, ...]:
        """What each token says when it stands alone in a gap: a word in small letters, or nothing."""
        texts = [
            text.strip()
            for text in self.tokenizer.batch_decode([[token] for token in range(len(self.tokenizer))])
        ]
        words = sorted({text for text in texts if len(text) > 1 and text.isalpha() and text.islower()})
        by_token = [""] * len(self.tokenizer)
        for word, of_word in zip(words, self.pieces_of(words), strict=True):
            if len(of_word) == 1:
                by_token[of_word[0]] = word
        return tuple(by_token)

    @cached_property
    def tokens_of_words(self) -> npt.NDArray[np.int64]:
        """The tokens that are words by themselves."""
        return np.array([token for token, word in enumerate(self.words) if word], dtype=np.int64)

    @cached_property
    def token_of_word(self) -> dict[str, int]:
        """The token of each word that is one by itself."""
        return {word: token for token, word in enumerate(self.words) if word}

    def pieces_of(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """Return the tokens of words that stand after a space."""
        if not words:
            return []
        encoded = self.tokenizer([f" {word}" for word in words], add_special_tokens=False)["input_ids"]
        return [tuple(of_word) for of_word in encoded]

    def gap_rows(self, lefts: Sequence[str], rights: Sequence[str]) -> list[Row]:
        """Return texts with the tokenizer's own mask between their two sides, cut to what is near it."""
        mask = self.tokenizer.mask_token
        texts = [f"{left}{mask}{right}" for left, right in zip(lefts, rights, strict=True)]
        if not texts:
            return []
        encoded = self.tokenizer(texts, add_special_tokens=False, return_offsets_mapping=True)
        return [
            self._row(tokens, offsets, len(left))
            for tokens, offsets, left in zip(
                encoded["input_ids"], encoded["offset_mapping"], lefts, strict=True
            )
        ]

    def _row(self, tokens: list[int], offsets: list[tuple[int, int]], start: int) -> Row:
        mask = self.tokenizer.mask_token_id
        end = start + len(self.tokenizer.mask_token)
        # A text may hold the mask's own letters elsewhere; the offset tells them apart.
        place = next(
            number
            for number, (token, offset) in enumerate(zip(tokens, offsets, strict=True))
            if token == mask and offset[1] == end
        )
        first = max(0, min(place - MOST_TOKENS // 2, len(tokens) - MOST_TOKENS))
        cut = tokens[first : first + MOST_TOKENS]
        before, after = self._around
        return Row((*before, *cut, *after), len(before) + place - first)

    def wide_row(self, text: str, spans: Sequence[tuple[int, int]]) -> WideRow:
        """Return a text with one mask for each of some spans, which follow each other and are words."""
        mask = self.tokenizer.mask_token
        pieces, end = [], 0
        for start, after in spans:
            pieces += [text[end:start], mask]
            end = after
        ends = np.cumsum([len(piece) for piece in pieces])[1::2].tolist()
        masked = "".join([*pieces, text[end:]])
        encoded = self.tokenizer(masked, add_special_tokens=False, return_offsets_mapping=True)
        before, after_text = self._around
        places = {
            offset[1]: number
            for number, (token, offset) in enumerate(
                zip(encoded["input_ids"], encoded["offset_mapping"], strict=True)
            )
            if token == self.tokenizer.mask_token_id
        }
        tokens = encoded["input_ids"][:MOST_WIDE_TOKENS]
        # What stands behind the last token that is read is asked about at the last one.
        positions = tuple(len(before) + min(places[place], len(tokens) - 1) for place in ends)
        return WideRow((*before, *tokens, *after_text), positions)

    @cached_property
    def _around(self) -> tuple[list[int], list[int]]:
        """The special tokens before and after a text."""
        tokens = self.tokenizer(self.tokenizer.mask_token)["input_ids"]
        place = tokens.index(self.tokenizer.mask_token_id)
        return tokens[:place], tokens[place + 1 :]

    def log_probabilities(self, rows: Sequence[Row], read: Callable[[int, Floats], Any]) -> list[Any]:
        """Return the results of `read` on each row's log-probabilities, which are too many to keep."""
        by_length: dict[int, list[int]] = {}
        for number, row in enumerate(rows):
            by_length.setdefault(-(-len(row.tokens) // GRID) * GRID, []).append(number)
        results: dict[int, Any] = {}
        for length in sorted(by_length):
            numbers = by_length[length]
            for start in range(0, len(numbers), BATCH):
                some = numbers[start : start + BATCH]
                scores = self._scores([rows[number] for number in some], length)
                for number, of_row in zip(some, scores, strict=True):
                    results[number] = read(number, of_row)
        return [results[number] for number in range(len(rows))]

    def read_wide(self, rows: Sequence[WideRow], read: Callable[[int, int, Floats], Any]) -> list[list[Any]]:
        """Return for each row the results of `read` at each of its positions, given both their numbers."""
        by_length: dict[int, list[int]] = {}
        for number, row in enumerate(rows):
            by_length.setdefault(-(-len(row.tokens) // GRID) * GRID, []).append(number)
        results: list[list[Any]] = [[] for _ in rows]
        for length in sorted(by_length):
            numbers = by_length[length]
            for start in range(0, len(numbers), BATCH):
                some = numbers[start : start + BATCH]
                places = [(number, place) for number in some for place in range(len(rows[number].positions))]
                positions = [
                    batch * length + position
                    for batch, number in enumerate(some)
                    for position in rows[number].positions
                ]
                scores = self._log_probabilities([rows[number].tokens for number in some], positions, length)
                for (number, place), of_place in zip(places, scores, strict=True):
                    results[number].append(read(number, place, of_place))
        return results

    def _scores(self, rows: Sequence[Row], length: int) -> Floats:
        positions = [number * length + row.position for number, row in enumerate(rows)]
        return self._log_probabilities([row.tokens for row in rows], positions, length)

    def _log_probabilities(
        self, rows: Sequence[Sequence[int]], positions: Sequence[int], length: int
    ) -> Floats:
        """Return the log-probabilities at positions that are counted through the padded batch."""
        import torch

        n_at_least = least_rows(length)
        filled = [*rows, *[rows[0]] * (n_at_least - len(rows))]
        tokens = torch.full((len(filled), length), self._padding, dtype=torch.long)
        attention = torch.zeros_like(tokens)
        for number, row in enumerate(filled):
            tokens[number, : len(row)] = torch.tensor(row)
            attention[number, : len(row)] = 1

        def answer(part: slice) -> Floats:
            start, end = part.start * length, part.stop * length
            own = [position - start for position in positions if start <= position < end]
            # Whole batches of positions, since a product of another shape is summed in another order.
            padded = [*own, *own[:1] * (-len(own) % BATCH)]
            with torch.inference_mode():
                scores = self._forward(tokens[part], attention[part], torch.tensor(padded, dtype=torch.long))
                logs: Floats = torch.log_softmax(scores[: len(own)].double(), dim=1).numpy()
            return logs

        with inside(MASKED_LM):
            logs = np.concatenate(answer_in_parts(answer, len(filled), n_at_least))
        return np.round(logs, DECIMALS)


@lru_cache(maxsize=2)
def load_model(name: str) -> MaskedModel:
    """Return a masked language model by the name a recipe gives it, loaded once for each process."""
    from transformers import AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    if name == PACKAGED:
        # Imported only here, because it loads torch.
        from builder.language.masked_lm.network import base_folder

        tokenizer = AutoTokenizer.from_pretrained(str(base_folder()), local_files_only=True)
        return MaskedModel(name, tokenizer, load_packaged())
    kind, _, model = name.partition(":")
    if kind != "hf" or not model:
        raise bad_input(
            f"unknown masked_lm {name!r}; expected {PACKAGED}, hf:ORG/NAME[@REVISION] or hf:FOLDER"
        )
    folder = check_model_folder(name, Path(model)) if Path(model).is_dir() else fetched_folder(model)
    return _load_other(name, folder)


def _load_other(name: str, folder: Path) -> MaskedModel:
    """Return any masked language model of transformers; weights that are not safetensors are refused."""
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    remedy = "it must be a masked language model of transformers with .safetensors weights"
    with loading_model(f"masked_lm {name}", remedy):
        tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
        model = AutoModelForMaskedLM.from_pretrained(
            str(folder), local_files_only=True, use_safetensors=True, trust_remote_code=False
        )
        model = model.float().eval()

    def forward(tokens: Any, attention: Any, positions: Any) -> Any:
        logits = model(input_ids=tokens, attention_mask=attention).logits
        return logits.reshape(-1, logits.shape[-1])[positions]

    return MaskedModel(name, tokenizer, forward)
