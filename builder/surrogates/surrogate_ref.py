"""A surrogate as units of work name it: by name, kind and the hash of its weights."""

from dataclasses import dataclass
from functools import lru_cache

from classifiers import KINDS, TRAINABLE_KINDS
from contract.machine.code import ANSWERS, hash_of_code


@dataclass(frozen=True, kw_only=True)
class SurrogateRef:
    """A surrogate by name, by its kind and by the hash of its weights."""

    name: str
    kind: str
    sha256: str

    @property
    def fingerprint(self) -> list[str]:
        """What decides its answers: the weights, and the code that applies them to a text."""
        return [self.sha256, answering_code(self.kind)]


@lru_cache(maxsize=64)
def answering_code(kind: str) -> str:
    """Return the hash of the code that turns a surrogate's weights and a text into an answer."""
    loader = TRAINABLE_KINDS[kind] if kind in TRAINABLE_KINDS else KINDS[kind]
    modules = ["classifiers.machinery.inference", loader.load.__module__]
    # A classifier that was not trained here may consist of several that were.
    modules += [] if kind in TRAINABLE_KINDS else ["classifiers.kept.external"]
    return hash_of_code(modules, ANSWERS)
