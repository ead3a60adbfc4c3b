"""Two small networks that no surrogate is: a recurrent one over words, and a mean of hashed n-grams."""

import re
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch.nn import functional

from builder.values.samples import Sample
from classifiers.machinery.adamw import PiecewiseAdamW
from classifiers.machinery.classifier import Probabilities, TextPair
from classifiers.machinery.devices import repeatable
from classifiers.machinery.fitting import Schedule, fit
from contract.machine.whole_files import whole_file

_TOKEN = re.compile(r"\w+|[^\w\s]")
MOST_TOKENS = 80
MOST_WORDS = 15_000
BATCH = 256
RATE, DECAY = 2e-3, 0.01
# Entries that share n-grams of characters; a prime, as usual for hashing.
BUCKETS = 20_011
NGRAMS = (3, 4, 5, 6)

# For each text its entries: rows of the embedding table.
Read = Callable[[str], list[int]]


@dataclass(frozen=True)
class Network:
    """A network with the function that turns a text into entries."""

    model: torch.nn.Module
    read: Read
    cost: int = 300

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the softmax of the logits; texts of like length share a batch."""
        entries = [self.read(text) for text, _ in texts]
        order = sorted(range(len(texts)), key=lambda place: len(entries[place]))
        rows: list[Any] = [None] * len(texts)
        with torch.inference_mode():
            for start in range(0, len(order), BATCH):
                places = order[start : start + BATCH]
                logits = self.model([entries[place] for place in places])
                for place, row in zip(places, torch.softmax(logits, dim=-1).double().numpy(), strict=True):
                    rows[place] = row
        return np.array(rows)


class Recurrent(torch.nn.Module):
    """Word vectors, a recurrent layer in both directions, its strongest answers, a linear layer."""

    def __init__(self, n_entries: int, n_labels: int, cell: str, size: int) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(n_entries, size, padding_idx=0)
        kinds = {"gru": torch.nn.GRU, "lstm": torch.nn.LSTM}
        self.cell = kinds[cell](size, size, batch_first=True, bidirectional=True)
        self.head = torch.nn.Linear(2 * size, n_labels)

    def forward(self, entries: Sequence[Sequence[int]]) -> torch.Tensor:
        """Return one row of logits a text."""
        length = max(1, *(len(own) for own in entries))
        numbers = torch.tensor([[*own, *[0] * (length - len(own))] for own in entries])
        vectors = functional.dropout(self.table(numbers), 0.4, self.training)
        answers, _ = self.cell(vectors)
        strongest = answers.masked_fill((numbers == 0)[:, :, None], -1.0).amax(dim=1)
        result: torch.Tensor = self.head(functional.dropout(strongest, 0.3, self.training))
        return result


class Averaged(torch.nn.Module):
    """The mean of the vectors of words and of their parts, and a linear layer: fastText."""

    def __init__(self, n_entries: int, n_labels: int, size: int) -> None:
        super().__init__()
        self.table = torch.nn.EmbeddingBag(n_entries, size, mode="mean")
        self.head = torch.nn.Linear(size, n_labels)

    def forward(self, entries: Sequence[Sequence[int]]) -> torch.Tensor:
        """Return one row of logits a text."""
        filled = [own or [0] for own in entries]
        lengths = torch.tensor([len(own) for own in filled])
        numbers = torch.tensor([number for own in filled for number in own])
        mean = self.table(numbers, lengths.cumsum(0) - lengths)
        result: torch.Tensor = self.head(functional.dropout(mean, 0.2, self.training))
        return result


def train_recurrent(
    rows: Sequence[Sample], n_labels: int, seed: int, path: Path, *, cell: str = "gru", size: int = 64
) -> Network:
    """Train a recurrent network over the words that stand in two rows or more; kept at the path."""
    counts = Counter(word for row in rows for word in set(_TOKEN.findall(row.text.lower())))
    frequent = [word for word, n in counts.most_common(MOST_WORDS) if n > 1]
    # 0 is for nothing, 1 for a word that is not known.
    numbers = {word: place for place, word in enumerate(sorted(frequent), start=2)}

    def read(text: str) -> list[int]:
        return [numbers.get(word, 1) for word in _TOKEN.findall(text.lower())[:MOST_TOKENS]]

    return _trained(
        lambda: Recurrent(2 + len(numbers), n_labels, cell, size), read, rows, seed, path, epochs=4
    )


def train_averaged(
    rows: Sequence[Sample], n_labels: int, seed: int, path: Path, *, size: int = 48
) -> Network:
    """Train a mean of hashed vectors of words, pairs of words and n-grams of characters; kept at the path."""
    known: dict[str, list[int]] = {}

    def entries(word: str) -> list[int]:
        if word not in known:
            marked = f"<{word}>"
            parts = [marked[at : at + n] for n in NGRAMS for at in range(len(marked) - n + 1)]
            known[word] = [_hashed(part) for part in [f"w{word}", *parts]]
        return known[word]

    def read(text: str) -> list[int]:
        words = _TOKEN.findall(text.lower())[: 2 * MOST_TOKENS]
        pairs = [_hashed(f"p{left} {right}") for left, right in pairwise(words)]
        return [number for word in words for number in entries(word)] + pairs

    return _trained(lambda: Averaged(1 + BUCKETS, n_labels, size), read, rows, seed, path, epochs=8)


def _hashed(part: str) -> int:
    return 1 + zlib.crc32(part.encode("utf-8", "surrogatepass")) % BUCKETS


def _trained(
    build: Callable[[], torch.nn.Module],
    read: Read,
    rows: Sequence[Sample],
    seed: int,
    path: Path,
    *,
    epochs: int,
) -> Network:
    with repeatable(seed) as generator:
        model = build()
        if path.is_file():
            model.load_state_dict(load_file(path))
        else:
            entries = [read(row.text) for row in rows]
            fit(
                model,
                PiecewiseAdamW(model.parameters(), lr=RATE, weight_decay=DECAY),
                lambda places: model([entries[place] for place in places]),
                labels=[row.label for row in rows],
                lengths=[len(own) for own in entries],
                schedule=Schedule(epochs=epochs, batch=32, least_steps=120),
                generator=generator,
            )
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as unfinished:
                save_file(model.state_dict(), unfinished)
    return Network(model.eval(), read)
