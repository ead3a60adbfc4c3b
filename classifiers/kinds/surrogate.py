"""A surrogate of the release, as its build used it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifiers.machinery.classifier import Classifier, ClassifierKind, LoadRequest, Probabilities, TextPair
from classifiers.machinery.inference import Inference
from contract.machine.registry import unknown_name


@dataclass(frozen=True)
class CachedClassifier:
    """A classifier whose earlier answers are read from the cache; a surrogate has voted on every case."""

    inference: Inference

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return one row a text, from the cache or computed."""
        return self.inference.ask(texts)


def surrogate_kind(load_saved: Callable[[Path, str], Classifier]) -> ClassifierKind:
    """Return the kind; `load_saved` loads a classifier from a cache folder by the hash of its weights."""

    def load(request: LoadRequest) -> Classifier:
        surrogates = {
            info.name: info for info in request.needed_release.manifest.surrogates_of(request.task.name)
        }
        if request.argument not in surrogates:
            raise unknown_name("surrogate", request.argument, surrogates)
        weights = surrogates[request.argument].weights_sha256
        classifier = load_saved(request.cache_path, weights)
        return CachedClassifier(Inference(classifier, weights, request.cache_path))

    return ClassifierKind(
        name="surrogate", summary="a surrogate that the release was built with", argument="NAME", load=load
    )
