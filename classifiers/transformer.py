"""A transformer with a classification head, run in batches of texts of like length."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from classifiers.classifier import EXPENSIVE, Keep, Probabilities, TextPair

# The fastest on a processor: larger batches pad more than they save.
BATCH = 32
LONGEST = 512


@dataclass(frozen=True)
class Transformer:
    """A tokenizer and a model; `columns` takes the model's labels to the task's."""

    tokenizer: Any
    model: Any
    columns: list[int]
    cost: ClassVar[int] = EXPENSIVE

    @property
    def mask_token(self) -> str | None:
        """The tokenizer's own mask, or its word for what it does not know."""
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
        """Hand over batch after batch; texts are sorted by length, so that little is padded.

        The longest come first: what does not fit into memory is found at once, and the time left never grows.
        """
        import torch  # noqa: PLC0415

        lengths = [sum(len(text or "") for text in pair) for pair in texts]
        order = sorted(range(len(texts)), key=lambda place: -lengths[place])
        start, size = 0, BATCH
        while start < len(order):
            places = order[start : start + size]
            encoded = self.tokenizer(
                [texts[place][0] for place in places],
                None if texts[places[0]][1] is None else [texts[place][1] or "" for place in places],
                padding=True,
                truncation=True,
                max_length=self._longest(),
                return_tensors="pt",
            )
            try:
                with torch.inference_mode():
                    logits = self.model(**encoded.to(self.model.device)).logits.float()
            except torch.OutOfMemoryError:
                if size == 1:
                    raise
                size = max(1, size // 2)
                continue
            keep(places, torch.softmax(logits, dim=-1).cpu().numpy()[:, self.columns])
            start += len(places)
        return ()

    def _longest(self) -> int:
        """Return the most tokens that tokenizer and model take; many tokenizers do not know."""
        positions = getattr(self.model.config, "max_position_embeddings", None) or LONGEST
        return min(LONGEST, int(self.tokenizer.model_max_length), int(positions))
