"""Gradients over input embeddings: complete, first-order right, and the same in any company."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from classifiers import DifferentiableClassifier, Replacement, TrainingSet
from classifiers.machinery import gradients
from classifiers.machinery.classifier import Span, TextPair
from classifiers.machinery.devices import best_device
from classifiers.machinery.gradients import EmbeddingModel
from classifiers.machinery.transformer import Transformer, _Embedded
from classifiers.trained import cnn
from contract.schema.edits import words_of
from contract.schema.manifest import TextField

TEXTS: list[TextPair] = [
    ("a very good film", None),
    ("bad film", None),
    ("  a   bad, bad film text", None),
    ("good", None),
    ("a good bad very 1", None),
]
PAIRS: list[TextPair] = [("a good film", "very bad"), ("bad film", "a very good text"), ("good", "")]
LABELS = [1, 0, 0, 1, 1]


@pytest.fixture(params=["transformer", "cnn"])
def model(request: pytest.FixtureRequest, checkpoint: Path, tmp_path: Path) -> Any:
    """Return a function from single or pair to a small classifier and itself as `gradients` sees it."""

    def make(texts: Sequence[TextPair]) -> tuple[DifferentiableClassifier, EmbeddingModel]:
        if request.param == "transformer":
            network = AutoModelForSequenceClassification.from_pretrained(checkpoint).eval()
            with torch.no_grad():
                # A new model hardly looks at its input.
                network.bert.embeddings.word_embeddings.weight.mul_(20)
                network.classifier.weight.mul_(20)
            classifier = Transformer(AutoTokenizer.from_pretrained(checkpoint), network, [1, 0])
            return classifier, _Embedded(classifier)
        training = TrainingSet(texts=list(texts) * 20, labels=LABELS[: len(texts)] * 20, n_labels=2, seed=0)
        cnn.train(training, tmp_path)
        loaded = cnn.load(tmp_path)
        assert isinstance(loaded, cnn.Cnn)
        return loaded, cnn._Embedded(loaded)

    return make


def spans_of(texts: Sequence[TextPair], field: TextField) -> list[list[Span]]:
    """Return the words of the field under attack."""
    return [
        [(word.start, word.end) for word in words_of((text if field == "text" else pair) or "")]
        for text, pair in texts
    ]


def log_probabilities(embedded: EmbeddingModel, points: Any, tokens: Any, label: int) -> float:
    """Return the log probability of a label at a point."""
    with torch.no_grad():
        return float(torch.log_softmax(embedded.logits(points, [tokens]).double(), dim=-1)[0, label])


@pytest.mark.parametrize(("texts", "field"), [(TEXTS, "text"), (PAIRS, "text"), (PAIRS, "text_pair")])
def test_word_gradients_add_up_to_what_the_words_are_worth(
    model: Any, texts: list[TextPair], field: TextField, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a text of masks to the text, with many steps, nothing is lost on the way."""
    monkeypatch.setattr(gradients, "STEPS", 512)
    classifier, embedded = model(texts)
    labels = LABELS[: len(texts)]
    found = classifier.word_gradients(texts, spans_of(texts, field), labels, field)
    for tokens, of_words, label in zip(embedded.tokens(texts, field), found, labels, strict=True):
        if not len(of_words):
            continue
        with torch.no_grad():
            end, start = embedded.embeddings([tokens]), embedded.hidden([tokens])
        worth = log_probabilities(embedded, end, tokens, label) - log_probabilities(
            embedded, start, tokens, label
        )
        # Words are all of the text but for punctuation that stands alone.
        assert of_words.sum() == pytest.approx(worth, abs=0.02 + 0.02 * abs(worth))


@pytest.mark.parametrize(("texts", "field"), [(TEXTS, "text"), (PAIRS, "text_pair")])
def test_first_order_is_the_slope_towards_the_replacement(
    model: Any, texts: list[TextPair], field: TextField
) -> None:
    """As a small step in that direction shows; a word in its own place changes nothing."""
    classifier, embedded = model(texts)
    labels = LABELS[: len(texts)]
    spans = spans_of(texts, field)
    replacements = [[Replacement(*own[-1], "bad")] if own else [] for own in spans]
    found = classifier.first_order(texts, labels, replacements, field)
    for place, tokens in enumerate(embedded.tokens(texts, field)):
        if not spans[place]:
            assert not len(found[place])
            continue
        touched = tokens.touched(spans[place][-1])
        with torch.no_grad():
            points = embedded.embeddings([tokens])
        target = torch.tensor(embedded.embeddings_of_words([" bad"])[0], dtype=points.dtype)
        step = torch.zeros_like(points)
        step[0, touched] = target - points[0, touched].mean(dim=0)
        small = 1e-2
        slope = (
            log_probabilities(embedded, points - small * step, tokens, labels[place])
            - log_probabilities(embedded, points + small * step, tokens, labels[place])
        ) / (2 * small)
        assert found[place][0] == pytest.approx(slope, abs=0.02 + 0.05 * abs(slope))
    same = [
        [
            Replacement(start, end, ((text if field == "text" else pair) or "")[start:end])
            for start, end in own
        ]
        for (text, pair), own in zip(texts, spans, strict=True)
    ]
    assert all(
        np.abs(own).max(initial=0) < 1e-5 for own in classifier.first_order(texts, labels, same, field)
    )


def test_numbers_do_not_depend_on_company(model: Any) -> None:
    """Alone, together, and a replacement inside a word like that of the whole word."""
    classifier, _ = model(TEXTS)
    spans = spans_of(TEXTS, "text")
    together = classifier.word_gradients(TEXTS, spans, LABELS)
    replacements = [[Replacement(own[0][0], own[0][1], "bad"), Replacement(*own[-1], "")] for own in spans]
    estimates = classifier.first_order(TEXTS, LABELS, replacements)
    for place, text in enumerate(TEXTS):
        (alone,) = classifier.word_gradients([text], [spans[place]], [LABELS[place]])
        assert np.abs(alone - together[place]).max() < 1e-5
        (estimate,) = classifier.first_order([text], [LABELS[place]], [replacements[place]])
        # Never alone in a product, so to the last bit.
        assert (estimate == estimates[place]).all()
    whole, part = classifier.first_order(
        [("a good film", None)], [1], [[Replacement(2, 6, "gold"), Replacement(4, 5, "l")]]
    )[0]
    assert whole == pytest.approx(part, abs=1e-9)


def test_nothing_to_change_is_nothing(model: Any) -> None:
    """Empty texts, no spans, no texts, and words behind what the model reads."""
    classifier, _ = model(TEXTS)
    assert isinstance(classifier, DifferentiableClassifier)
    assert classifier.word_gradients([], [], []) == []
    assert classifier.first_order([], [], []) == []
    assert [len(own) for own in classifier.word_gradients([("", None), ("a", None)], [[], []], [0, 1])] == [
        0,
        0,
    ]
    long = "a good film " * 400
    spans = [(0, 1), (len(long) - 5, len(long) - 1)]
    first, last = classifier.word_gradients([(long, None)], [spans], [1])[0]
    assert first != 0
    assert last == 0
    assert classifier.first_order([(long, None)], [1], [[Replacement(*spans[1], "bad")]])[0].tolist() == [0]


def test_gradients_are_the_same_in_batches_that_fit(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch too large for the device is halved, as where probabilities are asked for."""
    monkeypatch.setattr(gradients, "STEPS", 2)
    texts: list[TextPair] = [TEXTS[0]] * 20
    classifier, embedded = model(TEXTS)
    spans, labels = spans_of(texts, "text"), [1] * len(texts)
    replacements = [[Replacement(*own[0], "bad")] for own in spans]
    whole = classifier.word_gradients(texts, spans, labels)
    estimates = classifier.first_order(texts, labels, replacements)
    fits, sizes = type(embedded).logits, []

    def logits(own: Any, embeddings: Any, batch: Any) -> Any:
        if len(batch) > 5:
            raise RuntimeError("MPS backend out of memory")
        sizes.append(len(batch))
        return fits(own, embeddings, batch)

    monkeypatch.setattr(type(embedded), "logits", logits)
    halved = classifier.word_gradients(texts, spans, labels)
    assert np.abs(np.array(halved) - np.array(whole)).max() < 1e-5
    assert sum(sizes) == 2 * len(texts)
    again = classifier.first_order(texts, labels, replacements)
    assert np.abs(np.array(again) - np.array(estimates)).max() < 1e-5


def test_a_graphics_card_computes_in_whole_single_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounded products would give other votes than a processor does."""
    products, convolutions = SimpleNamespace(allow_tf32=True), SimpleNamespace(allow_tf32=True)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.backends.cuda, "matmul", products)
    monkeypatch.setattr(torch.backends, "cudnn", convolutions)
    assert best_device() == "cuda"
    assert not products.allow_tf32
    assert not convolutions.allow_tf32
