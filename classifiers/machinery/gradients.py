"""Gradients of a classifier's loss over its input embeddings: which words matter, and which changes hurt."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from classifiers.machinery.classifier import Numbers, Replacement, Span, TextPair
from classifiers.machinery.devices import run_in_batches
from classifiers.machinery.threads import LEAST_TOKENS, answer_in_parts
from contract.schema.manifest import TextField

# Points on the way from a text of masks to the text at which the gradient is taken.
STEPS = 16
ROWS = 32
# A product with one row is another routine, which splits its sums over threads.
LEAST_ROWS = 2

_SPACE = re.compile(r"\s")


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """A text as a model reads it; `spans` says where each token stands in the field under attack."""

    # The model's own input, and its lengths: only equal ones share a batch, so that nothing is padded.
    inputs: Any
    shape: tuple[int, ...]
    # None for tokens that stand elsewhere: in the other field, or nowhere.
    spans: Sequence[Span | None]

    def touched(self, span: Span) -> list[int]:
        """Return the tokens that a span touches."""
        return [
            place
            for place, own in enumerate(self.spans)
            if own is not None and own[0] < span[1] and span[0] < own[1]
        ]


class EmbeddingModel(Protocol):
    """A torch model whose input embeddings, by text, token and size, can be taken out, changed and put in."""

    def tokens(self, texts: Sequence[TextPair], field: TextField) -> list[Tokens]:
        """Return the texts' tokens."""

    def embeddings(self, batch: Sequence[Tokens]) -> Any:
        """Return the embeddings of texts of one shape."""

    def hidden(self, batch: Sequence[Tokens]) -> Any:
        """Return the same with a mask in the place of every token of the field under attack."""

    def logits(self, embeddings: Any, batch: Sequence[Tokens]) -> Any:
        """Return one row a text from its embeddings, columns in the order of the task's labels."""

    def embeddings_of_words(self, words: Sequence[str]) -> Numbers:
        """Return for each word the mean embedding of its pieces; that of a mask for one without any."""


class ByEmbeddings:
    """The methods of a `DifferentiableClassifier` for a classifier with input embeddings."""

    def embedded(self) -> EmbeddingModel:
        """Return the model in the form that the functions below take."""
        raise NotImplementedError

    def word_gradients(
        self,
        texts: Sequence[TextPair],
        spans: Sequence[Sequence[Span]],
        labels: Sequence[int],
        field: TextField = "text",
    ) -> list[Numbers]:
        """Return the integrated gradients of each text's spans."""
        return word_gradients(self.embedded(), texts, spans, labels, field)

    def first_order(
        self,
        texts: Sequence[TextPair],
        labels: Sequence[int],
        replacements: Sequence[Sequence[Replacement]],
        field: TextField = "text",
    ) -> list[Numbers]:
        """Return how much each replacement would raise the loss, to first order."""
        return first_order(self.embedded(), texts, labels, replacements, field)


def word_gradients(
    model: EmbeddingModel,
    texts: Sequence[TextPair],
    spans: Sequence[Sequence[Span]],
    labels: Sequence[int],
    field: TextField,
) -> list[Numbers]:
    """Return the integrated gradients of each text's spans; see `DifferentiableClassifier`."""
    import torch

    tokens = model.tokens(texts, field)
    result: list[Numbers] = [np.zeros(len(own)) for own in spans]

    def run(places: Sequence[int]) -> None:
        batch = [tokens[place] for place in places for _ in range(STEPS)]
        own_labels = [labels[place] for place in places for _ in range(STEPS)]
        with torch.no_grad():
            end, start = model.embeddings(batch), model.hidden(batch)
        # Midpoints: the error of the sum falls with the square of their number.
        share = (torch.arange(STEPS, device=end.device, dtype=end.dtype) + 0.5) / STEPS
        points = start + share.repeat(len(places))[:, None, None] * (end - start)
        gradients = -_gradients_of_loss(model, points, batch, own_labels)
        parts = ((end - start) * gradients).sum(dim=-1).reshape(len(places), STEPS, -1).mean(dim=1)
        for place, of_tokens in zip(places, _numbers(parts), strict=True):
            own = tokens[place]
            result[place] = np.array([of_tokens[own.touched(span)].sum() for span in spans[place]])

    for same in _by_shape(tokens):
        run_in_batches(same, max(1, ROWS // STEPS), run)
    return result


def first_order(
    model: EmbeddingModel,
    texts: Sequence[TextPair],
    labels: Sequence[int],
    replacements: Sequence[Sequence[Replacement]],
    field: TextField,
) -> list[Numbers]:
    """Return how much each replacement would raise the loss; see `DifferentiableClassifier`."""
    import torch

    tokens = model.tokens(texts, field)
    plain = [text if field == "text" else (pair or "") for text, pair in texts]
    words = [[_whole_word(text, each) for each in own] for text, own in zip(plain, replacements, strict=True)]
    new = list(dict.fromkeys(each.text for own in words for each in own))
    place_of_word = {word: place for place, word in enumerate(new)}
    vectors = model.embeddings_of_words(new)
    result: list[Numbers] = [np.zeros(len(own)) for own in replacements]

    def run(places: Sequence[int]) -> None:
        filled = [*places, *[places[0]] * (LEAST_ROWS - len(places))]
        batch = [tokens[place] for place in filled]
        with torch.no_grad():
            points = model.embeddings(batch)
        gradients = _gradients_of_loss(model, points, batch, [labels[place] for place in filled])
        # Texts that only fill up the batch come last; their rows are not used.
        for place, old, slopes in zip(places, _numbers(points), _numbers(gradients), strict=False):
            own = words[place]
            wanted = np.array([place_of_word[each.text] for each in own], dtype=np.intp)
            spans = np.array([(each.start, each.end) for each in own]).reshape(-1, 2)
            for span in np.unique(spans, axis=0):
                touched = tokens[place].touched((int(span[0]), int(span[1])))
                if touched:
                    same = (spans == span).all(axis=1)
                    change = vectors[wanted[same]] - old[touched].mean(axis=0)
                    result[place][same] = change @ slopes[touched].sum(axis=0)

    for same in _by_shape(tokens):
        run_in_batches(same, ROWS, run)
    return result


def _numbers(tensor: Any) -> Numbers:
    """Return a tensor in double precision; some devices have none, so it leaves them first."""
    found: Numbers = tensor.cpu().double().numpy()
    return found


def _gradients_of_loss(
    model: EmbeddingModel, points: Any, batch: Sequence[Tokens], labels: Sequence[int]
) -> Any:
    import torch

    def answer(part: slice) -> Any:
        own = points[part].detach().requires_grad_(requires_grad=True)
        with torch.enable_grad():
            logits = model.logits(own, batch[part]).float()
            wanted = torch.tensor(list(labels[part]), device=logits.device)
            # A sum, so that each text's gradient is its own.
            loss = torch.nn.functional.cross_entropy(logits, wanted, reduction="sum")
            (gradients,) = torch.autograd.grad(loss, own)
        return gradients

    return torch.cat(answer_in_parts(answer, len(batch), max(LEAST_ROWS, LEAST_TOKENS)))


def _by_shape(tokens: Sequence[Tokens]) -> Iterable[list[int]]:
    """Return the places of texts that have some tokens under attack, those of one shape together."""
    by_shape: dict[tuple[int, ...], list[int]] = {}
    for place, own in enumerate(tokens):
        if any(span is not None for span in own.spans):
            by_shape.setdefault(own.shape, []).append(place)
    return by_shape.values()


def _whole_word(text: str, replacement: Replacement) -> Replacement:
    """Return a replacement of whole words: what a tokenizer makes of half a word says little."""
    start, end, new = replacement
    while start > 0 and not _SPACE.match(text[start - 1]):
        start -= 1
    while end < len(text) and not _SPACE.match(text[end]):
        end += 1
    new = text[start : replacement.start] + new + text[replacement.end : end]
    # Many tokenizers read a word differently at the start of a text.
    return Replacement(start, end, new if start == 0 or not new.strip() else f" {new}")
