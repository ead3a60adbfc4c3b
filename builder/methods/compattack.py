"""CompAttack: embeddings are moved until the answer turns; what is nearest that way is written instead."""

from collections.abc import Sequence
from functools import partial

from builder.dimensions import synonym
from builder.methods import bert_attack, textbugger
from builder.methods.method import Method, Parameter
from builder.methods.searching import dimension_with
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from builder.operations.operation import Operations
from builder.searches.gradient import (
    Estimates,
    answer_by_estimates,
    count_gradients,
    operations_on,
    replacement_of,
    timed,
)
from builder.searches.machinery.attack import Attack, pair_of
from builder.searches.machinery.edit_paths import EditPath, walk
from builder.searches.machinery.garbage_collection import rare_collections
from builder.searches.search import SearchRequest, SearchResult
from classifiers.machinery.gradients import ByEmbeddings
from classifiers.machinery.perturbing import Objective, PerturbedTexts
from contract.machine.errors import UserError
from contract.schema.manifest import Setting

# T3's, which the method follows.
OBJECTIVE = Objective(weight=1e4, confidence=0.0, most_steps=100, learning_rate=0.1)
# The spaces onto which perturbations are projected.
SPACES = {"typo": textbugger.propose, "knowledge": synonym.propose, "context": bert_attack.propose}


def propose(texts: Sequence[WordsOfText], resources: Resources) -> list[list[Operations]]:
    """Return for every word what any of the spaces has, each space drawn equally often."""
    of_spaces = [space(texts, resources) for space in SPACES.values()]
    return [
        [_joined(of_word) for of_word in zip(*of_text, strict=True)]
        for of_text in zip(*of_spaces, strict=True)
    ]


def _joined(of_word: Sequence[Operations]) -> Operations:
    """Return the operations of several spaces as those of one; what two of them have counts once."""
    items = {item.edits: (item, 1 / len(space)) for space in reversed(of_word) for item in space.items}
    return Operations([item for item, _ in items.values()], [weight for _, weight in items.values()])


@rare_collections()
def search(request: SearchRequest, setting: Setting) -> SearchResult:
    """Return the cases that lie along the perturbations of a source's embeddings."""
    attack = Attack(request, dimension_with(request, propose), setting)
    texts = attack.texts
    count_gradients(request, n_points=OBJECTIVE.most_steps * len(texts))
    with timed(request):
        perturbed = PerturbedTexts(
            _classifier(request).embedded(),
            [pair_of(text) for text in texts],
            [text.sample.label for text in texts],
            OBJECTIVE,
            request.perturbed,
        )
        lengths = perturbed.lengths([[(word.start, word.end) for word in text.words] for text in texts])
    paths = attack.lay_paths(lengths, is_narrow=True)
    estimates = _project(request, perturbed, paths, [text.sample.id for text in texts])
    walk(paths, partial(answer_by_estimates, request, estimates))
    return attack.result(paths)


def _project(
    request: SearchRequest, perturbed: PerturbedTexts, paths: Sequence[EditPath], sample_ids: Sequence[str]
) -> Estimates:
    """Return for each sample how far each operation goes the way of the perturbation."""
    texts = {path.text.sample.id: path.text for path in paths}
    operations = operations_on(paths)
    keys = [list(operations[sample_id]) for sample_id in sample_ids]
    replacements = [
        [replacement_of(texts[sample_id], *key) for key in of_sample]
        for sample_id, of_sample in zip(sample_ids, keys, strict=True)
    ]
    with timed(request):
        along = perturbed.along(replacements)
    return {
        sample_id: {key: round(float(far), 5) for key, far in zip(of_sample, of_text, strict=True)}
        for sample_id, of_sample, of_text in zip(sample_ids, keys, along, strict=True)
    }


def _classifier(request: SearchRequest) -> ByEmbeddings:
    source = request.attacked_source
    if not isinstance(source.inference.classifier, ByEmbeddings):
        raise UserError(
            f"{source.name} has no embeddings that compattack could move; name sources for `gradient` that"
            " have: minilm, cnn or hf:"
        )
    return source.inference.classifier


COMPATTACK = Method(
    name="compattack",
    summary="typos, synonyms and a language model's words that lie where moved embeddings turn the answer",
    paper="Wang et al. 2021, Adversarial GLUE, NeurIPS Datasets and Benchmarks",
    dimension="contextual",
    settings=("gradient",),
    parameters=(
        Parameter(name="spaces", paper="typo, knowledge, context", ours=", ".join(SPACES)),
        Parameter(name="weight of the attack's goal", paper=1e4, ours=OBJECTIVE.weight),
        Parameter(name="confidence", paper=0, ours=OBJECTIVE.confidence),
        Parameter(name="steps, at most", paper=100, ours=OBJECTIVE.most_steps),
        Parameter(name="learning rate", paper=0.1, ours=OBJECTIVE.learning_rate),
    ),
    departures=(
        (
            "The paper gives no weight, confidence, steps and rate of its own; these are those of T3, which"
            " it follows."
        ),
        (
            "The paper replaces a word by what is nearest to its moved embedding; we order replacements by"
            " how far they go the way in which it was moved, and ask the source where a budget is met."
        ),
        "It is a method of the dimension contextual, whose filters then look at its typos, too.",
        "All replacements pass the label guard; synonyms and words of the model also the judge.",
    ),
    function=search,
    uses=("lexicons",),
)
