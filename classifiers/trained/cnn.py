"""A small convolutional network over words; a word it never saw is read by its parts."""

import json
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from classifiers.machinery import gradients
from classifiers.machinery.classifier import (
    Classifier,
    Numbers,
    Probabilities,
    TextPair,
    TrainableKind,
    TrainingSet,
)
from classifiers.machinery.devices import best_device, repeatable, run_in_batches
from classifiers.machinery.fitting import Schedule, fit
from classifiers.machinery.gradients import Tokens
from classifiers.machinery.needs import needs
from classifiers.machinery.threads import one_thread
from contract.machine.json_text import pretty_json
from contract.schema.manifest import TextField

WEIGHTS = "weights.safetensors"
VOCABULARY = "vocabulary.json"
SCHEDULE = Schedule(epochs=4, batch=32, least_steps=120)
RATE, DECAY = 2e-3, 0.01
BATCH = 64
MOST_WORDS = 256
MOST_ENTRIES = 20_000
LEAST_COUNT = 2
# Parts of three and four letters share so many entries.
BUCKETS = 8192
PART_LENGTHS = (3, 4)
# Attacks make ever new words.
MOST_REMEMBERED = 200_000
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Reader:
    """Turns texts into words, and words into entries of the network's table."""

    # Words by entry; 0 is for nothing, then come the buckets, then the words.
    words: Mapping[str, int]
    known: dict[str, list[int]] = field(default_factory=dict)

    def entries(self, word: str) -> list[int]:
        """Return the entries of a word: its own, if it is known, and those of its parts."""
        word = word.strip().lower()
        if word not in self.known:
            if len(self.known) >= MOST_REMEMBERED:
                self.known.clear()
            marked = f"<{word}>"
            parts = [
                1 + zlib.crc32(marked[start : start + length].encode("utf-8", "surrogatepass")) % BUCKETS
                for length in PART_LENGTHS
                for start in range(len(marked) - length + 1)
            ]
            own = [self.words[word]] if word in self.words else []
            self.known[word] = own + parts or [0]
        return self.known[word]

    def bags(self, text: str) -> list[list[int]]:
        """Return the entries of each word of a text."""
        return [self.entries(match.group()) for match in _WORD.finditer(text)][:MOST_WORDS]


@dataclass(frozen=True)
class Cnn(gradients.ByEmbeddings):
    """The network with its reader."""

    reader: Reader
    network: Any
    cost: ClassVar[int] = 300

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return the softmax of the logits."""
        import torch

        result = np.zeros((len(texts), self.network.head.out_features))
        read = [[self.reader.bags(part) for part in pair if part is not None] for pair in texts]
        order = sorted(range(len(texts)), key=lambda place: -max(map(len, read[place])))

        def run(places: Sequence[int]) -> None:
            with torch.inference_mode():
                logits = logits_of(self.network, [read[place] for place in places])
                result[list(places)] = torch.softmax(logits.float(), dim=-1).cpu().numpy()

        with one_thread():
            run_in_batches(order, BATCH, run)
        return result

    def embedded(self) -> gradients.EmbeddingModel:
        """Return the model by its embeddings."""
        return _Embedded(self)


@dataclass(frozen=True)
class _Embedded:
    """The network in the form that `gradients` takes: the words of both fields one after the other."""

    classifier: Cnn

    def tokens(self, texts: Sequence[TextPair], field: TextField) -> list[Tokens]:
        """Return the texts' words with their places in the field under attack."""
        wanted = 0 if field == "text" else 1
        result = []
        for pair in texts:
            parts = [part for part in pair if part is not None]
            read = [self.classifier.reader.bags(part) for part in parts]
            spans = [
                match.span() if place == wanted else None
                for place, part in enumerate(parts)
                for match in list(_WORD.finditer(part))[:MOST_WORDS]
            ]
            result.append(Tokens(inputs=read, shape=tuple(map(len, read)), spans=spans))
        return result

    def embeddings(self, batch: Sequence[Tokens]) -> Any:
        """Return the vectors of all words."""
        rows = [[bag for part in own.inputs for bag in part] for own in batch]
        return self.classifier.network.embed(rows)

    def hidden(self, batch: Sequence[Tokens]) -> Any:
        """Return the same with zeros for the words under attack."""
        import torch

        vectors = self.embeddings(batch)
        kept = torch.tensor([[span is None for span in own.spans] for own in batch], device=vectors.device)
        return vectors * kept[:, :, None]

    def logits(self, embeddings: Any, batch: Sequence[Tokens]) -> Any:
        """Return the logits of the vectors, split into fields again."""
        shape = batch[0].shape
        fields, start = [], 0
        for length in shape:
            fields.append(_at_least_one(embeddings[:, start : start + length]))
            start += length
        return self.classifier.network.logits(fields, [[length] * len(batch) for length in shape])

    def embeddings_of_words(self, words: Sequence[str]) -> Numbers:
        """Return the mean vector of what the reader makes of each word."""
        import torch

        network = self.classifier.network
        result = np.zeros((len(words), network.table.shape[1]))
        read = [self.classifier.reader.bags(word) for word in words]
        with torch.no_grad():
            vectors = network.embed(read).cpu().double().numpy()
        for place, bags in enumerate(read):
            if bags:
                result[place] = vectors[place, : len(bags)].mean(axis=0)
        return result


def logits_of(network: Any, read: Sequence[Sequence[Sequence[Sequence[int]]]]) -> Any:
    """Return one row a text; `read` has the entries of words by text and field."""
    fields = list(zip(*read, strict=True))
    return network.logits(
        [network.embed(bags) for bags in fields], [[len(text) for text in bags] for bags in fields]
    )


def train(training: TrainingSet, folder: Path) -> None:
    """Fit on the training set and write words and weights."""
    with needs("torch"):
        from safetensors.torch import save_file

        from classifiers.machinery.adamw import PiecewiseAdamW
        from classifiers.machinery.cnn_network import Network
    counts = Counter(
        match.group().lower()
        for pair in training.texts
        for part in pair
        for match in _WORD.finditer(part or "")
    )
    frequent = sorted((word for word in counts if counts[word] >= LEAST_COUNT), key=lambda w: (-counts[w], w))
    words = frequent[:MOST_ENTRIES]
    reader = Reader(_numbered(words))
    read = [[reader.bags(part) for part in pair if part is not None] for pair in training.texts]
    with repeatable(training.seed) as generator:
        network = Network(1 + BUCKETS + len(words), training.n_labels, len(read[0]))
        fit(
            network,
            PiecewiseAdamW(network.parameters(), lr=RATE, weight_decay=DECAY),
            lambda places: logits_of(network, [read[place] for place in places]),
            labels=training.labels,
            lengths=[max(map(len, fields)) for fields in read],
            schedule=SCHEDULE.for_epochs(training.epochs),
            generator=generator,
        )
    (folder / VOCABULARY).write_text(pretty_json(words), encoding="utf-8")
    save_file({name: own.contiguous() for name, own in network.state_dict().items()}, folder / WEIGHTS)


def load(folder: Path) -> Classifier:
    """Return the classifier that `train` wrote into a folder, on the best device there is."""
    with needs("torch"):
        from safetensors.torch import load_file

        from classifiers.machinery.cnn_network import FILTERS, WIDTHS, Network
    weights = load_file(folder / WEIGHTS)
    n_labels, n_features = weights["head.weight"].shape
    network = Network(len(weights["table"]), n_labels, 1 if n_features == FILTERS * len(WIDTHS) else 2)
    network.load_state_dict(weights)
    words = json.loads((folder / VOCABULARY).read_text(encoding="utf-8"))
    return Cnn(Reader(_numbered(words)), network.to(best_device()).eval())


def _numbered(words: Sequence[str]) -> dict[str, int]:
    return {word: 1 + BUCKETS + place for place, word in enumerate(words)}


def _at_least_one(vectors: Any) -> Any:
    """Return the vectors of a field; a zero for one without words, which convolutions cannot read."""
    import torch

    return torch.nn.functional.pad(vectors, (0, 0, 0, 1)) if vectors.shape[1] == 0 else vectors


CNN = TrainableKind(
    name="cnn",
    summary="a small convolutional network over words and their parts",
    train=train,
    load=load,
    family="sequence",
    packages=("torch",),
)
