"""The setting `gradient`: words and changes ranked by a differentiable source's gradients."""

from collections.abc import Mapping, Sequence
from functools import partial

from builder.operations.dimension import Dimension, SentenceDimension
from builder.operations.operation import Operation
from builder.searches.machinery.attack import Attack, pair_of
from builder.searches.machinery.edit_paths import EditPath, walk
from builder.searches.machinery.editable_texts import EditableText
from builder.searches.machinery.edits_per_word import with_operation
from builder.searches.machinery.garbage_collection import rare_collections
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
_kept: dict[tuple[str, TextField, int, str, str | None], Numbers] = {}
# For each sample the estimated rise of the loss by the index of a word and an operation on it.
Estimates = Mapping[str, Mapping[tuple[int, Operation], float]]


def search(request: SearchRequest) -> SearchResult:
    """Return the cases that first-order estimates of a source's loss lead to."""
    if isinstance(request.dimension, SentenceDimension):
        raise TypeError(f"{request.dimension.name}: gradients rank words, not rewrites")
    return _gradient_attack(request, request.dimension)


@rare_collections()
def _gradient_attack(request: SearchRequest, dimension: Dimension) -> SearchResult:
    attack = Attack(request, dimension, NAME)
    paths = attack.lay_paths(integrated_gradients(request, attack.texts), is_narrow=True)
    estimates = _estimate_rises(request, paths)
    walk(paths, partial(_choose_highest_rise, estimates), request.attacked_source.max_queries)
    return attack.result(paths)


def integrated_gradients(request: SearchRequest, texts: Sequence[EditableText]) -> list[Numbers]:
    """Return for each word how much it speaks for the true label."""
    weights = request.attacked_source.inference.weights_sha256
    keys = [(weights, request.perturbed, text.sample.label, *pair_of(text)) for text in texts]
    # Counted whether kept or not: which unit came first is no part of what an attack costs.
    _count(request, n_points=STEPS * len(set(keys)))
    new = [index for index, key in enumerate(keys) if key not in _kept]
    if len(_kept) + len(new) > MOST_KEPT:
        _kept.clear()
        new = list(range(len(keys)))
    if new:
        gradients = _classifier(request).word_gradients(
            [pair_of(texts[index]) for index in new],
            [[(word.start, word.end) for word in texts[index].words] for index in new],
            [texts[index].sample.label for index in new],
            request.perturbed,
        )
        _kept.update(zip([keys[index] for index in new], gradients, strict=True))
    return [_kept[key] for key in keys]


def _choose_highest_rise(estimates: Estimates, paths: Sequence[EditPath]) -> list[int]:
    """Return for each path the change that should raise the loss most."""
    choices = []
    for path in paths:
        of_sample = estimates[path.text.sample.id]
        rises = [of_sample.get((path.index, change.operation), float("-inf")) for change in path.changes]
        choices.append(rises.index(max(rises)))
    return choices


def _estimate_rises(request: SearchRequest, paths: Sequence[EditPath]) -> Estimates:
    """Return for each sample the first-order rise of the loss by each operation that a path may draw."""
    texts = {path.text.sample.id: path.text for path in paths}
    if not texts:
        return {}
    # Dictionaries keep the order in which operations first came, which sets do not.
    operations: dict[str, dict[tuple[int, Operation], None]] = {sample_id: {} for sample_id in texts}
    for path in paths:
        of_sample = operations[path.text.sample.id]
        of_sample |= {
            (index, operation): None
            for index, of_word in enumerate(path.operations)
            for operation in of_word.items
        }
    _count(request, n_points=len(texts))
    rises = _classifier(request).first_order(
        [pair_of(text) for text in texts.values()],
        [text.sample.label for text in texts.values()],
        [
            [_replacement(texts[sample_id], *key) for key in of_sample]
            for sample_id, of_sample in operations.items()
        ],
        request.perturbed,
    )
    return {
        sample_id: {key: round(float(rise), 5) for key, rise in zip(keys, rises_of_sample, strict=True)}
        for (sample_id, keys), rises_of_sample in zip(operations.items(), rises, strict=True)
    }


def _count(request: SearchRequest, *, n_points: int) -> None:
    """Count the gradients at some points as queries to the source."""
    counts = request.attacked_source.inference.counts
    counts.n_queries += PASSES_A_GRADIENT * n_points
    counts.n_distinct += PASSES_A_GRADIENT * n_points


def _replacement(text: EditableText, index: int, operation: Operation) -> Replacement:
    word = text.words[index]
    return Replacement(word.start, word.end, with_operation(word.text, (), operation))


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
)
