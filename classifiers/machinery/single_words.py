"""How a classifier's answer changes with one word: to first order, for every word of a vocabulary at once.

After equation 3 of "One Word Is Enough" (single-word perturbations): the gradient of the true label's log
probability at a mask, times the difference between a word's embedding and the mask's.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classifiers.machinery.classifier import Classifier, Numbers, Span, TextPair, mask_token_of
from classifiers.machinery.counting import WordCounter
from classifiers.machinery.devices import run_in_batches
from classifiers.machinery.gradients import LEAST_ROWS, ROWS, ByEmbeddings, EmbeddingModel, Tokens
from classifiers.machinery.linear import LinearForm
from contract.schema.manifest import TextField

# Stands for a hidden word in texts for models without a mask token; its embedding is replaced by a mask's.
PLACEHOLDER = "x"
# Marks of word pieces: what goes on inside a word has the first; what begins a word has one of the others.
INNER_PIECE = "##"
WORD_STARTS = ("Ġ", "▁")

Singles = NDArray[np.float32]


def known_words(classifier: Classifier) -> list[str]:
    """Return the entries of a classifier's own vocabulary that can be words; none where it has no such list.

    Pieces that stand only inside a word are left out.
    """
    form = linear_form_of(classifier)
    if form is not None:
        is_of_words = isinstance(form.counter, WordCounter)
        return sorted(entry for entry in form.counter.vocabulary if " " not in entry) if is_of_words else []
    tokenizer = getattr(classifier, "tokenizer", None)
    if tokenizer is not None:
        # Tokenizers without transformers do not name theirs; they are no words by their brackets.
        special = getattr(tokenizer, "all_special_tokens", ())
        return _words_of_pieces(sorted(set(tokenizer.get_vocab()) - set(special)))
    words: Mapping[str, int] | None = getattr(getattr(classifier, "reader", None), "words", None)
    return [] if words is None else sorted(words)


def linear_form_of(classifier: Classifier) -> LinearForm | None:
    """Return a linear classifier as sums over features; None for any other."""
    form: Callable[[], LinearForm] | None = getattr(classifier, "linear_form", None)
    return None if form is None else form()


def _words_of_pieces(pieces: Sequence[str]) -> list[str]:
    for mark in WORD_STARTS:
        started = [piece.removeprefix(mark) for piece in pieces if piece.startswith(mark)]
        if started:
            return started
    return [piece for piece in pieces if not piece.startswith(INNER_PIECE)]


@dataclass(frozen=True)
class WordScorer:
    """Estimates the true label's log probability after every substitution of one word in a text."""

    model: EmbeddingModel
    mask_token: str | None
    # One row a word: as it is read at the start of a text, and after a space.
    at_start: Singles
    inside: Singles

    @classmethod
    def of(cls, classifier: ByEmbeddings, words: Sequence[str]) -> "WordScorer":
        """Return the scorer of a classifier with input embeddings."""
        model = classifier.embedded()
        # Many tokenizers read a word differently at the start of a text.
        at_start = model.embeddings_of_words(list(words)).astype(np.float32)
        inside = model.embeddings_of_words([f" {word}" for word in words]).astype(np.float32)
        token = mask_token_of(classifier)  # type: ignore[arg-type]
        return cls(model, token, at_start, inside)

    def masked(self, text: TextPair, spans: Sequence[Span], label: int, field: TextField) -> Numbers:
        """Return the estimates of equation 3: one row a span, one column a word; one gradient a span."""
        shown = self.mask_token or PLACEHOLDER
        own = _field(text, field)
        hidden = [_with_field(text, field, own[:start] + shown + own[end:]) for start, end in spans]
        tokens = self.model.tokens(hidden, field)
        touched = [
            each.touched((start, start + len(shown))) for each, (start, _) in zip(tokens, spans, strict=True)
        ]
        result = np.zeros((len(spans), len(self.inside)))

        def run(places: Sequence[int]) -> None:
            # A product with one row is another routine, so that a batch has at least two.
            filled = [*places, *[places[0]] * (LEAST_ROWS - len(places))]
            batch = [tokens[place] for place in filled]
            found = _slopes(self.model, batch, [touched[place] for place in filled], label, is_hidden=True)
            for row, place in enumerate(places):
                result[place] = self._estimates(found, row, touched[place], is_first=spans[place][0] == 0)

        for same in _by_shape(tokens):
            run_in_batches(same, ROWS, run)
        return result

    def unmasked(self, text: TextPair, spans: Sequence[Span], label: int, field: TextField) -> Numbers:
        """Return the estimates of equation 5: from one gradient, at the text as it is."""
        tokens = self.model.tokens([text] * LEAST_ROWS, field)
        found = _slopes(self.model, tokens, [[]] * len(tokens), label, is_hidden=False)
        return np.array(
            [self._estimates(found, 0, tokens[0].touched(span), is_first=span[0] == 0) for span in spans]
        ).reshape(len(spans), len(self.inside))

    def _estimates(self, found: "_Slopes", row: int, touched: Sequence[int], *, is_first: bool) -> Numbers:
        """Return one estimate a word; where the tokens were cut off, no word changes anything."""
        if not touched:
            return np.full(len(self.inside), found.log_probabilities[row])
        slope = found.slopes[row][touched].sum(axis=0)
        old = found.points[row][touched].mean(axis=0)
        vectors = self.at_start if is_first else self.inside
        result: Numbers = (vectors @ slope).astype(np.float64)
        return result + (float(found.log_probabilities[row]) - float(old @ slope))


@dataclass(frozen=True)
class _Slopes:
    """Embeddings, the gradients of the label's log probability there, and that log probability."""

    points: Singles
    slopes: Singles
    log_probabilities: Singles


def _slopes(
    model: EmbeddingModel,
    batch: Sequence[Tokens],
    touched: Sequence[Sequence[int]],
    label: int,
    *,
    is_hidden: bool,
) -> _Slopes:
    import torch

    with torch.no_grad():
        points = model.embeddings(batch)
        if is_hidden:
            where = torch.zeros(points.shape[:2], dtype=torch.bool, device=points.device)
            for row, places in enumerate(touched):
                where[row, list(places)] = True
            points = torch.where(where[:, :, None], model.hidden(batch), points)
    points = points.detach().requires_grad_(requires_grad=True)
    with torch.enable_grad():
        answers = torch.log_softmax(model.logits(points, batch).float(), dim=-1)[:, label]
        # A sum, so that each text's gradient is its own.
        (slopes,) = torch.autograd.grad(answers.sum(), points)
    return _Slopes(_array(points), _array(slopes), _array(answers))


def _array(tensor: Any) -> Singles:
    found: Singles = tensor.detach().cpu().float().numpy()
    return found


def _by_shape(tokens: Sequence[Tokens]) -> list[list[int]]:
    by_shape: dict[tuple[int, ...], list[int]] = {}
    for place, own in enumerate(tokens):
        by_shape.setdefault(own.shape, []).append(place)
    return list(by_shape.values())


def _field(text: TextPair, field: TextField) -> str:
    return text[0] if field == "text" else text[1] or ""


def _with_field(text: TextPair, field: TextField, changed: str) -> TextPair:
    return (changed, text[1]) if field == "text" else (text[0], changed)
