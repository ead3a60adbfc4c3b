"""The setting `gradient`: words and candidates ranked by a differentiable source's gradients."""

from collections.abc import Sequence

from builder.dimensions.dimension import Operation, SentenceDimension
from builder.searches.attack import Plan, attack, pair_of
from builder.searches.paths import Judge, Path, Subject
from builder.searches.search import Findings, Search, SearchRequest
from builder.searches.spread import with_operations
from classifiers.classifier import DifferentiableClassifier, Numbers, Replacement
from contract.errors import UserError

NAME = "gradient"


def search(request: SearchRequest) -> Findings:
    """Return the cases that first-order estimates of a source's loss lead to."""
    if isinstance(request.dimension, SentenceDimension):
        raise TypeError(f"{request.dimension.name}: gradients rank words, not rewrites")
    return attack(
        request, request.dimension, NAME, Plan(importances=speaks_for, judge=_judge, is_narrow=True)
    )


def speaks_for(request: SearchRequest, subjects: Sequence[Subject]) -> list[Numbers]:
    """Return for each word how much it speaks for the true label, by integrated gradients."""
    if not subjects:
        return []
    return _source(request).word_gradients(
        [pair_of(subject) for subject in subjects],
        [[(word.start, word.end) for word in subject.text.words] for subject in subjects],
        [subject.sample.label for subject in subjects],
        request.perturbed,
    )


def _judge(request: SearchRequest, paths: Sequence[Path]) -> Judge:
    """Return a judge who knows before the walk by how much each operation would raise the loss."""
    estimates = dict(zip(map(id, paths), _estimates(request, paths), strict=True))

    def pick(asking: Sequence[Path]) -> list[int]:
        found = []
        for path in asking:
            known = estimates[id(path)]
            rises = [known.get((path.index, each.operation), float("-inf")) for each in path.candidates]
            found.append(rises.index(max(rises)))
        return found

    return pick


def _estimates(request: SearchRequest, paths: Sequence[Path]) -> list[dict[tuple[int, Operation], float]]:
    """Return for each path the first-order rise of the loss by each operation it may draw."""
    if not paths:
        return []
    keys: list[list[tuple[int, Operation]]] = []
    replacements: list[list[Replacement]] = []
    for path in paths:
        words = path.subject.text.words
        own = [(index, item) for index, of_word in enumerate(path.operations) for item in of_word.items]
        keys.append(own)
        replacements.append(
            [
                Replacement(
                    words[index].start, words[index].end, with_operations(words[index].text, (), item)
                )
                for index, item in own
            ]
        )
    rises = _source(request).first_order(
        [pair_of(path.subject) for path in paths],
        [path.subject.sample.label for path in paths],
        replacements,
        request.perturbed,
    )
    return [
        {key: round(float(rise), 5) for key, rise in zip(own, of_path, strict=True)}
        for own, of_path in zip(keys, rises, strict=True)
    ]


def _source(request: SearchRequest) -> DifferentiableClassifier:
    victim = request.victim
    if not isinstance(victim.inference.classifier, DifferentiableClassifier):
        raise UserError(
            f"{victim.name} has no gradients; name sources for `gradient` that have: minilm, cnn or hf:"
        )
    return victim.inference.classifier


GRADIENT = Search(
    name=NAME,
    summary="words by a source's integrated gradients, candidates by their first-order effect on its loss",
    run=search,
    levels=("char", "word"),
)
