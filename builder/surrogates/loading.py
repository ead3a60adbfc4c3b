"""Surrogates in memory: loaded once in each process, asked for votes, released before freezing."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from classifiers.machinery.classifier import TextPair
from classifiers.machinery.inference import Inference
from classifiers.saved.stored import load_saved
from contract.machine.memory import give_back_memory


@lru_cache(maxsize=8)
def surrogate_of(cache_path: Path, weights_sha256: str) -> Inference:
    """Return a surrogate of the cache, loaded once in each process; each process counts its own questions."""
    return Inference(load_saved(cache_path, weights_sha256), weights_sha256, cache_path)


def vote(cache_path: Path, weights_sha256: str, texts: Sequence[TextPair]) -> list[int]:
    """Return the label that a surrogate gives each text."""
    return surrogate_of(cache_path, weights_sha256).votes(texts) if texts else []


def unload_surrogates() -> None:
    """Release the surrogates that this process has loaded: freezing needs their memory and asks no model."""
    surrogate_of.cache_clear()
    give_back_memory()
