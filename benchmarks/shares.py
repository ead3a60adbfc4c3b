"""Where the time goes: how much of a run is spent in the models that dimensions use."""

import contextlib
import importlib
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple


class Method(NamedTuple):
    """Where a model does its work: a class of a module and the method that is timed."""

    module: str
    owner: str
    name: str


# None of these calls another of them, so that no second is counted twice.
METHODS: Mapping[str, Method] = {
    "tagging": Method("builder.language.tagger.tagging", "Tagger", "_tag_batch"),
    "embedding": Method("builder.models.encoder", "_Encoder", "encode"),
    "masked LM": Method("builder.language.masked_lm.model", "MaskedModel", "log_probabilities"),
}


@contextlib.contextmanager
def seconds_by_model(methods: Mapping[str, Method] = METHODS) -> Iterator[dict[str, float]]:
    """Yield the seconds spent in each model while the context is open, in the order of the list."""
    seconds = dict.fromkeys(methods, 0.0)
    with contextlib.ExitStack() as stack:
        for model, method in methods.items():
            owner = getattr(importlib.import_module(method.module), method.owner)
            original = getattr(owner, method.name)
            setattr(owner, method.name, _timed(original, model, seconds))
            stack.callback(setattr, owner, method.name, original)
        yield seconds


def _timed(function: Callable[..., Any], model: str, seconds: dict[str, float]) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        start = time.perf_counter()
        try:
            return function(*arguments, **named)
        finally:
            seconds[model] += time.perf_counter() - start

    return call
