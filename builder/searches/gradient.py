"""The setting `gradient`: words and changes ranked by a differentiable source's gradients."""

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

import numpy as np

from builder.operations.dimension import (
    Dimension,
    ProbabilityDimension,
    SentenceDimension,
    SingleWordDimension,
)
from builder.operations.operation import Operation
from builder.searches.machinery.attack import Attack, pair_of, pair_with
from builder.searches.machinery.attacked_words import refuse_probabilities
from builder.searches.machinery.edit_paths import EditPath, Question, walk
from builder.searches.machinery.editable_texts import EditableText
from builder.searches.machinery.edits_per_word import with_operation
from builder.searches.machinery.garbage_collection import rare_collections
from builder.searches.machinery.single_word_attack import search_single_words
from builder.searches.search import Search, SearchRequest, SearchResult
from classifiers.machinery.classifier import DifferentiableClassifier, Numbers, Replacement
from classifiers.machinery.gradients import STEPS
from contract.machine.errors import UserError
from contract.schema.manifest import TextField

NAME = "gradient"
# Importances of words are the same in every dimension, so they are kept: a few hundred bytes for each text.
MOST_KEPT = 100_000
# A query costs one pass forward; a gradient takes one back, too.
PASSES_A_GRADIENT = 2
# Where a source holds the true label for impossible, estimates still tell changes apart.
LEAST_PROBABILITY = 1e-6
# Changes that were not estimated are taken when nothing else is left.
RISE_OF_UNKNOWN = -5.0
_kept: dict[tuple[str, TextField, int, str, str | None], Numbers] = {}
# For each sample the estimated rise of the loss by the index of a word and an operation on it.
Estimates = Mapping[str, Mapping[tuple[int, Operation], float]]


def search(request: SearchRequest) -> SearchResult:
    """Return the cases that first-order estimates of a source's loss lead to."""
    if isinstance(request.dimension, SentenceDimension):
        raise TypeError(f"{request.dimension.name}: gradients rank words, not rewrites")
    if isinstance(request.dimension, ProbabilityDimension):
        return refuse_probabilities(request.dimension, NAME)
    if isinstance(request.dimension, SingleWordDimension):
        return search_single_words(request, request.dimension, NAME, by_gradients=True)
    return _gradient_attack(request, request.dimension)


@rare_collections()
def _gradient_attack(request: SearchRequest, dimension: Dimension) -> SearchResult:
    attack = Attack(request, dimension, NAME)
    paths = attack.lay_paths(integrated_gradients(request, attack.texts), is_narrow=True)
    estimates = _estimate_rises(request, paths)
    walk(paths, partial(answer_by_estimates, request, estimates))
    return attack.result(paths)


def integrated_gradients(request: SearchRequest, texts: Sequence[EditableText]) -> list[Numbers]:
    """Return for each word how much it speaks for the true label."""
    weights = request.attacked_source.inference.weights_sha256
    keys = [(weights, request.perturbed, text.sample.label, *pair_of(text)) for text in texts]
    # Counted whether kept or not: which unit came first is no part of what an attack costs.
    count_gradients(request, n_points=STEPS * len(set(keys)))
    new = [index for index, key in enumerate(keys) if key not in _kept]
    if len(_kept) + len(new) > MOST_KEPT:
        _kept.clear()
        new = list(range(len(keys)))
    if new:
        with timed(request):
            gradients = _classifier(request).word_gradients(
                [pair_of(texts[index]) for index in new],
                [[(word.start, word.end) for word in texts[index].words] for index in new],
                [texts[index].sample.label for index in new],
                request.perturbed,
            )
        _kept.update(zip([keys[index] for index in new], gradients, strict=True))
    return [_kept[key] for key in keys]


def answer_by_estimates(
    request: SearchRequest, estimates: Estimates, questions: Sequence[Question]
) -> list[Numbers]:
    """Return estimates of the true label's probability, and what the source says where these will not do."""
    exact = [question for question in questions if not question.changes]
    pairs = [pair_with(request, question.path.text, text) for question in exact for text in question.texts]
    asked: Iterable[Numbers] = request.attacked_source.inference.ask(pairs) if pairs else ()
    rows = iter(asked)
    answers = []
    for question in questions:
        if question.changes:
            answers.append(_estimate(estimates[question.path.text.sample.id], question))
        else:
            question.path.n_queries += len(question.texts)
            label = question.path.text.sample.label
            answers.append(np.array([next(rows)[label] for _ in question.texts]))
    return answers


def _estimate(of_sample: Mapping[tuple[int, Operation], float], question: Question) -> Numbers:
    """Return the probability after each change if the loss rises as estimated; unknown changes come last."""
    now = max(question.path.probability or 0.0, LEAST_PROBABILITY)
    rises = [
        of_sample.get((change.word_index, change.operation), RISE_OF_UNKNOWN) for change in question.changes
    ]
    return np.array([now * math.exp(-rise) for rise in rises])


def _estimate_rises(request: SearchRequest, paths: Sequence[EditPath]) -> Estimates:
    """Return for each sample the first-order rise of the loss by each operation that a path may draw."""
    texts = {path.text.sample.id: path.text for path in paths}
    if not texts:
        return {}
    operations = operations_on(paths)
    count_gradients(request, n_points=len(texts))
    replacements = [
        [replacement_of(texts[sample_id], *key) for key in of_sample]
        for sample_id, of_sample in operations.items()
    ]
    with timed(request):
        rises = _classifier(request).first_order(
            [pair_of(text) for text in texts.values()],
            [text.sample.label for text in texts.values()],
            replacements,
            request.perturbed,
        )
    return {
        sample_id: {key: round(float(rise), 5) for key, rise in zip(keys, rises_of_sample, strict=True)}
        for (sample_id, keys), rises_of_sample in zip(operations.items(), rises, strict=True)
    }


def operations_on(paths: Sequence[EditPath]) -> dict[str, dict[tuple[int, Operation], None]]:
    """Return for each sample the operations that its paths may draw, by the index of their word."""
    # Dictionaries keep the order in which operations first came, which sets do not.
    operations: dict[str, dict[tuple[int, Operation], None]] = {path.text.sample.id: {} for path in paths}
    for path in paths:
        of_sample = operations[path.text.sample.id]
        of_sample |= {
            (index, operation): None
            for index, of_word in enumerate(path.turns.operations)
            for operation in of_word.items
        }
    return operations


def count_gradients(request: SearchRequest, *, n_points: int) -> None:
    """Count the gradients at some points as queries to the source."""
    counts = request.attacked_source.inference.counts
    counts.n_queries += PASSES_A_GRADIENT * n_points
    counts.n_distinct += PASSES_A_GRADIENT * n_points


@contextmanager
def timed(request: SearchRequest) -> Iterator[None]:
    """Count the time that the context is open as the source's own."""
    start = time.perf_counter()
    try:
        yield
    finally:
        request.attacked_source.inference.counts.seconds += time.perf_counter() - start


def replacement_of(text: EditableText, index: int, operation: Operation) -> Replacement:
    """Return an operation on a word as a replacement in the whole text."""
    start, span = text.words[index].start, text.span(index, operation)
    return Replacement(start, start + len(span), with_operation(span, (), operation))


def _classifier(request: SearchRequest) -> DifferentiableClassifier:
    source = request.attacked_source
    if not isinstance(source.inference.classifier, DifferentiableClassifier):
        raise UserError(
            f"{source.name} has no gradients; name sources for `gradient` that have: minilm, cnn or hf:"
        )
    return source.inference.classifier


GRADIENT = Search(
    name=NAME,
    summary="words by a source's integrated gradients, candidates by their first-order effect on its loss",
    run=search,
    levels=("char", "word"),
    degree_kinds=("budget", "bin", "none"),
)
