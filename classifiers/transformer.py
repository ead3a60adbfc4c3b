"""A transformer with a classification head, run in batches of texts of like length."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classifiers.classifier import Probabilities, TextPair

# The fastest on a processor: larger batches pad more than they save.
BATCH = 32
LONGEST = 512


@dataclass(frozen=True)
class Transformer:
    """A tokenizer and a model; `columns` takes the model's labels to the task's."""

    tokenizer: Any
    model: Any
    columns: list[int]

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the softmax of the logits in fp32; texts are sorted by length, so that little is padded."""
        import torch  # noqa: PLC0415

        result = np.zeros((len(texts), len(self.columns)))
        order = sorted(range(len(texts)), key=lambda place: sum(len(text or "") for text in texts[place]))
        limit = min(LONGEST, self.tokenizer.model_max_length)
        start, size = 0, BATCH
        while start < len(order):
            places = order[start : start + size]
            encoded = self.tokenizer(
                [texts[place][0] for place in places],
                None if texts[places[0]][1] is None else [texts[place][1] or "" for place in places],
                padding=True,
                truncation=True,
                max_length=limit,
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
            result[places] = torch.softmax(logits, dim=-1).cpu().numpy()[:, self.columns]
            start += len(places)
        return result
