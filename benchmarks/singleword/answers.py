"""The answers to all substitutions of a text: from parts of convolutions, or by asking; kept on disk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builder.singleword.sentences import Sentence
from classifiers.machinery.classifier import TextPair
from classifiers.machinery.inference import Inference
from classifiers.trained.cnn import Cnn
from contract.machine.hashes import hash_of

Labels = NDArray[np.int8]
# Substitutions of each text on which parts of convolutions are compared with the network itself.
N_COMPARED = 40
# Probabilities nearer to a tie than this may fall either way.
TIE = 1e-4
ASKED_AT_A_TIME = 512


class CodedSentence(Sentence):
    """A text whose substitutions are given as position and word, since their answers are known."""

    __slots__ = ()

    def with_word(self, position: int, word: str) -> TextPair:
        """Return the position and the word."""
        return (str(position), word)


@dataclass(frozen=True)
class Answers:
    """Labels by position and word of one text."""

    labels: Labels
    numbers: Mapping[str, int]

    def votes(self, codes: Sequence[TextPair]) -> list[int]:
        """Return the answers to the substitutions of a coded sentence."""
        return [int(self.labels[int(place), self.numbers[word or ""]]) for place, word in codes]


def coded(sentence: Sentence) -> CodedSentence:
    """Return a text whose substitutions `Answers` understands."""
    return CodedSentence(sample=sentence.sample, field=sentence.field, positions=sentence.positions)


def answers_path(folder: Path, inference: Inference, sentence: Sentence, words: Sequence[str]) -> Path:
    """Return where the answers about a text are kept."""
    name = hash_of([inference.weights_sha256, sentence.pair, list(words)])[:24]
    return folder / f"answers-{name}.npy"


def kept_answers(
    folder: Path, inference: Inference, sentence: Sentence, words: Sequence[str], number: int
) -> Answers:
    """Return the answers about a text, from the folder if an earlier run left them there."""
    path = answers_path(folder, inference, sentence, words)
    if path.is_file():
        return Answers(np.load(path, allow_pickle=False), _numbers(tuple(words)))
    classifier = inference.classifier
    if isinstance(classifier, Cnn):
        labels = _by_parts(classifier, sentence, words)
        _compare(inference, sentence, words, labels, number)
    else:
        labels = _asked(inference, sentence, words)
    np.save(path, labels.labels)
    return Answers(labels.labels, _numbers(tuple(words)))


@lru_cache(maxsize=2)
def _numbers(words: tuple[str, ...]) -> dict[str, int]:
    return {word: number for number, word in enumerate(words)}


@dataclass(frozen=True)
class _Found:
    labels: Labels
    # How far the two strongest labels are apart.
    margins: NDArray[np.float64]


def _asked(inference: Inference, sentence: Sentence, words: Sequence[str]) -> _Found:
    rows = []
    for place in range(len(sentence.positions)):
        texts = [sentence.with_word(place, word) for word in words]
        rows.append(
            np.concatenate(
                [
                    inference.classifier.probabilities(texts[start : start + ASKED_AT_A_TIME])
                    for start in range(0, len(texts), ASKED_AT_A_TIME)
                ]
            )
        )
    return _found(np.array(rows))


def _found(probabilities: NDArray[np.float64]) -> _Found:
    strongest = np.sort(probabilities, axis=-1)
    return _Found(probabilities.argmax(axis=-1).astype(np.int8), strongest[..., -1] - strongest[..., -2])


def _by_parts(classifier: Cnn, sentence: Sentence, words: Sequence[str]) -> _Found:
    """Return what the network says: only windows over the changed word are computed anew."""
    import torch

    from classifiers.machinery.cnn_network import WIDTHS

    network, reader = classifier.network, classifier.reader
    text = sentence.pair[0]
    rows = []
    with torch.inference_mode():
        new = network.embed([[reader.entries(word)] for word in words])[:, 0]
        for start, end in sentence.positions:
            before, after = reader.bags(text[:start]), reader.bags(text[end:])
            vectors = network.embed([[*before, [0], *after]])[0]
            # The changed word's own part is added below.
            place = len(before)
            vectors[place] = 0
            parts = []
            for width, convolution in zip(WIDTHS, network.convolutions, strict=True):
                padded = torch.nn.functional.pad(vectors.T, (width // 2, (width - 1) // 2))
                outer = convolution(padded[None])[0]
                strongest = _strongest_apart(outer, place, width)
                best = strongest[None].expand(len(words), -1)
                for offset in range(width):
                    window = place - offset + width // 2
                    if 0 <= window < len(vectors):
                        own = new @ convolution.weight[:, :, offset].T
                        best = torch.maximum(best, torch.relu(outer[:, window] + own))
                parts.append(best)
            rows.append(torch.softmax(network.head(torch.cat(parts, dim=1)), dim=-1).double().numpy())
    return _found(np.array(rows))


def _strongest_apart(outer: Any, place: int, width: int) -> Any:
    """Return the strongest answer of each filter in windows that do not hold the changed word."""
    import torch

    windows = torch.arange(outer.shape[1])
    first = windows - width // 2
    is_apart = (place < first) | (place >= first + width)
    apart = torch.relu(outer[:, is_apart])
    return apart.amax(dim=1) if apart.shape[1] else outer.new_zeros(len(outer))


def _compare(
    inference: Inference, sentence: Sentence, words: Sequence[str], found: _Found, seed: int
) -> None:
    """Raise an error where the network itself answers otherwise, ties aside."""
    draw = np.random.default_rng(seed)
    places = draw.integers(0, len(sentence.positions), N_COMPARED)
    chosen = draw.integers(0, len(words), N_COMPARED)
    texts = [
        sentence.with_word(int(place), words[int(word)]) for place, word in zip(places, chosen, strict=True)
    ]
    expected = inference.classifier.probabilities(texts).argmax(axis=1)
    differs = (expected != found.labels[places, chosen]) & (found.margins[places, chosen] > TIE)
    if differs.any():
        raise ValueError(f"{sentence.sample.id}: parts of convolutions and the network disagree")
