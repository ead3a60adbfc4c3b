"""A surrogate of the release itself, as its build trained it."""

from collections.abc import Sequence
from dataclasses import dataclass

from classifiers.kept.stored import load_trained
from classifiers.machinery.classifier import Classifier, ClassifierKind, LoadRequest, Probabilities, TextPair
from classifiers.machinery.inference import Inference
from contract.machine.registry import unknown_name


@dataclass(frozen=True)
class Remembering:
    """A surrogate that has voted on every case already: what it said is in the cache."""

    inference: Inference

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return one row a text, known or computed."""
        return self.inference.ask(texts)


def load(request: LoadRequest) -> Classifier:
    """Return the surrogate of that name for the task."""
    surrogates = {
        info.name: info for info in request.needed_release.manifest.surrogates_of(request.task.name)
    }
    if request.argument not in surrogates:
        raise unknown_name("surrogate", request.argument, surrogates)
    weights = surrogates[request.argument].weights_sha256
    return Remembering(Inference(load_trained(request.cache_path, weights), weights, request.cache_path))


SURROGATE = ClassifierKind(
    name="surrogate", summary="a surrogate that the release was built with", argument="NAME", load=load
)
