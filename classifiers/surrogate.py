"""A surrogate of the release itself, as its build trained it."""

from classifiers.classifier import Classifier, ClassifierKind, LoadRequest
from classifiers.trained import load_trained
from contract.registry import unknown_name


def load(request: LoadRequest) -> Classifier:
    """Return the surrogate of that name for the task."""
    surrogates = {
        info.name: info for info in request.needed_release.manifest.surrogates_of(request.task.name)
    }
    if request.argument not in surrogates:
        raise unknown_name("surrogate", request.argument, surrogates)
    return load_trained(request.cache_path, surrogates[request.argument].weights_sha256)


SURROGATE = ClassifierKind(
    name="surrogate", summary="a surrogate that the release was built with", argument="NAME", load=load
)
