"""The setting `gradient`: words and candidates ranked by a differentiable source's gradients."""

from collections.abc import Sequence

from builder.operations.dimension import SentenceDimension
from builder.operations.operation import Operation
from builder.searches.machinery.attack import Plan, attack, pair_of
from builder.searches.machinery.paths import Judge, Path, Subject
from builder.searches.machinery.spread import with_operations
from builder.searches.search import Findings, Search, SearchRequest
from classifiers.machinery.classifier import DifferentiableClassifier, Numbers, Replacement
from classifiers.machinery.gradients import STEPS
from contract.machine.errors import UserError
from contract.schema.manifest import TextField

NAME = "gradient"
# What words speak for is the same in every dimension: a few hundred bytes for each text.
MOST_KNOWN = 100_000
# A pass forward is what a question costs; a gradient takes one back, too.
PASSES_A_GRADIENT = 2
_known: dict[tuple[str, TextField, int, str, str | None], Numbers] = {}


def search(request: SearchRequest) -> Findings:
    """Return the cases that first-order estimates of a source's loss lead to."""
    if isinstance(request.dimension, SentenceDimension):
        raise TypeError(f"{request.dimension.name}: gradients rank words, not rewrites")
    return attack(
        request, request.dimension, NAME, Plan(importances=speaks_for, judge=_judge, is_narrow=True)
    )


def speaks_for(request: SearchRequest, subjects: Sequence[Subject]) -> list[Numbers]:
    """Return for each word how much it speaks for the true label, by integrated gradients."""
    keys = [
        (request.victim.inference.weights_sha256, request.perturbed, subject.sample.label, *pair_of(subject))
        for subject in subjects
    ]
    # Counted whether remembered or not: which unit came first is no part of what an attack costs.
    _count(request, n_points=STEPS * len(set(keys)))
    new = [place for place, key in enumerate(keys) if key not in _known]
    if len(_known) + len(new) > MOST_KNOWN:
        _known.clear()
        new = list(range(len(keys)))
    if new:
        found = _source(request).word_gradients(
            [pair_of(subjects[place]) for place in new],
            [[(word.start, word.end) for word in subjects[place].text.words] for place in new],
            [subjects[place].sample.label for place in new],
            request.perturbed,
        )
        _known.update(zip([keys[place] for place in new], found, strict=True))
    return [_known[key] for key in keys]


def _judge(request: SearchRequest, paths: Sequence[Path]) -> Judge:
    """Return a judge who knows before the walk by how much each operation would raise the loss."""
    estimates = _estimates(request, paths)

    def pick(asking: Sequence[Path]) -> list[int]:
        found = []
        for path in asking:
            known = estimates[path.subject.sample.id]
            rises = [known.get((path.index, each.operation), float("-inf")) for each in path.candidates]
            found.append(rises.index(max(rises)))
        return found

    return pick


def _estimates(
    request: SearchRequest, paths: Sequence[Path]
) -> dict[str, dict[tuple[int, Operation], float]]:
    """Return for each sample the first-order rise of the loss by each operation that a path may draw."""
    subjects = {path.subject.sample.id: path.subject for path in paths}
    if not subjects:
        return {}
    keys: dict[str, dict[tuple[int, Operation], None]] = {name: {} for name in subjects}
    for path in paths:
        own = keys[path.subject.sample.id]
        own |= {
            (index, item): None for index, of_word in enumerate(path.operations) for item in of_word.items
        }
    _count(request, n_points=len(subjects))
    rises = _source(request).first_order(
        [pair_of(subject) for subject in subjects.values()],
        [subject.sample.label for subject in subjects.values()],
        [[_replacement(subjects[name], *key) for key in own] for name, own in keys.items()],
        request.perturbed,
    )
    return {
        name: {key: round(float(rise), 5) for key, rise in zip(own, of_sample, strict=True)}
        for (name, own), of_sample in zip(keys.items(), rises, strict=True)
    }


def _count(request: SearchRequest, *, n_points: int) -> None:
    """Count the gradients at some points as questions to the source."""
    counts = request.victim.inference.counts
    counts.n_queries += PASSES_A_GRADIENT * n_points
    counts.n_distinct += PASSES_A_GRADIENT * n_points


def _replacement(subject: Subject, index: int, item: Operation) -> Replacement:
    word = subject.text.words[index]
    return Replacement(word.start, word.end, with_operations(word.text, (), item))


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
