"""A transformer with a classification head, run in batches of texts of like length."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from classifiers.machinery import gradients
from classifiers.machinery.classifier import EXPENSIVE, Keep, Numbers, Probabilities, TextPair
from classifiers.machinery.devices import run_in_batches
from classifiers.machinery.gradients import Tokens
from classifiers.machinery.label_names import AssumedLabels
from classifiers.machinery.threads import answer_in_parts, least_rows
from contract.machine.errors import UserError
from contract.schema.manifest import TextField

# The fastest on a processor: larger batches pad more than they save.
BATCH = 32
# A text's answer must not depend, not even in the last bit, on the texts it shares a batch with: what a
# killed build or another worker has asked before decides those. So a text is padded to a multiple of this,
GRID = 8
# by at least one token, since libraries leave a mask that hides nothing out and then sum in another order,
LEAST_PADDING = 1
# and is never alone, since a product with one row is another routine, which splits its sums over threads.
LEAST_ROWS = 2
LONGEST = 512
# Texts tokenised at a time, so that memory does not grow with their number.
WINDOW = 4096


class _Shape(NamedTuple):
    """The padded length of a batch, and whether it has padding."""

    length: int
    is_full: bool


def _shape(n_tokens: int, longest: int) -> _Shape:
    """Return the padded length of a text; texts of one padded length share a batch."""
    padded = -(-(n_tokens + LEAST_PADDING) // GRID) * GRID
    # A text as long as the model takes has no padding, and shares its batch only with such.
    return _Shape(min(padded, longest), n_tokens >= longest)


@dataclass(frozen=True)
class Transformer(gradients.ByEmbeddings):
    """A tokenizer and a model; `columns` takes the model's labels to the task's."""

    tokenizer: Any
    model: Any
    columns: list[int]
    # None: what suits a processor.
    batch_size: int | None = None
    assumed_labels: AssumedLabels | None = None
    cost: ClassVar[int] = EXPENSIVE

    @property
    def mask_token(self) -> str | None:
        """The tokenizer's mask token, or else its token for unknown words."""
        token: str | None = self.tokenizer.mask_token or self.tokenizer.unk_token
        return token

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the softmax of the logits in fp32."""
        result = np.zeros((len(texts), len(self.columns)))

        def keep(places: Sequence[int], rows: Probabilities) -> None:
            result[list(places)] = rows

        self.answer(texts, keep)
        return result

    def answer(self, texts: Sequence[TextPair], keep: Keep) -> Sequence[str]:
        """Hand over batch after batch of texts of one padded length.

        The longest come first: what does not fit into memory is found at once, and the time left never grows.
        """
        lengths = [sum(len(text or "") for text in pair) for pair in texts]
        order = sorted(range(len(texts)), key=lambda place: -lengths[place])
        longest = self._longest()
        for start in range(0, len(order), WINDOW):
            window = order[start : start + WINDOW]
            encoded = self.encode([texts[place] for place in window])
            by_shape: dict[_Shape, list[int]] = {}
            for place, tokens in enumerate(encoded["input_ids"]):
                by_shape.setdefault(_shape(len(tokens), longest), []).append(place)
            for shape in sorted(by_shape, reverse=True):

                def run(
                    places: Sequence[int],
                    window: Sequence[int] = window,
                    encoded: Mapping[str, Any] = encoded,
                    length: int = shape.length,
                ) -> None:
                    n_at_least = least_rows(length, LEAST_ROWS)
                    filled = [*places, *[places[0]] * (n_at_least - len(places))]
                    rows = self._forward(self.padded(encoded, filled, length), n_at_least)[: len(places)]
                    keep([window[place] for place in places], rows)

                run_in_batches(by_shape[shape], self.batch_size or BATCH, run)
        return ()

    def embedded(self) -> gradients.EmbeddingModel:
        """Return the model by its embeddings."""
        return _Embedded(self)

    def encode(self, texts: Sequence[TextPair], longest: int | None = None, **options: Any) -> Any:
        """Return the tokens of texts, unpadded and no more than the model takes."""
        is_pair = bool(texts) and texts[0][1] is not None
        return self.tokenizer(
            [text for text, _ in texts],
            [pair or "" for _, pair in texts] if is_pair else None,
            truncation=True,
            max_length=min(self._longest(), longest or LONGEST),
            **options,
        )

    def padded(self, encoded: Mapping[str, Any], places: Sequence[int], least: int = 1) -> dict[str, Any]:
        """Return some of the encoded texts as the model takes them, as long as the longest of them."""
        import torch

        length = max(least, *(len(encoded["input_ids"][place]) for place in places))
        padding = {
            "input_ids": self.tokenizer.pad_token_id or 0,
            "token_type_ids": self.tokenizer.pad_token_type_id,
        }
        is_left = self.tokenizer.padding_side == "left"
        tensors = {}
        for name, rows in encoded.items():
            tensor = torch.full((len(places), length), padding.get(name, 0), dtype=torch.long)
            for line, place in enumerate(places):
                row = rows[place]
                where = slice(length - len(row), length) if is_left else slice(0, len(row))
                tensor[line, where] = torch.tensor(row, dtype=torch.long)
            tensors[name] = tensor.to(self.model.device)
        return tensors

    def _forward(self, inputs: Mapping[str, Any], n_at_least: int) -> Probabilities:
        import torch

        def answer(part: slice) -> Probabilities:
            with torch.inference_mode():
                logits = self.model(**{name: rows[part] for name, rows in inputs.items()}).logits.float()
                found: Probabilities = torch.softmax(logits, dim=-1).cpu().double().numpy()[:, self.columns]
            return found

        n_rows = len(inputs["input_ids"])
        if self.model.device.type != "cpu":
            return answer(slice(0, n_rows))
        return np.concatenate(answer_in_parts(answer, n_rows, n_at_least))

    def _longest(self) -> int:
        """Return the most tokens that tokenizer and model take; many tokenizers do not know."""
        positions = getattr(self.model.config, "max_position_embeddings", None) or LONGEST
        return min(LONGEST, int(self.tokenizer.model_max_length), int(positions))


@dataclass(frozen=True)
class _Embedded:
    """A transformer in the form that `gradients` takes."""

    transformer: Transformer

    def tokens(self, texts: Sequence[TextPair], field: TextField) -> list[Tokens]:
        """Return the texts' tokens with their places in the field under attack."""
        if not texts:
            return []
        if not self.transformer.tokenizer.is_fast:
            raise UserError(
                "this model's tokenizer does not say where its tokens stand (it is not a fast one);"
                " use another source for the setting gradient"
            )
        encoded = self.transformer.encode(texts, return_offsets_mapping=True)
        offsets = encoded.pop("offset_mapping")
        wanted = 0 if field == "text" else 1
        result = []
        for place, own in enumerate(offsets):
            fields = encoded.sequence_ids(place)
            spans = [
                span if where == wanted and span[0] < span[1] else None
                for span, where in zip(own, fields, strict=True)
            ]
            inputs = {name: rows[place] for name, rows in encoded.items()}
            result.append(Tokens(inputs=inputs, shape=(len(own),), spans=spans))
        return result

    def embeddings(self, batch: Sequence[Tokens]) -> Any:
        """Return the word embeddings, before positions are added."""
        return self._embed([own.inputs["input_ids"] for own in batch])

    def hidden(self, batch: Sequence[Tokens]) -> Any:
        """Return the same with the tokens under attack masked."""
        mask = self._mask_id()
        return self._embed(
            [
                [
                    number if span is None else mask
                    for number, span in zip(own.inputs["input_ids"], own.spans, strict=True)
                ]
                for own in batch
            ]
        )

    def logits(self, embeddings: Any, batch: Sequence[Tokens]) -> Any:
        """Return the logits in the order of the task's labels."""
        import torch

        others = {
            name: torch.tensor([own.inputs[name] for own in batch], device=embeddings.device)
            for name in batch[0].inputs
            if name != "input_ids"
        }
        return self.transformer.model(inputs_embeds=embeddings, **others).logits[:, self.transformer.columns]

    def embeddings_of_words(self, words: Sequence[str]) -> Numbers:
        """Return the mean embedding of each word's pieces."""
        import torch

        table = self.transformer.model.get_input_embeddings().weight
        result = np.zeros((len(words), table.shape[1]))
        if not words:
            return result
        pieces = self.transformer.tokenizer(list(words), add_special_tokens=False)["input_ids"]
        rows = [own or [self._mask_id()] for own in pieces]
        starts = np.cumsum([0, *map(len, rows)])
        flat = torch.tensor([number for row in rows for number in row], device=table.device)
        with torch.no_grad():
            found = torch.nn.functional.embedding(flat, table).cpu().double().numpy()
        return np.asarray(np.add.reduceat(found, starts[:-1]) / np.diff(starts)[:, None])

    def _embed(self, rows: Sequence[Sequence[int]]) -> Any:
        import torch

        return self.transformer.model.get_input_embeddings()(
            torch.tensor(rows, device=self.transformer.model.device)
        )

    def _mask_id(self) -> int:
        tokenizer = self.transformer.tokenizer
        known = (tokenizer.mask_token_id, tokenizer.unk_token_id, tokenizer.pad_token_id)
        return next((int(number) for number in known if number is not None), 0)
