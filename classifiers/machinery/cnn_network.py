"""A small convolutional network over word vectors. Importing it loads torch."""

from collections.abc import Sequence

import torch
from torch.nn import functional

WIDTHS = (1, 2, 3, 4)
SIZE = 64
FILTERS = 64
INPUT_DROPOUT, OUTPUT_DROPOUT = 0.3, 0.4
# A word is the mean of its own vector and of those of its parts.
Bags = Sequence[Sequence[Sequence[int]]]


class Network(torch.nn.Module):
    """Words to vectors, convolutions, the strongest answer of each filter, a linear layer.

    A pair is read by the same filters, and the layer sees both texts, their difference and their product.
    """

    def __init__(self, n_entries: int, n_labels: int, n_fields: int) -> None:
        super().__init__()
        # Entry 0 stands for a word without any entry.
        self.table = torch.nn.Parameter(torch.randn(n_entries, SIZE) * 0.1)
        self.convolutions = torch.nn.ModuleList(torch.nn.Conv1d(SIZE, FILTERS, width) for width in WIDTHS)
        n_features = FILTERS * len(WIDTHS)
        self.head = torch.nn.Linear(n_features * (1 if n_fields == 1 else 4), n_labels)

    def embed(self, bags: Bags) -> torch.Tensor:
        """Return the vectors of texts of words, padded with zeros: text, word, size."""
        length = max([1, *(len(text) for text in bags)])
        flat = [entries for text in bags for entries in text]
        result = self.table.new_zeros(len(bags), length, SIZE)
        if not flat:
            return result
        numbers = torch.tensor([number for entries in flat for number in entries], device=self.table.device)
        lengths = torch.tensor([len(entries) for entries in flat], device=self.table.device)
        vectors = functional.embedding_bag(numbers, self.table, lengths.cumsum(0) - lengths, mode="mean")
        where = torch.tensor(
            [row * length + column for row, text in enumerate(bags) for column in range(len(text))],
            device=self.table.device,
        )
        return result.view(-1, SIZE).index_copy(0, where, vectors).view(len(bags), length, SIZE)

    def logits(self, fields: Sequence[torch.Tensor], lengths: Sequence[Sequence[int]]) -> torch.Tensor:
        """Return one row a text from the vectors of its fields."""
        features = [self._features(vectors, own) for vectors, own in zip(fields, lengths, strict=True)]
        if len(features) == 2:
            left, right = features
            features = [left, right, (left - right).abs(), left * right]
        dropped = functional.dropout(torch.cat(features, dim=1), OUTPUT_DROPOUT, self.training)
        result: torch.Tensor = self.head(dropped)
        return result

    def _features(self, vectors: torch.Tensor, lengths: Sequence[int]) -> torch.Tensor:
        signal = functional.dropout(vectors, INPUT_DROPOUT, self.training).transpose(1, 2)
        ends = torch.tensor(lengths, device=vectors.device)[:, None, None]
        is_padding = torch.arange(vectors.shape[1], device=vectors.device) >= ends
        found = []
        for width, convolution in zip(WIDTHS, self.convolutions, strict=True):
            # As many answers as words; what stands behind the text is zero, as it is before it.
            answers = functional.relu(convolution(functional.pad(signal, (width // 2, (width - 1) // 2))))
            found.append(answers.masked_fill(is_padding, 0.0).amax(dim=2))
        return torch.cat(found, dim=1)
