"""Subwords: the mean of the vectors of words and of their parts, with a linear layer; after fastText.

After Joulin et al. (2017). A word is the mean of its own vector and of those of its parts of three to five
letters; a text is the mean of its words; a pair is read by the same vectors, and the layer sees both texts,
their difference and their product. Vectors are shared by hash, so that no list of words is kept.
"""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from classifiers.machinery.classifier import (
    Classifier,
    Numbers,
    Probabilities,
    TextPair,
    TrainableKind,
    TrainingSet,
)
from classifiers.machinery.devices import repeatable
from classifiers.machinery.fitting import Schedule, fit
from classifiers.machinery.needs import needs

WEIGHTS = "weights.safetensors"
SCHEDULE = Schedule(epochs=5, batch=64, least_steps=200)
RATE, DECAY = 1e-2, 0.0
# Words and parts share so many vectors; each has so many numbers. fastText has 2,000,000 of 100.
BUCKETS = 1 << 15
SIZE = 32
PART_LENGTHS = (3, 4, 5)
MOST_WORDS = 512
DROPOUT = 0.4
# Attacks make ever new words.
MOST_REMEMBERED = 100_000
# Weights are rounded so that the last bits of a processor's arithmetic do not name another classifier.
DECIMALS = 5
_WORD = re.compile(r"\w+|[^\w\s]")


def entries_of(word: str) -> list[int]:
    """Return the numbers of the vectors of a word: its own and those of its parts."""
    marked = f"<{word}>"
    parts = [
        marked[start : start + length] for length in PART_LENGTHS for start in range(len(marked) - length + 1)
    ]
    return [zlib.crc32(text.encode("utf-8", "surrogatepass")) % BUCKETS for text in (f"={marked}", *parts)]


def words_of(text: str) -> list[str]:
    """Return the words and signs of a text in lower case."""
    return [match.group() for match in _WORD.finditer(text.lower())][:MOST_WORDS]


@dataclass(frozen=True)
class Subword:
    """The vectors, the layer over them, and the words that were met lately."""

    table: Numbers
    weights: Numbers
    bias: Numbers
    known: dict[str, Numbers] = field(default_factory=dict)
    cost: ClassVar[int] = 30

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the softmax of the layer's scores."""
        if not texts:
            return np.zeros((0, len(self.bias)))
        n_fields = 1 if self.weights.shape[1] == SIZE else 2
        fields = [
            np.array([self._vector(pair[number] or "") for pair in texts]) for number in range(n_fields)
        ]
        scores = features_of(fields) @ self.weights.T + self.bias
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True))

    def _vector(self, text: str) -> Numbers:
        words = words_of(text)
        if not words:
            return np.zeros(SIZE)
        vectors = [self._of_word(word) for word in words]
        return np.asarray(np.add.reduce(vectors) / len(vectors))

    def _of_word(self, word: str) -> Numbers:
        if word not in self.known:
            if len(self.known) >= MOST_REMEMBERED:
                self.known.clear()
            self.known[word] = self.table[entries_of(word)].mean(axis=0)
        return self.known[word]


def features_of(fields: Sequence[Numbers]) -> Numbers:
    """Return what the layer sees of the vectors of one text or two."""
    if len(fields) == 1:
        return fields[0]
    left, right = fields
    return np.hstack([left, right, np.abs(left - right), left * right])


def train(training: TrainingSet, folder: Path) -> None:
    """Fit on the training set and write vectors and layer."""
    with needs("torch"):
        import torch
        from safetensors.numpy import save_file

        from classifiers.machinery.adamw import PiecewiseAdamW

    read = [[_weighted(part) for part in pair if part is not None] for pair in training.texts]
    n_fields = len(read[0])
    with repeatable(training.seed) as generator:
        model: Any = torch.nn.Module()
        model.table = torch.nn.Parameter(torch.randn(BUCKETS, SIZE) * 0.1)
        model.head = torch.nn.Linear(SIZE * (1 if n_fields == 1 else 4), training.n_labels)

        def logits_of(places: Sequence[int]) -> Any:
            fields = [
                _bags(model.table, [read[place][number] for place in places]) for number in range(n_fields)
            ]
            if n_fields == 2:
                left, right = fields
                fields = [left, right, (left - right).abs(), left * right]
            seen = torch.nn.functional.dropout(torch.cat(fields, dim=1), DROPOUT, model.training)
            return model.head(seen)

        fit(
            model,
            PiecewiseAdamW(model.parameters(), lr=RATE, weight_decay=DECAY),
            logits_of,
            labels=training.labels,
            lengths=[sum(len(entries) for entries, _ in fields) for fields in read],
            schedule=SCHEDULE.for_epochs(training.epochs),
            generator=generator,
        )
    arrays = {"table": model.table, "weights": model.head.weight, "bias": model.head.bias}
    save_file(
        {name: np.round(array.detach().numpy(), DECIMALS) for name, array in arrays.items()}, folder / WEIGHTS
    )


def _weighted(text: str) -> tuple[Any, Any]:
    """Return the vectors of a text by number and the share that each has in the text's mean."""
    words = words_of(text)
    by_word = [entries_of(word) for word in words]
    lengths = [len(entries) for entries in by_word]
    shares = np.repeat([1 / (length * len(words)) for length in lengths], lengths)
    entries = np.array([entry for of_word in by_word for entry in of_word], np.int64)
    return entries, shares.astype(np.float32)


def _bags(table: Any, texts: Sequence[tuple[Any, Any]]) -> Any:
    """Return the mean of each text as a row."""
    import torch

    lengths = torch.tensor([len(entries) for entries, _ in texts])
    return torch.nn.functional.embedding_bag(
        torch.from_numpy(np.concatenate([entries for entries, _ in texts])),
        table,
        lengths.cumsum(0) - lengths,
        mode="sum",
        per_sample_weights=torch.from_numpy(np.concatenate([shares for _, shares in texts])),
    )


def load(folder: Path) -> Classifier:
    """Return the classifier that `train` wrote into a folder."""
    with needs("torch"):
        from safetensors.numpy import load_file

    arrays = {name: array.astype(np.float64) for name, array in load_file(folder / WEIGHTS).items()}
    return Subword(arrays["table"], arrays["weights"], arrays["bias"])


SUBWORD = TrainableKind(
    name="subword",
    summary="the mean of the vectors of words and their parts with a linear layer",
    train=train,
    load=load,
    family="subwords",
    packages=("torch",),
)
